/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Handlers in messages. PEs have their programs and libraries at different addresses,
 * so a handler travels as a tag of its module, the upper 24 bits, and its offset in
 * there. The tag is made from the module's build id (its name where it has none), so a
 * PE that runs another program finds that out. Tag 0: a number in am_register's table.
 */
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdio.h>

#include "am/ami.h"
#include "core/base/hash.h"

static uint64_t as_tag(uint64_t h)
{
    uint64_t tag = (h ^ h >> 24 ^ h >> 48) & 0xffffff;

    return (tag ? tag : 1) << AMI_OFFSET_BITS;
}

static uint64_t hash_of_notes(const char *at, size_t n)
{
    const char *end = at + n;

    while (at + sizeof(ElfW(Nhdr)) <= end) {
        const ElfW(Nhdr) *note = (const void *)at;
        const char *name = at + sizeof *note, *body = name + ((note->n_namesz + 3) & ~3u);

        if (note->n_type == NT_GNU_BUILD_ID && note->n_namesz == 4 && memcmp(name, "GNU", 4) == 0)
            return core_hash(1, body, note->n_descsz);
        at = body + ((note->n_descsz + 3) & ~3u);
    }
    return 0;
}

static uint64_t tag_of(const struct dl_phdr_info *info)
{
    const char *name = info->dlpi_name[0] ? info->dlpi_name : program_invocation_short_name,
               *slash = strrchr(name, '/');
    uint64_t h = 0;

    for (int i = 0; i < info->dlpi_phnum && !h; i++)
        if (info->dlpi_phdr[i].p_type == PT_NOTE)
            h = hash_of_notes((const char *)(info->dlpi_addr + info->dlpi_phdr[i].p_vaddr), info->dlpi_phdr[i].p_memsz);
    if (!h) {
        name = slash ? slash + 1 : name;
        h = core_hash_text(2, name);
    }
    return as_tag(h);
}

static int add(struct dl_phdr_info *info, size_t size, void *arg)
{
    struct ami_module m = {.lo = UINTPTR_MAX, .base = info->dlpi_addr};
    uintptr_t hi = 0;

    (void)size, (void)arg;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *p = &info->dlpi_phdr[i];
        uintptr_t at = info->dlpi_addr + p->p_vaddr;

        if (p->p_type != PT_LOAD || !(p->p_flags & PF_X))
            continue;
        m.lo = at < m.lo ? at : m.lo;
        hi = at + p->p_memsz > hi ? at + p->p_memsz : hi;
    }
    if (hi > m.lo && ami.modules.n < AMI_MODULES) {
        m.n = hi - m.lo;
        m.tag = tag_of(info);
        ami.modules.list[ami.modules.n++] = m;
    }
    return 0;
}

static void look_round(void)
{
    ami.modules.n = 0;
    dl_iterate_phdr(add, NULL);
}

void ami_module_start(void)
{
    look_round();
    ami.program = ami.modules.list[0];
}

static const struct ami_module *find(uintptr_t a)
{
    for (unsigned i = 0; i < ami.modules.n; i++)
        if (a - ami.modules.list[i].lo < ami.modules.list[i].n)
            return &ami.modules.list[i];
    return NULL;
}

uint64_t ami_handler_out_slow(am_handler h)
{
    uintptr_t a = (uintptr_t)h;
    const struct ami_module *m;

    if (a < AM_TABLE_SIZE)
        return a;
    if (!(m = find(a))) {
        look_round(); /* loaded since */
        m = find(a);
    }
    if (!m)
        core_fatal("am: handler %p is no function of this program or its libraries", (void *)a);
    return m->tag | (a - m->base);
}

am_handler ami_handler_in_slow(uint64_t wire)
{
    if (wire < AM_TABLE_SIZE)
        return ami.table[wire];
    for (int again = 0; again < 2; again++) {
        for (unsigned i = 0; i < ami.modules.n; i++) {
            uintptr_t a = (wire & AMI_OFFSET_MASK) + ami.modules.list[i].base;

            if (ami.modules.list[i].tag == (wire & ~AMI_OFFSET_MASK) &&
                a - ami.modules.list[i].lo < ami.modules.list[i].n)
                return (am_handler)a;
        }
        look_round();
    }
    return NULL;
}

am_handler ami_handler_here(am_handler h)
{
    return (uintptr_t)h < AM_TABLE_SIZE ? ami.table[(uintptr_t)h] : h;
}

void ami_handler_name(am_handler h, char *text, size_t n)
{
    uintptr_t a = (uintptr_t)h;
    const struct ami_module *m = find(a);
    Dl_info info;

    if (a < AM_TABLE_SIZE) {
        snprintf(text, n, "number %u", (unsigned)a);
        return;
    }
    if (!m || !dladdr((void *)a, &info) || !info.dli_fname) {
        snprintf(text, n, "%p", (void *)a);
        return;
    }
    if (info.dli_sname && info.dli_saddr == (void *)a)
        snprintf(text, n, "%s", info.dli_sname);
    else if (!ami_symbol(m == ami.modules.list ? "/proc/self/exe" : info.dli_fname, a - m->base, text, n))
        snprintf(text, n, "%s+0x%lx", strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname,
                 (unsigned long)(a - m->base));
}

int am_register(int index, am_handler handler)
{
    if (index < 1 || index >= AM_TABLE_SIZE)
        return ami_bad("am_register", "index", index, "1 to AM_TABLE_SIZE - 1");
    ami.table[index] = handler;
    return 0;
}

int am_table(const am_handler *handlers, int n)
{
    if (n < 0 || n > AM_TABLE_SIZE)
        return ami_bad("am_table", "n", n, "0 to AM_TABLE_SIZE");
    for (int i = 1; i < n; i++)
        ami.table[i] = handlers[i];
    return 0;
}
