/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Reads and patches the file of a program or library (image.h).
 */
#include "core/task/image.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/task/machine.h"

enum { TAG_IGNORED = 0x60000f00, NO_TLS_FLAG = DF_STATIC_TLS };

void *core_image_at(const struct core_image *m, uintptr_t address)
{
    for (unsigned i = 0; i < m->n_segments; i++) {
        const ElfW(Phdr) *p = &m->segments[i];

        if (p->p_type == PT_LOAD && address - p->p_vaddr < p->p_filesz)
            return m->bytes + p->p_offset + (address - p->p_vaddr);
    }
    return NULL;
}

static ElfW(Dyn) * entry(const struct core_image *m, ElfW(Sxword) tag)
{
    for (ElfW(Dyn) *d = m->dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == tag)
            return d;
    return NULL;
}

uintptr_t core_image_value(const struct core_image *m, ElfW(Sxword) tag)
{
    const ElfW(Dyn) *d = entry(m, tag);

    return d ? d->d_un.d_val : 0;
}

static int map_file(struct core_image *m)
{
    struct stat st;

    m->file = open(m->path, O_RDONLY | O_CLOEXEC);
    if (m->file < 0 || fstat(m->file, &st) != 0)
        return -errno;
    m->size = (size_t)st.st_size;
    m->bytes = mmap(NULL, m->size, PROT_READ | PROT_WRITE, MAP_PRIVATE, m->file, 0);
    return m->bytes == MAP_FAILED ? -errno : 0;
}

static bool find_parts(struct core_image *m)
{
    const ElfW(Ehdr) *h = (const void *)m->bytes;

    if (m->size < sizeof *h || memcmp(h->e_ident, ELFMAG, SELFMAG) != 0 || h->e_type != ET_DYN)
        return false;
    m->segments = (const void *)(m->bytes + h->e_phoff);
    m->n_segments = h->e_phnum;
    for (unsigned i = 0; i < m->n_segments; i++)
        if (m->segments[i].p_type == PT_DYNAMIC)
            m->dynamic = (void *)(m->bytes + m->segments[i].p_offset);
    m->strings = m->dynamic ? core_image_at(m, core_image_value(m, DT_STRTAB)) : NULL;
    return m->strings != NULL;
}

int core_image_open(struct core_image *m, const struct link_map *first, const char *path, bool program,
                    const char **why)
{
    int rc;

    *m = (struct core_image){.path = strdup(path), .first = first->l_addr, .file = -1};
    if (!m->path)
        return -ENOMEM;
    if ((rc = map_file(m)) != 0) {
        *why = strerror(-rc);
        return rc;
    }
    if (!find_parts(m)) {
        *why = program ? "it is not position-independent; link it with -pie" : "it is no shared library";
        return -ENOEXEC;
    }
    if (!program)
        m->soname = entry(m, DT_SONAME) ? m->strings + core_image_value(m, DT_SONAME) : strrchr(m->path, '/') + 1;
    return 0;
}

/* ------------------------------------------------------------ patching -- */

/* Its tag becomes one that no loader knows. */
static uintptr_t take(struct core_image *m, ElfW(Sxword) tag)
{
    ElfW(Dyn) *d = entry(m, tag);

    if (!d)
        return 0;
    d->d_tag = TAG_IGNORED;
    return d->d_un.d_val;
}

static void take_constructors(struct core_image *m)
{
    m->init = take(m, DT_INIT);
    m->fini = take(m, DT_FINI);
    m->init_array = take(m, DT_INIT_ARRAY);
    m->fini_array = take(m, DT_FINI_ARRAY);
    m->preinit_array = take(m, DT_PREINIT_ARRAY);
    m->n_init = take(m, DT_INIT_ARRAYSZ) / sizeof(void *);
    m->n_fini = take(m, DT_FINI_ARRAYSZ) / sizeof(void *);
    m->n_preinit = take(m, DT_PREINIT_ARRAYSZ) / sizeof(void *);
}

static void clear_flags(struct core_image *m)
{
    ElfW(Dyn) * d;

    if ((d = entry(m, DT_FLAGS_1)))
        d->d_un.d_val &= ~(ElfW(Xword))(DF_1_PIE | DF_1_NODELETE | DF_1_NOOPEN);
    if ((d = entry(m, DT_FLAGS)))
        d->d_un.d_val &= ~(ElfW(Xword))NO_TLS_FLAG;
}

static struct core_image *image_named(struct core_image **images, unsigned n, const char *name)
{
    for (unsigned i = 0; i < n; i++)
        if (images[i]->soname && strcmp(images[i]->soname, name) == 0)
            return images[i];
    return NULL;
}

/* Versions are looked for in the library of the name that was needed. */
static void rename_versions(struct core_image *m, size_t old, size_t new)
{
    char *at = core_image_at(m, core_image_value(m, DT_VERNEED));

    for (size_t i = core_image_value(m, DT_VERNEEDNUM); at && i > 0; i--) {
        ElfW(Verneed) *v = (void *)at;

        if (v->vn_file == old)
            v->vn_file = (ElfW(Word)) new;
        at += v->vn_next;
    }
}

/* A copy's strings: the file's, and room for the paths of what it needs. */
static int lay_strings(struct core_image *m, struct core_image **images, unsigned n)
{
    const char *text = m->strings;

    m->strings_n = core_image_value(m, DT_STRSZ);
    m->strings_room = m->strings_n;
    m->needs = calloc(n, sizeof(struct core_image *));
    if (!m->needs)
        return -ENOMEM;
    for (ElfW(Dyn) *d = m->dynamic; d->d_tag != DT_NULL; d++) {
        struct core_image *needed = d->d_tag == DT_NEEDED ? image_named(images, n, text + d->d_un.d_val) : NULL;

        if (!needed)
            continue;
        rename_versions(m, d->d_un.d_val, m->strings_room);
        d->d_un.d_val = m->strings_room;
        m->needs[m->n_needs++] = needed;
        m->strings_room += CORE_IMAGE_PATH;
    }
    return 0;
}

/* What the headers say that only spared the loader work, or served readers of files. */
static bool to_spare(const ElfW(Phdr) * p)
{
    return p->p_type == PT_GNU_RELRO || p->p_type == PT_NOTE || p->p_type == PT_GNU_PROPERTY;
}

/* The strings lie behind all else, in a segment whose header takes the room of one to spare. It is the last header, as
 * loaders want segments in the order of their addresses: patchelf puts its own behind all that linkers wrote. */
static int add_segment(struct core_image *m, bool model, const char **why)
{
    ElfW(Phdr) *use = NULL, *last = (ElfW(Phdr) *)&m->segments[m->n_segments - 1];
    uintptr_t end = 0;

    for (unsigned i = 0; i < m->n_segments; i++) {
        ElfW(Phdr) *p = (ElfW(Phdr) *)&m->segments[i];

        if (p->p_type == PT_LOAD)
            end = p->p_vaddr + p->p_memsz > end ? p->p_vaddr + p->p_memsz : end;
        if (to_spare(p) && (!use || p->p_type == PT_GNU_RELRO))
            use = p;
        if (p->p_type == PT_TLS && !model)
            p->p_type = PT_NULL;
        if (p->p_type == PT_LOAD && p->p_flags & PF_X) {
            m->text = p->p_vaddr;
            m->text_n = p->p_memsz;
        }
    }
    if (!use) {
        *why = "it has no program header to spare";
        return -ENOEXEC;
    }
    m->strings_at = core_round_up(m->size, core_page_size());
    m->strings_address = core_round_up(end, core_page_size());
    memmove(use, use + 1, (size_t)(last - use) * sizeof *use);
    *last = (ElfW(Phdr)){.p_type = PT_LOAD,
                         .p_flags = PF_R,
                         .p_offset = m->strings_at,
                         .p_vaddr = m->strings_address,
                         .p_paddr = m->strings_address,
                         .p_filesz = m->strings_room,
                         .p_memsz = m->strings_room,
                         .p_align = core_page_size()};
    entry(m, DT_STRTAB)->d_un.d_val = m->strings_address;
    entry(m, DT_STRSZ)->d_un.d_val = m->strings_room;
    return 0;
}

/* How many symbols there are, by the hash table: nothing else says it. In GNU's, the last chain ends with the last
 * symbol; what is not in a chain comes first. */
static size_t count_symbols(const struct core_image *m)
{
    const uint32_t *plain = core_image_at(m, core_image_value(m, DT_HASH)),
                   *table = core_image_at(m, core_image_value(m, DT_GNU_HASH));
    enum { BUCKETS, FIRST, BLOOM, HEAD = 4 };
    const uint32_t *buckets, *chain;
    size_t n = 0;

    if (entry(m, DT_HASH) && plain)
        return plain[1];
    if (!entry(m, DT_GNU_HASH) || !table)
        return 0;
    buckets = table + HEAD + table[BLOOM] * (sizeof(ElfW(Addr)) / sizeof *table);
    chain = buckets + table[BUCKETS];
    for (uint32_t i = 0; i < table[BUCKETS]; i++)
        n = buckets[i] > n ? buckets[i] : n;
    if (n < table[FIRST])
        return table[FIRST];
    while (!(chain[n - table[FIRST]] & 1))
        n++;
    return n + 1;
}

/* Symbols: those that are one in a process become ordinary. */
static void patch_symbols(struct core_image *m, ElfW(Sym) * symbols)
{
    for (size_t i = 0, n = count_symbols(m); i < n; i++) {
        unsigned char type = ELF64_ST_TYPE(symbols[i].st_info);

        if (ELF64_ST_BIND(symbols[i].st_info) == STB_GNU_UNIQUE)
            symbols[i].st_info = ELF64_ST_INFO(STB_GLOBAL, type);
        m->early_text |= type == STT_GNU_IFUNC;
    }
}

static const ElfW(Sym) * definition(const struct core_image *m, const char *name)
{
    const ElfW(Sym) *symbols = core_image_at(m, core_image_value(m, DT_SYMTAB));

    for (size_t i = 1, n = count_symbols(m); i < n; i++)
        if (symbols[i].st_shndx != SHN_UNDEF && strcmp(m->strings + symbols[i].st_name, name) == 0)
            return &symbols[i];
    return NULL;
}

struct patching {
    struct core_image *m, **images;
    unsigned n;
    core_image_names *names;
    const ElfW(Sym) * symbols;
    const char *text;
    bool model; /* it keeps its thread-local storage */
};

static void note_copy(struct patching *p, ElfW(Rela) * r, const ElfW(Sym) * symbol)
{
    struct core_image *m = p->m;
    struct core_image_copy *c = &m->copies[m->n_copies++];

    *c = (struct core_image_copy){.at = r->r_offset, .n = symbol->st_size};
    r->r_info = ELF64_R_INFO(0, CORE_RELOC_NONE);
    for (unsigned i = 0; i < p->n && !c->from; i++) {
        const ElfW(Sym) *found = p->images[i]->soname ? definition(p->images[i], p->text + symbol->st_name) : NULL;

        if (found) {
            c->from = p->images[i];
            c->value = found->st_value;
        }
    }
}

/* All threads have the first instance's variables. */
static void fix_tls(struct core_image *m, ElfW(Rela) * r, size_t n)
{
    void *slot = core_image_at(m, r->r_offset);

    if (slot)
        memcpy(slot, (const void *)(m->first + r->r_offset), n);
    r->r_info = ELF64_R_INFO(0, CORE_RELOC_NONE);
}

static void patch_one(struct patching *p, ElfW(Rela) * r)
{
    const ElfW(Sym) *symbol = &p->symbols[ELF64_R_SYM(r->r_info)];
    struct core_image *m = p->m;
    int what;

    switch (ELF64_R_TYPE(r->r_info)) {
    case CORE_RELOC_COPY:
        note_copy(p, r, symbol);
        break;
    case CORE_RELOC_TLS_OFFSET:
    case CORE_RELOC_TLS_MODULE:
    case CORE_RELOC_TLS_PLACE:
        if (!p->model)
            fix_tls(m, r, sizeof(uint64_t));
        break;
    case CORE_RELOC_TLS_CALL:
        if (!p->model)
            fix_tls(m, r, 2 * sizeof(uint64_t));
        break;
    case CORE_RELOC_CHOSEN:
        m->early_text = true;
        break;
    case CORE_RELOC_VARIABLE:
    case CORE_RELOC_FUNCTION:
    case CORE_RELOC_WORD:
        if (symbol->st_shndx == SHN_UNDEF && r->r_addend == 0 && (what = p->names(p->text + symbol->st_name)) >= 0)
            m->slots[m->n_slots++] = (struct core_image_slot){r->r_offset, (unsigned)what};
        break;
    }
}

static int patch_relocations(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names,
                             bool model)
{
    ElfW(Sym) *symbols = core_image_at(m, core_image_value(m, DT_SYMTAB));
    ElfW(Rela) *data = core_image_at(m, core_image_value(m, DT_RELA)),
               *calls = core_image_at(m, core_image_value(m, DT_JMPREL));
    size_t n_data = data ? core_image_value(m, DT_RELASZ) / sizeof *data : 0,
           n_calls = calls ? core_image_value(m, DT_PLTRELSZ) / sizeof *calls : 0;
    struct patching p = {m, images, n, names, symbols, m->strings, model};

    patch_symbols(m, symbols);
    m->copies = calloc(n_data + 1, sizeof *m->copies);
    m->slots = calloc(n_data + n_calls + 1, sizeof *m->slots);
    if (!m->copies || !m->slots)
        return -ENOMEM;
    for (size_t i = 0; i < n_data; i++)
        patch_one(&p, &data[i]);
    for (size_t i = 0; i < n_calls; i++)
        patch_one(&p, &calls[i]);
    return 0;
}

static int patch(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names, bool model,
                 const char **why)
{
    int rc = patch_relocations(m, images, n, names, model);

    *why = "out of memory";
    if (rc != 0 || (rc = lay_strings(m, images, n)) != 0)
        return rc;
    take_constructors(m);
    clear_flags(m);
    return add_segment(m, model, why);
}

int core_image_patch(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names,
                     const char **why)
{
    return patch(m, images, n, names, false, why);
}

int core_image_patch_model(struct core_image *m, struct core_image **images, unsigned n, core_image_names *names,
                           const char **why)
{
    return patch(m, images, n, names, true, why);
}

void core_image_close(struct core_image *m)
{
    if (m->bytes && m->bytes != MAP_FAILED)
        munmap(m->bytes, m->size);
    if (m->file >= 0)
        close(m->file);
    free(m->path);
    free(m->copies);
    free(m->slots);
    free(m->needs);
    *m = (struct core_image){.file = -1};
}

uintptr_t core_image_entry(const struct core_image *m)
{
    return ((const ElfW(Ehdr) *)(const void *)m->bytes)->e_entry;
}
