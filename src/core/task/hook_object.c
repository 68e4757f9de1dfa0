/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the loader knows of objects, as a task sees it: its own copies in the place of the first instances, by their
 * files' names. Of copies that the loader has not made it knows nothing. It is asked about the same place in the first
 * instance, and addresses in its answer move to the copy.
 */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/page.h"
#include "core/task/hooks.h"
#include "core/task/own.h"
#include "core/task/plugin.h"

/* The copy that has this address, of which the loader knows nothing; or a plugin's, which it knows by another name. */
struct place {
    const struct core_image *image;
    uintptr_t base, first; /* of the copy, and the same address in the first instance */
};

static bool find_place(uintptr_t address, struct place *p)
{
    const struct core_task_host *h = &core_task_process;
    const struct core_task *t = core_task_here();
    const struct core_plugin *plugin;

    p->image = core_image_of(&h->block, h->images, h->n_images, address, &p->base);
    if (!p->image && t && (plugin = core_plugin_at(t, address))) {
        p->image = &plugin->m;
        p->base = plugin->copies[t->bit].base;
    }
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

static int show_one(const struct core_image *m, uintptr_t base, const struct view *v)
{
    const ElfW(Ehdr) *h = (const void *)base;
    struct dl_phdr_info info = {.dlpi_addr = base,
                                .dlpi_name = m->soname ? m->path : "",
                                .dlpi_phdr = (const void *)(base + h->e_phoff),
                                .dlpi_phnum = h->e_phnum};

    return v->call(&info, sizeof info, v->arg);
}

static int show_own(const struct core_task *t, const struct view *v)
{
    const struct core_plugin *p = NULL;
    int rc = 0;

    for (unsigned i = 0; i < t->host->n_images && rc == 0; i++)
        rc = show_one(&t->host->images[i], t->bases ? t->bases[i] : t->host->images[i].first, v);
    while (rc == 0 && (p = core_plugin_next(p)))
        if (p->copies[t->bit].base)
            rc = show_one(&p->m, p->copies[t->bit].base, v);
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

/* The image of the PE that has this address, and so calls; NULL: none. */
static const struct core_image *image_of(const struct core_task *t, uintptr_t address)
{
    struct place p;

    if (find_place(address, &p))
        return p.image;
    for (unsigned i = 0; i < t->host->n_images; i++) {
        const struct core_image *m = &t->host->images[i];

        if (address - (t->bases ? t->bases[i] : m->first) - m->text < m->text_n)
            return m;
    }
    return NULL;
}

/* In the first instance, where the strings that copies have are not: something else may lie there. */
static bool has_address(const struct core_image *m, uintptr_t address)
{
    for (unsigned i = 0; i < m->n_segments; i++) {
        const ElfW(Phdr) *s = &m->segments[i];

        if (s->p_type == PT_LOAD && s->p_vaddr != m->strings_address && address - m->first - s->p_vaddr < s->p_memsz)
            return true;
    }
    return false;
}

/* The loader's answer is an address in a first instance, or in a model: the task's in their place. */
static void *in_own(const struct core_task *t, void *found)
{
    const struct core_plugin *p = core_plugin_model_at((uintptr_t)found);

    if (p)
        return p->copies[t->bit].base ? (char *)found - p->m.first + p->copies[t->bit].base : found;
    for (unsigned i = 0; t->bases && i < t->host->n_images; i++)
        if (has_address(&t->host->images[i], (uintptr_t)found))
            return (char *)found - t->host->images[i].first + t->bases[i];
    return found;
}

/* What this library loads for its own use serves all tasks. */
static bool is_this_library(const struct core_image *m)
{
    return m && m->soname && strncmp(m->soname, "libmpt.", 7) == 0;
}

static void *open_library(const char *name, int mode)
{
    struct core_task *t = core_task_here();
    const struct core_image *caller = t ? image_of(t, (uintptr_t)__builtin_return_address(0)) : NULL;
    void *handle;

    if (t && !name && t->program)
        return t->program;
    if (t && name && *name && !is_this_library(caller) && core_plugin_open(t, name, mode, caller, &handle))
        return handle;
    return core_task_real.open_library(name, mode);
}

static int close_library(void *library)
{
    struct core_task *t = core_task_here();
    int rc;

    if (t && library && library == t->program)
        return 0;
    return t && core_plugin_close(t, library, &rc) ? rc : core_task_real.close_library(library);
}

/* In what was loaded after the image; as RTLD_NEXT of the loader, which does not know the caller. */
static void *find_next(const struct core_image *m, const char *name)
{
    const struct link_map *l = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);
    void *found = NULL;

    while (l && l->l_addr != m->first)
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

/* The loader looks in the program and what it was linked with, then in what was loaded with the caller. */
static void *find_default(const struct core_image *m, const char *name)
{
    const struct core_plugin *p = NULL;
    void *found = core_task_real.find_symbol(RTLD_DEFAULT, name);

    while (!found && (p = core_plugin_next(p)))
        if (&p->m == m)
            found = core_task_real.find_symbol(p->handle, name);
    return found;
}

static void *find_symbol(void *library, const char *name)
{
    const struct core_task *t = core_task_here();
    const struct core_image *caller = t ? image_of(t, (uintptr_t)__builtin_return_address(0)) : NULL;

    if (!t)
        return core_task_real.find_symbol(library, name);
    if (library == RTLD_NEXT && caller)
        return in_own(t, find_next(caller, name));
    if (library == RTLD_DEFAULT)
        return in_own(t, find_default(caller, name));
    return in_own(t, core_task_real.find_symbol(library, name));
}

static void *find_version(void *library, const char *name, const char *version)
{
    const struct core_task *t = core_task_here();
    void *found = core_task_real.find_version(library, name, version);

    return t ? in_own(t, found) : found;
}

/* The loader names a model by its path; the file's in its place. */
static char *tell_error(void)
{
    struct core_task *t = core_task_here();
    char *text = core_task_real.tell_error();
    const struct core_plugin *p = NULL;

    if (!t || !text || !is_copy(text))
        return text;
    while ((p = core_plugin_next(p))) {
        size_t n = strlen(p->path);
        char *told;

        if (n == 0 || strncmp(text, p->path, n) != 0 || asprintf(&told, "%s%s", p->m.path, text + n) < 0)
            continue;
        free(t->own->loader_error);
        return t->own->loader_error = told;
    }
    return text;
}

/* --------------------------------------------------------------- the unwinder -- */

static void replace(uintptr_t at, uintptr_t value)
{
    uintptr_t page = core_page_of(at);

    if (mprotect((void *)page, core_page_size(), PROT_READ | PROT_WRITE) == 0)
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
    HOOK("dlerror", tell_error, tell_error),
    HOOK("dlvsym", find_version, find_version),
    {0},
};
