/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task's copy of a plugin: text from the file, variables as they were in the model before anything ran, and addresses
 * in the model, or in what it uses, moved to the task's own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "core/base/number.h"
#include "core/base/page.h"
#include "core/task/hooks.h"
#include "core/task/plugin.h"

static bool is_used(const struct core_image *m, const ElfW(Phdr) * p)
{
    return p->p_type == PT_LOAD && p->p_vaddr != m->strings_address;
}

/* Where the task has the image that the program, or a plugin, has at its `first`. */
static uintptr_t base_of(const struct core_task *t, const struct core_image *m)
{
    const struct core_task_host *h = t->host;

    if (m >= h->images && m < h->images + h->n_images)
        return t->bases ? t->bases[m - h->images] : m->first;
    return ((const struct core_plugin *)(const void *)m)->copies[t->bit].base;
}

static int map_segments(const struct core_plugin *p, uintptr_t base)
{
    for (unsigned i = 0; i < p->m.n_segments; i++) {
        const ElfW(Phdr) *s = &p->m.segments[i];
        uintptr_t from = core_page_of(s->p_vaddr), skip = s->p_vaddr - from;
        int protect = (s->p_flags & PF_R ? PROT_READ : 0) | (s->p_flags & PF_X ? PROT_EXEC : 0);
        void *at = (void *)(base + from);

        if (!is_used(&p->m, s) || s->p_flags & PF_W || s->p_filesz == 0)
            continue;
        if (mmap(at, s->p_filesz + skip, protect, MAP_PRIVATE | MAP_FIXED, p->m.file, (off_t)(s->p_offset - skip)) !=
            at)
            return -errno;
    }
    return 0;
}

/* Variables, also of one that was closed and begins again. */
static void fill(const struct core_plugin *p, uintptr_t base)
{
    for (unsigned i = 0; i < p->m.n_segments; i++) {
        const ElfW(Phdr) *s = &p->m.segments[i];
        char *at = (char *)(base + s->p_vaddr);

        if (!is_used(&p->m, s) || !(s->p_flags & PF_W))
            continue;
        memcpy(at, p->fresh[i], s->p_filesz);
        memset(at + s->p_filesz, 0, s->p_memsz - s->p_filesz);
    }
}

/* Where a variable of a module is, for this thread. */
struct tls_place {
    unsigned long module, offset;
};

/* Those of this thread: the loader keeps the model, and with it what was in them. It is not asked where they are by
 * RTLD_DI_TLS_DATA, which does not know of those that code reaches by descriptors and that lie beside the program's. */
static void fill_thread(const struct core_plugin *p)
{
    void *(*find)(struct tls_place *) = NULL; /* the loader's, for code that compilers make; of no static program */
    struct tls_place place = {0, 0};
    void *at;

    *(void **)(void *)&find = dlsym(RTLD_DEFAULT, "__tls_get_addr");
    if (!find || dlinfo(p->handle, RTLD_DI_TLS_MODID, &place.module) != 0 || place.module == 0)
        return;
    at = find(&place);
    for (unsigned i = 0; i < p->m.n_segments; i++) {
        const ElfW(Phdr) *s = &p->m.segments[i];

        if (s->p_type != PT_TLS)
            continue;
        memcpy(at, (const void *)(p->m.first + s->p_vaddr), s->p_filesz);
        memset((char *)at + s->p_filesz, 0, s->p_memsz - s->p_filesz);
    }
}

static int reserve(const struct core_plugin *p, struct core_plugin_copy *c)
{
    size_t alignment = core_page_size(), n = core_image_span(&p->m, &alignment);
    char *at = mmap(NULL, n + alignment, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        return -errno;
    c->start = at;
    c->reserved = n + alignment;
    c->base = core_round_up((uintptr_t)at, alignment);
    return 0;
}

static void hook(struct core_task *t, const struct core_plugin *p, uintptr_t base)
{
    for (unsigned k = 0; k < p->m.n_slots; k++)
        *(uintptr_t *)(base + p->m.slots[k].at) = core_task_hook(t, p->m.slots[k].what);
}

int core_plugin_copy(struct core_task *t, struct core_plugin *p)
{
    struct core_plugin_copy *c = &p->copies[t->bit];
    int rc;

    if (!t->bases)
        c->base = p->m.first;
    else if ((rc = reserve(p, c)) != 0 || (rc = map_segments(p, c->base)) != 0)
        return rc;
    return 0;
}

void core_plugin_fill(struct core_task *t, struct core_plugin *p)
{
    struct core_plugin_copy *c = &p->copies[t->bit];

    fill(p, c->base);
    if (c->order > 0)
        fill_thread(p);
    for (unsigned i = 0; t->bases && i < p->n_words; i++) {
        const struct core_plugin_word *w = &p->words[i];

        *(uintptr_t *)(c->base + w->at) += base_of(t, w->in) - w->in->first;
    }
    hook(t, p, c->base);
}

void core_plugin_drop(struct core_task *t, struct core_plugin *p)
{
    struct core_plugin_copy *c = &p->copies[t->bit];

    if (c->reserved > 0)
        munmap(c->start, c->reserved);
    c->base = 0;
    c->start = NULL;
    c->reserved = 0;
}
