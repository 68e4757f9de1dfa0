/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Copies without the loader. The loader makes one, the model. What it has stored into the model's writable segments
 * goes into a file, once; a further copy maps that file, and the words that hold addresses in the model get the
 * distance to the copy. So neither symbols are looked up again nor does the loader's list grow.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/task/image.h"
#include "core/task/machine.h"

#ifndef DT_RELR
#define DT_RELRSZ 35
#define DT_RELR 36
#endif
#ifndef MADV_POPULATE_WRITE
#define MADV_POPULATE_WRITE 23
#endif

enum { LARGEST_ALIGNMENT = 1 << 21, MOST_PARTS = 4096 };

/* ---------------------------------------------------------------- layout -- */

static bool is_mapped(const struct core_image *m, const ElfW(Phdr) * p)
{
    return p->p_type == PT_LOAD && p->p_vaddr != m->strings_address;
}

size_t core_image_span(const struct core_image *m, size_t *alignment)
{
    uintptr_t end = 0;

    for (unsigned i = 0; i < m->n_segments; i++) {
        const ElfW(Phdr) *p = &m->segments[i];

        if (!is_mapped(m, p))
            continue;
        end = p->p_vaddr + p->p_memsz > end ? p->p_vaddr + p->p_memsz : end;
        *alignment = p->p_align > *alignment && p->p_align <= LARGEST_ALIGNMENT ? p->p_align : *alignment;
    }
    return core_round_up(end, core_page_size());
}

/* One image of a task behind the other, and the tasks' blocks, too. */
static void lay_out(struct core_image_block *b, struct core_image *images, unsigned n)
{
    b->alignment = core_page_size();
    for (unsigned i = 0; i < n; i++) {
        images[i].span = core_image_span(&images[i], &b->alignment);
        b->stride = core_round_up(b->stride, b->alignment);
        images[i].offset = b->stride;
        b->stride += images[i].span;
    }
    b->stride = core_round_up(b->stride, b->alignment);
}

/* Text and constants, where one follows the other in the file, are one mapping. */
static bool follows(const struct core_image_part *last, const struct core_image_part *part)
{
    return !last->writable && !part->writable && last->at + last->n == part->at &&
           last->offset + last->n == part->offset;
}

static void add_part(struct core_image_block *b, struct core_image *m, const struct core_image_part *part)
{
    struct core_image_part *last = m->n_parts > 0 ? &m->parts[m->n_parts - 1] : NULL;

    if (last && follows(last, part)) {
        last->n += part->n;
        last->protect |= part->protect;
        return;
    }
    m->parts[m->n_parts] = *part;
    if (part->writable) {
        m->parts[m->n_parts].offset = b->size;
        b->size += part->n;
    }
    m->n_parts++;
}

static bool is_zero(const char *page)
{
    return page[0] == 0 && memcmp(page, page + 1, core_page_size() - 1) == 0;
}

/* What functions that run while the image is loaded (IFUNC) have stored into .bss. */
static void find_stored(struct core_image_block *b, struct core_image *m, uintptr_t at, uintptr_t end, uintptr_t base)
{
    for (; at < end; at += core_page_size())
        if (!is_zero((const char *)(base + at)))
            add_part(b, m,
                     &(struct core_image_part){.at = at, .n = core_page_size(), .writable = true, .stored = true});
}

/* Pages of the segment's .bss that are looked at. */
static size_t bss_pages(const struct core_image *m, const ElfW(Phdr) * p)
{
    uintptr_t from = core_round_up(p->p_vaddr + p->p_filesz, core_page_size()),
              end = core_round_up(p->p_vaddr + p->p_memsz, core_page_size());

    return m->early_text && p->p_type == PT_LOAD && p->p_flags & PF_W ? (end - from) / core_page_size() : 0;
}

/* What is mapped for each copy of an image; `b->size` is that of the file of what is writable. */
static int find_parts(struct core_image_block *b, struct core_image *m, uintptr_t base)
{
    size_t most = m->n_segments;

    for (unsigned i = 0; i < m->n_segments; i++)
        most += bss_pages(m, &m->segments[i]);
    if (most > MOST_PARTS)
        return -ENOTSUP;
    m->parts = calloc(most, sizeof *m->parts);
    if (!m->parts)
        return -ENOMEM;
    for (unsigned i = 0; i < m->n_segments; i++) {
        const ElfW(Phdr) *p = &m->segments[i];
        struct core_image_part part = {.at = core_page_of(p->p_vaddr), .offset = core_page_of(p->p_offset)};
        uintptr_t end = core_round_up(p->p_vaddr + p->p_filesz, core_page_size());

        if (!is_mapped(m, p))
            continue;
        part.n = end - part.at;
        part.writable = p->p_flags & PF_W;
        part.protect = (p->p_flags & PF_R ? PROT_READ : 0) | (p->p_flags & PF_W ? PROT_WRITE : 0) |
                       (p->p_flags & PF_X ? PROT_EXEC : 0);
        if (part.n > 0)
            add_part(b, m, &part);
        find_stored(b, m, end, end + bss_pages(m, p) * core_page_size(), base);
    }
    return 0;
}

/* ------------------------------------------------------------- addresses -- */

struct learning {
    struct core_image_block *b;
    const struct core_image *images;
    unsigned n;
    const uintptr_t *model; /* where its images lie */
    struct core_image *m;   /* that is looked at */
};

/* The word at this address of the image, in the file. */
static uintptr_t *word_of(const struct learning *l, uintptr_t at)
{
    for (unsigned i = 0; i < l->m->n_parts; i++) {
        const struct core_image_part *p = &l->m->parts[i];

        if (p->writable && at - p->at <= p->n - sizeof(uintptr_t))
            return (uintptr_t *)(void *)(l->b->data + p->offset + (at - p->at));
    }
    return NULL;
}

/* Which of the model's images this address belongs to; -1: none, so all copies have the same. An address behind the
 * last byte counts where no other image begins. */
static int image_at(const struct learning *l, uintptr_t address)
{
    int end = -1;

    for (unsigned i = 0; i < l->n; i++) {
        if (address - l->model[i] < l->images[i].span)
            return (int)i;
        if (address - l->model[i] == l->images[i].span)
            end = (int)i;
    }
    return end;
}

/* The word at `at` is an address of image `i`: from now on, relative to the block. */
static int note_word(struct learning *l, uintptr_t at, int i)
{
    struct core_image *m = l->m;
    uintptr_t *word = word_of(l, at);

    if (!word || at > UINT32_MAX)
        return -ENOTSUP;
    if (i < 0)
        return 0;
    if ((m->n_words & (m->n_words - 1)) == 0) {
        uint32_t *more = realloc(m->words, (m->n_words ? m->n_words * 2ul : 1ul) * sizeof *more);

        if (!more)
            return -ENOMEM;
        m->words = more;
    }
    m->words[m->n_words++] = (uint32_t)at;
    *word += l->images[i].offset - l->model[i];
    return 0;
}

static int word_of_one(const ElfW(Rela) * r, core_image_note *note, void *arg)
{
    switch (ELF64_R_TYPE(r->r_info)) {
    case CORE_RELOC_NONE:
    case CORE_RELOC_TLS_MODULE:
    case CORE_RELOC_TLS_PLACE:
    case CORE_RELOC_TLS_OFFSET:
    case CORE_RELOC_TLS_CALL: /* the same in all copies */
        return 0;
    case CORE_RELOC_OWN:
        return note(arg, r->r_offset, true, 0);
    case CORE_RELOC_CHOSEN:
        return note(arg, r->r_offset, false, 0);
    case CORE_RELOC_VARIABLE:
    case CORE_RELOC_FUNCTION:
    case CORE_RELOC_WORD:
        return note(arg, r->r_offset, false, (uintptr_t)r->r_addend);
    default:
        return core_task_is_size(ELF64_R_TYPE(r->r_info)) ? 0 : -ENOTSUP;
    }
}

static int words_of_table(const struct core_image *m, ElfW(Sxword) table, ElfW(Sxword) size, core_image_note *note,
                          void *arg)
{
    const ElfW(Rela) *r = core_image_at(m, core_image_value(m, table));
    size_t n = r ? core_image_value(m, size) / sizeof *r : 0;
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++)
        rc = word_of_one(&r[i], note, arg);
    return rc;
}

/* Relative relocations in their packed form: an address, then bits for the 63 words behind it, and so on. */
static int packed_words(const struct core_image *m, core_image_note *note, void *arg)
{
    const ElfW(Xword) *r = core_image_at(m, core_image_value(m, DT_RELR));
    size_t n = r ? core_image_value(m, DT_RELRSZ) / sizeof *r : 0;
    uintptr_t at = 0;
    int rc = 0;

    for (size_t i = 0; i < n && rc == 0; i++) {
        if (!(r[i] & 1)) {
            rc = note(arg, r[i], true, 0);
            at = r[i] + sizeof(uintptr_t);
            continue;
        }
        for (unsigned bit = 0; bit < 63 && rc == 0; bit++)
            if (r[i] >> (bit + 1) & 1)
                rc = note(arg, at + bit * sizeof(uintptr_t), true, 0);
        at += 63 * sizeof(uintptr_t);
    }
    return rc;
}

int core_image_words(const struct core_image *m, core_image_note *note, void *arg)
{
    int rc = words_of_table(m, DT_RELA, DT_RELASZ, note, arg);

    if (rc == 0)
        rc = words_of_table(m, DT_JMPREL, DT_PLTRELSZ, note, arg);
    return rc != 0 ? rc : packed_words(m, note, arg);
}

static int learn_word(void *arg, uintptr_t at, bool own, uintptr_t addend)
{
    struct learning *l = arg;
    const uintptr_t *word = word_of(l, at);

    if (!word)
        return -ENOTSUP;
    return note_word(l, at, own ? (int)(l->m - l->images) : image_at(l, *word - addend));
}

static bool is_written(const unsigned char *pages, size_t i)
{
    return pages[i / 8] >> i % 8 & 1;
}

/* Pages that each copy writes at once, as they hold addresses. All others stay those of the file until the copy writes
 * to them. */
static int find_runs(struct core_image *m)
{
    const size_t page = core_page_size(), n = m->span / page;
    unsigned char *pages = calloc(n / 8 + 1, 1);

    m->runs = calloc(n / 2 + 1, sizeof *m->runs);
    if (!pages || !m->runs) {
        free(pages);
        return -ENOMEM;
    }
    for (unsigned i = 0; i < m->n_words; i++)
        pages[m->words[i] / page / 8] |= (unsigned char)(1u << m->words[i] / page % 8);
    for (size_t i = 0; i < n; i++) {
        if (!is_written(pages, i))
            continue;
        m->runs[m->n_runs].at = i * page;
        while (i < n && is_written(pages, i))
            i++;
        m->runs[m->n_runs].n = i * page - m->runs[m->n_runs].at;
        m->n_runs++;
    }
    free(pages);
    return 0;
}

static int learn_image(struct learning *l, uintptr_t base)
{
    struct core_image *m = l->m;
    int rc;

    for (unsigned i = 0; i < m->n_parts; i++)
        if (m->parts[i].writable)
            memcpy(l->b->data + m->parts[i].offset, (const void *)(base + m->parts[i].at), m->parts[i].n);
    rc = core_image_words(m, learn_word, l);
    return rc != 0 ? rc : find_runs(m);
}

/* ------------------------------------------------------------- the model -- */

static int make_file(struct core_image_block *b)
{
    b->file = memfd_create("mpt-tasks", MFD_CLOEXEC);
    if (b->file < 0 || ftruncate(b->file, (off_t)b->size) != 0)
        return -errno;
    b->data = mmap(NULL, b->size, PROT_READ | PROT_WRITE, MAP_SHARED, b->file, 0);
    if (b->data != MAP_FAILED)
        return 0;
    b->data = NULL;
    return -errno;
}

static int reserve(struct core_image_block *b, unsigned most)
{
    size_t n = b->stride * most + b->alignment;
    char *at = mmap(NULL, n, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (at == MAP_FAILED)
        return -errno;
    b->start = core_round_up((uintptr_t)at, b->alignment);
    b->most = most;
    return 0;
}

int core_image_learn(struct core_image_block *b, struct core_image *images, unsigned n, const uintptr_t *model,
                     unsigned most)
{
    struct learning l = {.b = b, .images = images, .n = n, .model = model};
    int rc = 0;

    *b = (struct core_image_block){.file = -1};
    lay_out(b, images, n);
    for (unsigned i = 0; i < n && rc == 0; i++)
        rc = find_parts(b, &images[i], model[i]);
    if (rc != 0 || (rc = make_file(b)) != 0)
        return rc;
    for (unsigned i = 0; i < n && rc == 0; i++) {
        l.m = &images[i];
        rc = learn_image(&l, model[i]);
    }
    return rc != 0 ? rc : reserve(b, most);
}

/* ---------------------------------------------------------------- a copy -- */

static int map_image(const struct core_image_block *b, const struct core_image *m, uintptr_t block)
{
    uintptr_t base = block + m->offset;

    for (unsigned i = 0; i < m->n_parts; i++) {
        const struct core_image_part *p = &m->parts[i];
        void *at = (void *)(base + p->at);

        if (p->stored)
            memcpy(at, b->data + p->offset, p->n);
        else if (mmap(at, p->n, p->protect, MAP_PRIVATE | MAP_FIXED, p->writable ? b->file : m->file,
                      (off_t)p->offset) != at)
            return -errno;
    }
    for (unsigned i = 0; i < m->n_runs; i++) /* in vain in an old kernel: then page by page, as they are written */
        (void)madvise((void *)(base + m->runs[i].at), m->runs[i].n, MADV_POPULATE_WRITE);
    for (unsigned i = 0; i < m->n_words; i++)
        *(uintptr_t *)(base + m->words[i]) += block;
    return 0;
}

int core_image_map(const struct core_image_block *b, const struct core_image *images, unsigned n, unsigned k,
                   uintptr_t *bases)
{
    uintptr_t block = b->start + b->stride * k;
    int rc = 0;

    for (unsigned i = 0; i < n && rc == 0; i++) {
        bases[i] = block + images[i].offset;
        rc = map_image(b, &images[i], block);
    }
    return rc;
}

void core_image_learned(struct core_image_block *b)
{
    if (b->data)
        munmap(b->data, b->size);
    if (b->file >= 0)
        close(b->file);
    b->data = NULL;
    b->file = -1;
}

const struct core_image *core_image_of(const struct core_image_block *b, const struct core_image *images, unsigned n,
                                       uintptr_t address, uintptr_t *base)
{
    uintptr_t in = address - b->start;

    if (in >= b->stride * b->most)
        return NULL;
    in %= b->stride;
    for (unsigned i = 0; i < n; i++)
        if (in - images[i].offset < images[i].span) {
            *base = address - in + images[i].offset;
            return &images[i];
        }
    return NULL;
}
