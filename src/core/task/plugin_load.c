/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The model of a plugin: its file and those of the libraries that it needs, patched so that the loader runs nothing in
 * them, and what it has left in them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/task/hooks.h"
#include "core/task/plugin.h"

enum { MOST = 256, SERIALS = 60000 };

struct group { /* what is loaded together */
    struct core_task_host *h;
    struct core_plugin *all[MOST];
    int files[MOST];
    unsigned n;
};

static unsigned core_task_models; /* made so far, for unique paths */

static bool add_need(struct core_plugin *p, struct core_plugin *needed)
{
    struct core_plugin **more;

    for (unsigned i = 0; i < p->n_needs; i++)
        if (p->needs[i] == needed)
            return true;
    if (p == needed)
        return true;
    more = realloc(p->needs, (p->n_needs + 1) * sizeof(struct core_plugin *));
    if (!more)
        return false;
    p->needs = more;
    p->needs[p->n_needs++] = needed;
    return true;
}

/* --------------------------------------------------------- what is needed -- */

static struct core_plugin *gather(struct group *g, const char *path);

static bool need(struct group *g, struct core_plugin *p, const char *name)
{
    void *loaded = core_task_real.open_library(name, RTLD_LAZY | RTLD_NOLOAD);
    struct core_plugin *needed = loaded ? core_plugin_of(loaded) : NULL;
    char *path;
    bool well;

    if (loaded) {
        core_task_real.close_library(loaded);
        return !needed || add_need(p, needed);
    }
    path = core_plugin_find(name, &p->m);
    if (!path)
        return false;
    well = core_task_shares(path) || ((needed = gather(g, path)) && add_need(p, needed));
    free(path);
    return well;
}

static struct core_plugin *make(const struct core_task_host *h, const char *path)
{
    struct core_plugin *p = calloc(1, sizeof *p + h->n * sizeof p->copies[0]);
    const struct link_map nowhere = {0};
    const char *why;
    size_t alignment = 0;
    struct stat st;

    if (!p)
        return NULL;
    if (core_image_open(&p->m, &nowhere, path, false, &why) != 0 || fstat(p->m.file, &st) != 0) {
        core_image_close(&p->m);
        free(p);
        return NULL;
    }
    p->device = st.st_dev;
    p->inode = st.st_ino;
    p->m.early_text = true; /* all of it is in the model's file: there may be functions that run while it is loaded */
    p->m.span = core_image_span(&p->m, &alignment);
    return p;
}

/* NULL: something is missing, or cannot be copied. */
static struct core_plugin *gather(struct group *g, const char *path)
{
    struct core_plugin *p = core_plugin_in_file(path);

    if (p || g->n == MOST || !(p = make(g->h, path)))
        return p;
    core_plugin_add(p);
    g->files[g->n] = -1;
    g->all[g->n++] = p;
    for (const ElfW(Dyn) *d = p->m.dynamic; d->d_tag != DT_NULL; d++)
        if (d->d_tag == DT_NEEDED && !need(g, p, p->m.strings + d->d_un.d_val))
            return NULL;
    return p;
}

/* ----------------------------------------------------------------- loading -- */

static bool patch(struct group *g)
{
    struct core_image *images[MOST];
    const char *why;
    unsigned n = 0;

    for (struct core_plugin *p = NULL; (p = core_plugin_next(p)) && n < MOST;)
        images[n++] = &p->m;
    for (unsigned i = 0; i < g->n; i++)
        if (core_image_patch_model(&g->all[i]->m, images, n, core_task_hook_named, &why) != 0)
            return false;
    return true;
}

/* Each after those that it needs, whose paths it names. */
static bool make_file(struct group *g, struct core_plugin *p)
{
    char paths[p->m.n_needs + 1][CORE_IMAGE_PATH];
    unsigned i = 0;

    if (*p->path)
        return true;
    for (unsigned k = 0; k < p->m.n_needs; k++) {
        struct core_plugin *needed = (struct core_plugin *)(void *)p->m.needs[k];

        if (!make_file(g, needed))
            return false;
        memcpy(paths[k], needed->path, CORE_IMAGE_PATH);
    }
    while (i < g->n && g->all[i] != p)
        i++;
    if (i == g->n)
        return false;
    g->files[i] = core_image_make(&p->m, CORE_TASKS_MOST + core_task_models++ % SERIALS,
                                  (const char (*)[CORE_IMAGE_PATH])paths, p->path);
    return g->files[i] >= 0;
}

static bool find_model(struct group *g, unsigned i)
{
    struct core_plugin *p = g->all[i];
    const struct link_map *l;

    p->handle = core_task_real.open_library(p->path, RTLD_LAZY | RTLD_NOLOAD);
    l = p->handle;
    if (!l)
        return false;
    p->m.first = l->l_addr;
    return core_image_settle(&p->m, p->m.first, g->files[i]) == 0;
}

/* "file: undefined symbol: name" without the file, which is the model's. */
static void note_missing(char *missing)
{
    const char *said = core_task_real.tell_error(), *from = said ? strstr(said, "undefined symbol") : NULL;

    if (from)
        snprintf(missing, CORE_PLUGIN_MISSING, "%s", from);
}

static bool load(struct group *g, int mode, char *missing)
{
    void *handle;
    bool well;

    for (unsigned i = 0; i < g->n; i++)
        if (!make_file(g, g->all[i]))
            return false;
    handle =
        core_task_real.open_library(g->all[0]->path, RTLD_NOW | (mode & (RTLD_GLOBAL | RTLD_DEEPBIND | RTLD_NODELETE)));
    well = handle != NULL;
    if (!well && !(mode & RTLD_NOW))
        note_missing(missing);
    for (unsigned i = 0; well && i < g->n; i++)
        well = find_model(g, i);
    if (handle)
        core_task_real.close_library(handle); /* each has been opened once more */
    return well;
}

/* ---------------------------------------------------------------- learning -- */

static bool lies_in(const struct core_image *m, uintptr_t address)
{
    return address - m->first <= m->span;
}

static const struct core_image *image_at(const struct core_task_host *h, uintptr_t address)
{
    const struct core_plugin *p = core_plugin_model_at(address);

    if (p)
        return &p->m;
    for (unsigned i = 0; i < h->n_images; i++)
        if (lies_in(&h->images[i], address))
            return &h->images[i];
    return NULL;
}

struct learning {
    const struct core_task_host *h;
    struct core_plugin *p;
};

static int note_word(void *arg, uintptr_t at, bool own, uintptr_t addend)
{
    struct learning *l = arg;
    struct core_plugin *p = l->p;
    uintptr_t value = *(const uintptr_t *)(p->m.first + at);
    const struct core_image *in = own ? &p->m : image_at(l->h, value - addend);
    bool program = in >= l->h->images && in < l->h->images + l->h->n_images;

    if (!in)
        return 0;
    if (!program && !add_need(p, (struct core_plugin *)(uintptr_t)in))
        return -ENOMEM;
    if ((p->n_words & (p->n_words - 1)) == 0) {
        struct core_plugin_word *more = realloc(p->words, (p->n_words ? p->n_words * 2ul : 1ul) * sizeof *more);

        if (!more)
            return -ENOMEM;
        p->words = more;
    }
    p->words[p->n_words++] = (struct core_plugin_word){at, in};
    return 0;
}

static bool learn(const struct core_task_host *h, struct core_plugin *p)
{
    struct learning l = {h, p};

    p->fresh = calloc(p->m.n_segments, sizeof(char *));
    if (!p->fresh)
        return false;
    for (unsigned i = 0; i < p->m.n_segments; i++) {
        const ElfW(Phdr) *s = &p->m.segments[i];

        if (s->p_type != PT_LOAD || !(s->p_flags & PF_W) || s->p_filesz == 0)
            continue;
        if (!(p->fresh[i] = malloc(s->p_filesz)))
            return false;
        memcpy(p->fresh[i], (const void *)(p->m.first + s->p_vaddr), s->p_filesz);
    }
    return core_image_value(&p->m, DT_TEXTREL) == 0 && core_image_words(&p->m, note_word, &l) == 0;
}

static void forget(struct group *g)
{
    for (unsigned i = 0; i < g->n; i++) {
        struct core_plugin *p = g->all[i];

        core_plugin_remove(p);
        if (p->handle)
            core_task_real.close_library(p->handle);
        for (unsigned k = 0; p->fresh && k < p->m.n_segments; k++)
            free(p->fresh[k]);
        free(p->fresh);
        free(p->words);
        free(p->needs);
        core_image_close(&p->m);
        free(p);
    }
}

struct core_plugin *core_plugin_load(struct core_task_host *h, const char *path, int mode, char *missing)
{
    struct group g = {.h = h};
    struct core_plugin *p = gather(&g, path);
    bool well = p && patch(&g) && load(&g, mode, missing);
    size_t alignment = 0;

    for (unsigned i = 0; i < h->n_images; i++)
        h->images[i].span = core_image_span(&h->images[i], &alignment);
    for (unsigned i = 0; i < g.n; i++) {
        well = well && learn(h, g.all[i]);
        if (g.files[i] >= 0)
            close(g.files[i]);
    }
    if (well)
        return p;
    if (p && core_image_value(&p->m, DT_TEXTREL))
        core_error("dlopen: %s was not compiled with -fPIC: all PEs of this process share it and its variables", path);
    forget(&g);
    return NULL;
}
