/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The plugins of a process, and which of them each of its PEs has open (plugin.h).
 */
#include "core/task/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "core/base/error.h"
#include "core/task/hooks.h"

static struct {
    pthread_mutex_t lock;
    struct core_plugin *list;
    unsigned n, constructed;
    bool taught; /* the unwinder */
} core_task_plugins = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* ---------------------------------------------------------------- the list -- */

void core_plugin_add(struct core_plugin *p)
{
    p->next = core_task_plugins.list;
    /* model: publish.set */
    __atomic_store_n(&core_task_plugins.list, p, __ATOMIC_RELEASE);
    core_task_plugins.n++;
}

void core_plugin_remove(struct core_plugin *p)
{
    struct core_plugin **at = &core_task_plugins.list;

    while (*at != p)
        at = &(*at)->next;
    *at = p->next;
    core_task_plugins.n--;
}

struct core_plugin *core_plugin_next(const struct core_plugin *after)
{
    /* model: publish.see */
    return after ? after->next : __atomic_load_n(&core_task_plugins.list, __ATOMIC_ACQUIRE);
}

struct core_plugin *core_plugin_of(void *handle)
{
    struct core_plugin *p = NULL;

    while ((p = core_plugin_next(p)))
        if (p->handle == handle)
            return p;
    return NULL;
}

struct core_plugin *core_plugin_at(const struct core_task *t, uintptr_t address)
{
    struct core_plugin *p = NULL;

    while ((p = core_plugin_next(p)))
        if (p->copies[t->bit].base && address - p->copies[t->bit].base < p->m.span)
            return p;
    return NULL;
}

struct core_plugin *core_plugin_model_at(uintptr_t address)
{
    struct core_plugin *p = NULL;

    while ((p = core_plugin_next(p)))
        if (p->m.first && address - p->m.first < p->m.span)
            return p;
    return NULL;
}

struct core_plugin *core_plugin_in_file(const char *path)
{
    struct core_plugin *p = NULL;
    struct stat st;

    if (stat(path, &st) != 0)
        return NULL;
    while ((p = core_plugin_next(p)))
        if (p->device == st.st_dev && p->inode == st.st_ino)
            return p;
    return NULL;
}

/* ----------------------------------------------------------------- opening -- */

static struct core_plugin *find_or_load(struct core_task *t, const char *name, int mode, const struct core_image *in,
                                        char *missing)
{
    void *loaded = core_task_real.open_library(name, RTLD_LAZY | RTLD_NOLOAD);
    struct core_plugin *p = loaded ? core_plugin_of(loaded) : NULL;
    char *found, path[PATH_MAX];

    if (loaded) {
        core_task_real.close_library(loaded);
        return p;
    }
    found = core_plugin_find(name, in);
    if (found && !core_task_shares(found) && realpath(found, path) && !(p = core_plugin_in_file(path)) &&
        !(mode & RTLD_NOLOAD)) {
        p = core_plugin_load(t->host, path, mode, missing);
        if (!core_task_plugins.taught)
            core_task_teach_unwinder();
        core_task_plugins.taught = true;
    }
    free(found);
    return p;
}

/* Copies of it, and of what it needs, that the task has not had yet: to `fresh`, in the order of their constructors. */
static int enter(struct core_task *t, struct core_plugin *p, struct core_plugin **fresh, unsigned *n)
{
    struct core_plugin_copy *c = &p->copies[t->bit];
    int rc = 0;

    if (c->opens++ > 0)
        return 0;
    rc = core_plugin_copy(t, p);
    for (unsigned i = 0; i < p->n_needs && rc == 0; i++)
        rc = enter(t, p->needs[i], fresh, n);
    fresh[(*n)++] = p;
    return rc;
}

/* The lock is held; it is given back before constructors run, which may wait. */
static int open_for(struct core_task *t, struct core_plugin *p)
{
    struct core_plugin **fresh = calloc(core_task_plugins.n, sizeof(struct core_plugin *));
    unsigned n = 0;
    int rc = fresh ? enter(t, p, fresh, &n) : -ENOMEM;

    for (unsigned i = 0; i < n && rc == 0; i++) {
        core_plugin_fill(t, fresh[i]);
        fresh[i]->copies[t->bit].order = ++core_task_plugins.constructed;
    }
    pthread_mutex_unlock(&core_task_plugins.lock);
    for (unsigned i = 0; i < n && rc == 0; i++)
        core_task_construct_image(t, &fresh[i]->m, fresh[i]->copies[t->bit].base);
    free(fresh);
    return rc;
}

/* A copy follows what the loader has left, which must be all of it. */
static bool share(const char *name, int mode, const char *missing, void **handle)
{
    *handle = core_task_real.open_library(name, mode);
    if (*handle)
        core_error("dlopen: %s (%s) can be loaded only once: all PEs of this process share it and its variables", name,
                   missing);
    return true;
}

bool core_plugin_open(struct core_task *t, const char *name, int mode, const struct core_image *in, void **handle)
{
    char missing[CORE_PLUGIN_MISSING] = "";
    struct core_plugin *p;
    int rc;

    pthread_mutex_lock(&core_task_plugins.lock);
    p = find_or_load(t, name, mode, in, missing);
    *handle = p ? p->handle : NULL;
    if (!p || (mode & RTLD_NOLOAD && p->copies[t->bit].opens == 0)) {
        *handle = NULL;
        pthread_mutex_unlock(&core_task_plugins.lock);
        return p ? true : *missing ? share(name, mode, missing, handle) : false;
    }
    p->stays |= (mode & RTLD_NODELETE) != 0;
    if (mode & RTLD_GLOBAL) /* from now on, if it was not yet */
        core_task_real.open_library(p->path, mode | RTLD_NOLOAD);
    rc = open_for(t, p);
    if (rc != 0)
        core_fatal("dlopen: no memory for the copy of %s of PE %u", p->m.path, t->pe);
    return true;
}

/* ----------------------------------------------------------------- closing -- */

static void leave(struct core_task *t, struct core_plugin *p)
{
    struct core_plugin_copy *c = &p->copies[t->bit];

    if (c->opens != 1) {
        c->opens -= c->opens > 0;
        return;
    }
    core_task_destruct_image(t, &p->m, c->base);
    c->opens = 0;
    core_plugin_drop(t, p);
    for (unsigned i = 0; i < p->n_needs; i++)
        leave(t, p->needs[i]);
}

bool core_plugin_close(struct core_task *t, void *handle, int *rc)
{
    struct core_plugin *p = core_plugin_of(handle);

    if (!p)
        return false;
    *rc = p->copies[t->bit].opens > 0 ? 0 : -1;
    if (p->copies[t->bit].opens > 1 || !p->stays)
        leave(t, p);
    return true;
}

void core_plugins_end(struct core_task *t)
{
    for (;;) {
        struct core_plugin *last = NULL, *p = NULL;

        while ((p = core_plugin_next(p)))
            if (p->copies[t->bit].opens > 0 && (!last || p->copies[t->bit].order > last->copies[t->bit].order))
                last = p;
        if (!last)
            return;
        core_task_destruct_image(t, &last->m, last->copies[t->bit].base);
        last->copies[t->bit].opens = 0;
    }
}
