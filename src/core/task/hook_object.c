/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the loader knows of objects, as a task sees it: its own copies in the place of the first instances, by their
 * files' names. Of copies that the loader has not made it knows nothing. It is asked about the same place in the first
 * instance, and addresses in its answer move to the copy.
 */
#include <dlfcn.h>
#include <string.h>
#include <sys/mman.h>

#include "core/task/hooks.h"
#include "core/task/host.h"

/* The copy without the loader that has this address. */
struct place {
    const struct core_image *image;
    uintptr_t base, first; /* of the copy, and the same address in the first instance */
};

static bool find_place(uintptr_t address, struct place *p)
{
    const struct core_task_host *h = &core_task_process;

    p->image = core_image_of(&h->block, h->images, h->n_images, address, &p->base);
    if (p->image)
        p->first = address - p->base + p->image->first;
    return p->image != NULL;
}

/* ------------------------------------------------------------------ lists -- */

struct view {
    int (*call)(struct dl_phdr_info *info, size_t size, void *arg);
    void *arg;
};

static bool is_copy(const char *name)
{
    return strncmp(name, CORE_IMAGE_FOLDER "/", sizeof CORE_IMAGE_FOLDER) == 0;
}

static int show_shared(struct dl_phdr_info *info, size_t size, void *arg)
{
    const struct core_task_host *h = &core_task_process;
    const struct view *v = arg;

    if (is_copy(info->dlpi_name))
        return 0;
    for (unsigned i = 0; i < h->n_images; i++)
        if (info->dlpi_addr == h->images[i].first)
            return 0;
    return v->call(info, size, v->arg);
}

static int show_own(const struct core_task *t, const struct view *v)
{
    int rc = 0;

    for (unsigned i = 0; i < t->host->n_images && rc == 0; i++) {
        const struct core_image *m = &t->host->images[i];
        uintptr_t base = t->bases ? t->bases[i] : m->first;
        const ElfW(Ehdr) *h = (const void *)base;
        struct dl_phdr_info info = {.dlpi_addr = base,
                                    .dlpi_name = m->soname ? m->path : "",
                                    .dlpi_phdr = (const void *)(base + h->e_phoff),
                                    .dlpi_phnum = h->e_phnum};

        rc = v->call(&info, sizeof info, v->arg);
    }
    return rc;
}

static int iterate(int (*call)(struct dl_phdr_info *info, size_t size, void *arg), void *arg)
{
    const struct core_task *t = core_task_here();
    struct view v = {call, arg};
    int rc;

    if (!t)
        return core_task_real.iterate(call, arg);
    rc = show_own(t, &v);
    return rc != 0 ? rc : core_task_real.iterate(show_shared, &v);
}

/* ---------------------------------------------------------------- addresses -- */

static int find_address(const void *address, Dl_info *info)
{
    const struct core_task *t = core_task_here();
    struct place p;
    int found;

    if (find_place((uintptr_t)address, &p)) {
        found = core_task_real.find_address((const void *)p.first, info);
        if (found) {
            info->dli_fname = p.image->path;
            info->dli_fbase = (void *)p.base;
            if (info->dli_saddr)
                info->dli_saddr = (void *)((uintptr_t)info->dli_saddr - p.image->first + p.base);
        }
        return found;
    }
    found = core_task_real.find_address(address, info);
    for (unsigned i = 0; found && t && t->bases && i < t->host->n_images; i++)
        if ((uintptr_t)info->dli_fbase == t->bases[i])
            info->dli_fname = t->host->images[i].path;
    return found;
}

/* What the unwinder asks, for C++ exceptions, pthread_cancel and backtraces. */
static int find_object(void *address, struct dl_find_object *found)
{
#ifdef DLFO_STRUCT_HAS_EH_DBASE
    struct place p;
    int rc;

    if (!find_place((uintptr_t)address, &p))
        return core_task_real.find_object(address, found);
    rc = core_task_real.find_object((void *)p.first, found);
    if (rc == 0) {
        found->dlfo_map_start = (char *)found->dlfo_map_start - p.image->first + p.base;
        found->dlfo_map_end = (char *)found->dlfo_map_end - p.image->first + p.base;
        found->dlfo_eh_frame = (char *)found->dlfo_eh_frame - p.image->first + p.base;
    }
    return rc;
#else
    return core_task_real.find_object(address, found);
#endif
}

/* ------------------------------------------------------------------ symbols -- */

static void *open_library(const char *name, int mode)
{
    if (!name && core_task_here() && core_task_here()->program)
        return core_task_here()->program;
    return core_task_real.open_library(name, mode);
}

static int close_library(void *library)
{
    if (core_task_here() && library && library == core_task_here()->program)
        return 0;
    return core_task_real.close_library(library);
}

/* In what was loaded after the image; as RTLD_NEXT of the loader, which does not know the caller. */
static void *find_next(const struct core_image *m, const char *name)
{
    const struct link_map *l = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);
    void *found = NULL;

    while (l && (l->l_addr != m->first || is_copy(l->l_name)))
        l = l->l_next;
    for (l = l ? l->l_next : NULL; l && !found; l = l->l_next) {
        void *library =
            *l->l_name && !is_copy(l->l_name) ? core_task_real.open_library(l->l_name, RTLD_LAZY | RTLD_NOLOAD) : NULL;

        if (!library)
            continue;
        found = core_task_real.find_symbol(library, name);
        core_task_real.close_library(library);
    }
    return found;
}

/* Only in copies without the loader. */
static void *find_symbol(void *library, const char *name)
{
    const struct core_task_host *h = &core_task_process;
    struct place p;
    void *found;

    if (!find_place((uintptr_t)__builtin_return_address(0), &p))
        return core_task_real.find_symbol(library, name);
    found = library == RTLD_NEXT ? find_next(p.image, name) : core_task_real.find_symbol(library, name);
    for (unsigned i = 0; i < h->n_images; i++)
        if ((uintptr_t)found - h->images[i].first < h->images[i].span)
            return (void *)((uintptr_t)found - h->images[i].first + p.base - p.image->offset + h->images[i].offset);
    return found;
}

/* --------------------------------------------------------------- the unwinder -- */

static void replace(uintptr_t at, uintptr_t value)
{
    uintptr_t page = at & ~4095ul;

    if (mprotect((void *)page, 4096, PROT_READ | PROT_WRITE) == 0)
        *(uintptr_t *)at = value;
}

/* Most loaders have added the base already. */
static const void *in_object(const struct link_map *l, const ElfW(Dyn) * d)
{
    return (const void *)(d->d_un.d_ptr < l->l_addr ? d->d_un.d_ptr + l->l_addr : d->d_un.d_ptr);
}

/* The slots of an object that is loaded, for calls of a function. */
static void replace_calls(const struct link_map *l, const char *name, uintptr_t value)
{
    const char *strings = NULL;
    const ElfW(Sym) *symbols = NULL;
    const ElfW(Rela) *calls = NULL;
    size_t n = 0;

    for (const ElfW(Dyn) *d = l->l_ld; d->d_tag != DT_NULL; d++)
        switch (d->d_tag) {
        case DT_STRTAB:
            strings = in_object(l, d);
            break;
        case DT_SYMTAB:
            symbols = in_object(l, d);
            break;
        case DT_JMPREL:
            calls = in_object(l, d);
            break;
        case DT_PLTRELSZ:
            n = d->d_un.d_val / sizeof *calls;
            break;
        default:
            break;
        }
    for (size_t i = 0; strings && symbols && calls && i < n; i++)
        if (strcmp(strings + symbols[ELF64_R_SYM(calls[i].r_info)].st_name, name) == 0)
            replace(l->l_addr + calls[i].r_offset, value);
}

void core_task_teach_unwinder(void)
{
    /* The C library loads it when a thread is cancelled, which is too late. */
    const struct link_map *l = core_task_real.open_library("libgcc_s.so.1", RTLD_NOW);

    if (!l)
        return;
    replace_calls(l, "_dl_find_object", (uintptr_t)find_object);
    replace_calls(l, "dl_iterate_phdr", (uintptr_t)iterate);
}

/* ------------------------------------------------------------------ the table -- */

const struct core_task_hook core_task_hooks_object[] = {
    HOOK("dl_iterate_phdr", iterate, iterate),
    HOOK("dladdr", find_address, find_address),
    HOOK("_dl_find_object", find_object, find_object),
    HOOK("dlopen", open_library, open_library),
    HOOK("dlclose", close_library, close_library),
    HOOK("dlsym", find_symbol, find_symbol),
    {0},
};
