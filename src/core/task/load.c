/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which objects of the process every task has copies of, and loading them.
 */
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/page.h"
#include "core/core.h"
#include "core/task/hooks.h"
#include "core/task/host.h"
#include "core/task/machine.h"

/* One for all tasks: they have no state, or a thread's, or it is the process's. */
static const char *const shared[] = {
    "ld-linux",     "libc.so",    "libm.so", "libmvec.so",  "libpthread.so", "libdl.so",   "librt.so",
    "libresolv.so", "libutil.so", "libnss_", "libgcc_s.so", "linux-vdso",    "libnuma.so", "libquadmath.so",
};

bool core_task_shares(const char *path)
{
    const char *name = strrchr(path, '/');

    name = name ? name + 1 : path;
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (strncmp(name, shared[i], strlen(shared[i])) == 0)
            return true;
    return false;
}

static int open_image(struct core_task_host *h, const struct link_map *l, bool program)
{
    const char *path = program ? realpath("/proc/self/exe", NULL) : l->l_name, *why = "";

    if (path && core_image_open(&h->images[h->n_images], l, path, program, &why) == 0) {
        h->n_images++;
        return 0;
    }
    core_error("--tasks: %s cannot be copied: %s", path ? path : "the program", why);
    return -1;
}

/* Needed before whoever needs it. */
static void put_in_order(struct core_task_host *h, struct core_image *m, unsigned *n)
{
    if (m->visited)
        return;
    m->visited = true;
    for (unsigned i = 0; i < m->n_needs; i++)
        put_in_order(h, m->needs[i], n);
    h->order[(*n)++] = m;
}

static const struct link_map *after(const struct core_task_host *h, const struct link_map *l)
{
    return l == h->last ? NULL : l->l_next;
}

/* A library that a copy of the program would not bring with it. */
static int say_stranger(const struct core_task_host *h)
{
    for (unsigned i = 0; i < h->n_images; i++)
        if (!h->images[i].visited) {
            core_error(
                "--tasks: the program is not linked with %s (LD_PRELOAD, or loaded while it runs, as by Python): "
                "run it without --tasks",
                h->images[i].path);
            break;
        }
    return -1;
}

int core_task_images(struct core_task_host *h)
{
    struct link_map *first = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);
    struct core_image **all;
    unsigned n = 0;

    for (const struct link_map *l = first; l; l = after(h, l))
        n++;
    h->images = calloc(n, sizeof *h->images);
    h->order = calloc(n, sizeof(struct core_image *));
    all = calloc(n, sizeof(struct core_image *));
    if (!h->images || !h->order || !all)
        core_fatal("--tasks: out of memory");
    for (const struct link_map *l = first; l; l = after(h, l))
        if ((l == first || (*l->l_name && !core_task_shares(l->l_name))) && open_image(h, l, l == first) != 0)
            return -1;
    for (unsigned i = 0; i < h->n_images; i++)
        all[i] = &h->images[i];
    for (unsigned i = 0; i < h->n_images; i++) {
        const char *why = "";

        if (core_image_patch(all[i], all, h->n_images, core_task_hook_named, &why) != 0) {
            core_error("--tasks: %s cannot be copied: %s", all[i]->path, why);
            return -1;
        }
    }
    n = 0;
    put_in_order(h, all[0], &n);
    free(all);
    return n == h->n_images ? 0 : say_stranger(h);
}

struct copy {
    int fd;
    char path[CORE_IMAGE_PATH];
};

static unsigned index_of(const struct core_task_host *h, const struct core_image *m)
{
    return (unsigned)(m - h->images);
}

/* Files of all images, each after those that it needs. */
static int make_files(const struct core_task *t, struct copy *copies)
{
    const struct core_task_host *h = t->host;

    for (unsigned i = 0; i < h->n_images; i++) {
        const struct core_image *m = h->order[i];
        struct copy *c = &copies[index_of(h, m)];
        char paths[m->n_needs + 1][CORE_IMAGE_PATH];

        for (unsigned k = 0; k < m->n_needs; k++)
            memcpy(paths[k], copies[index_of(h, m->needs[k])].path, CORE_IMAGE_PATH);
        c->fd = core_image_make(m, t->bit, (const char (*)[CORE_IMAGE_PATH])paths, c->path);
        if (c->fd < 0) {
            core_error("--tasks: no copy of %s for PE %u: %s", m->path, t->pe, strerror(-c->fd));
            return -1;
        }
    }
    return 0;
}

static int find_base(struct core_task *t, const struct copy *c, unsigned i, const struct link_map *from)
{
    for (const struct link_map *l = from; l; l = l->l_next)
        if (strcmp(l->l_name, c->path) == 0) {
            t->bases[i] = l->l_addr;
            return 0;
        }
    core_error("--tasks: the copy of %s for PE %u was not loaded", t->host->images[i].path, t->pe);
    return -1;
}

static void hook_copy(struct core_task *t, unsigned i)
{
    const struct core_image *m = &t->host->images[i];

    for (unsigned k = 0; k < m->n_slots; k++)
        *(uintptr_t *)(t->bases[i] + m->slots[k].at) = core_task_hook(t, m->slots[k].what);
}

/* By the loader. */
static int load(struct core_task *t, struct copy *copies)
{
    struct core_task_host *h = t->host;
    struct link_map *program;

    if (make_files(t, copies) != 0)
        return -1;
    program = core_task_real.open_library(copies[0].path, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    if (!program) {
        core_error("--tasks: the program cannot be copied for PE %u: %s", t->pe, dlerror());
        return -1;
    }
    t->program = program;
    for (unsigned i = 0; i < h->n_images; i++) {
        if (find_base(t, &copies[i], i, program) != 0)
            return -1;
        if (core_image_settle(&h->images[i], t->bases[i], copies[i].fd) != 0) {
            core_error("--tasks: cannot map %s for PE %u: %s", h->images[i].path, t->pe, strerror(errno));
            return -1;
        }
    }
    return 0;
}

static int load_files(struct core_task *t)
{
    struct core_task_host *h = t->host;
    struct copy copies[h->n_images];
    int rc;

    for (unsigned i = 0; i < h->n_images; i++)
        copies[i].fd = -1;
    rc = load(t, copies);
    for (unsigned i = 0; i < h->n_images; i++)
        if (copies[i].fd >= 0)
            close(copies[i].fd);
    return rc;
}

static void look_at_processor(void)
{
    core_task_look_at_processor();
}

/* The copy learns now what it would have to ask the processor, before others follow it. */
static void look_at_processor_in(struct core_task *t)
{
    uintptr_t here = (uintptr_t)look_at_processor;

    for (unsigned i = 0; i < t->host->n_images; i++) {
        struct core_image *m = &t->host->images[i];

        if (here - m->first - m->text >= m->text_n)
            continue;
        ((void (*)(void))(here - m->first + t->bases[i]))();
        m->early_text = true;
    }
}

/* All others can be made as this copy was, but faster. Else the loader makes them. */
static void learn(struct core_task *t)
{
    struct core_task_host *h = t->host;
    unsigned others = h->n - t->bit - 1;

    look_at_processor_in(t);
    if (others > 0 && core_image_learn(&h->block, h->images, h->n_images, t->bases, others) == 0)
        core_task_teach_unwinder();
}

static int map(struct core_task *t)
{
    struct core_task_host *h = t->host;
    int rc = core_image_map(&h->block, h->images, h->n_images, t->bit - (h->n - h->block.most), t->bases);

    if (rc != 0)
        core_error("--tasks: no copy of the program for PE %u: %s", t->pe, strerror(-rc));
    t->program = core_task_real.open_library(NULL, RTLD_LAZY | RTLD_NOLOAD);
    return rc;
}

int core_task_load(struct core_task *t)
{
    struct core_task_host *h = t->host;

    t->bases = calloc(h->n_images, sizeof *t->bases);
    if (!t->bases)
        core_fatal("--tasks: out of memory");
    if ((h->block.most > 0 ? map(t) : load_files(t)) != 0)
        return -1;
    if (t->bit == 1)
        learn(t);
    for (unsigned i = 0; i < h->n_images; i++)
        core_image_copy_variables(&h->images[i], h->images, t->bases);
    core_task_find_variables(t);
    for (unsigned i = 0; i < h->n_images; i++)
        hook_copy(t, i);
    return 0;
}

void core_task_hook_first(struct core_task_host *h)
{
    for (unsigned i = 0; i < h->n_images; i++) {
        const struct core_image *m = &h->images[i];

        for (unsigned k = 0; k < m->n_slots; k++) {
            uintptr_t at = m->first + m->slots[k].at, page = core_page_of(at);

            mprotect((void *)page, core_page_size(), PROT_READ | PROT_WRITE);
            *(uintptr_t *)at = core_task_hook(&h->tasks[0], m->slots[k].what);
        }
    }
}

/* ------------------------------------------------ constructors and destructors -- */

typedef void constructor(int argc, char **argv, char **environment);

static void run_array(uintptr_t base, uintptr_t array, size_t n, bool backwards, const struct core_task *t)
{
    constructor **f = (constructor **)(base + array);

    for (size_t i = 0; array && i < n; i++) {
        constructor *call = f[backwards ? n - 1 - i : i];

        if (call && (uintptr_t)call != UINTPTR_MAX)
            call(t->argc, t->argv, t->environ);
    }
}

void core_task_construct_image(struct core_task *t, const struct core_image *m, uintptr_t base)
{
    run_array(base, m->preinit_array, m->n_preinit, false, t);
    if (m->init)
        ((constructor *)(base + m->init))(t->argc, t->argv, t->environ);
    run_array(base, m->init_array, m->n_init, false, t);
}

void core_task_destruct_image(struct core_task *t, const struct core_image *m, uintptr_t base)
{
    run_array(base, m->fini_array, m->n_fini, true, t);
    if (m->fini)
        ((void (*)(void))(base + m->fini))();
}

void core_task_construct(struct core_task *t)
{
    for (unsigned i = 0; i < t->host->n_images; i++) {
        const struct core_image *m = t->host->order[i];

        core_task_construct_image(t, m, t->bases[m - t->host->images]);
    }
}

void core_task_destruct(struct core_task *t)
{
    for (unsigned i = t->host->n_images; t->bases && i-- > 0;) {
        const struct core_image *m = t->host->order[i];

        core_task_destruct_image(t, m, t->bases[m - t->host->images]);
    }
}
