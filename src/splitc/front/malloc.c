/* SPDX-License-Identifier: BSD-3-Clause
 *
 * malloc and its relatives in Split-C programs, linked into the executable: every block lies in core's arena, where a
 * global pointer to it serves the PEs of the node. Blocks made before the job starts are the C library's.
 *
 * Small blocks are cut from slabs of 64 KiB, one size each. Large ones begin where a slab would, and no block of a slab
 * does, as its header lies there: so a block's address tells which it is. Slabs are kept.
 */
#include <dlfcn.h>
#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/core.h"

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* they have their own */

/* The C library's word for it, as core's (core/state.c) is not to be seen from the program; glibc has it from 2.32 on.
 */
#if __GLIBC_PREREQ(2, 32)
#include <sys/single_threaded.h>
static bool one_thread(void)
{
    return __libc_single_threaded;
}
#else
extern char __libc_single_threaded __attribute__((weak)); /* NOLINT(bugprone-reserved-identifier) */
static bool one_thread(void)
{
    return &__libc_single_threaded && __libc_single_threaded;
}
#endif

enum {
    SLAB = 64 << 10,
    HEAD = 64,
    SMALL_MAX = 16 << 10,
    FINE_MAX = 1024,
    FINE = 16,
    PAGE = 4096,
    CLASSES = 128,
    TRIES = 100
};

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);
extern void __libc_free(void *p);

struct slab {
    size_t size; /* of its blocks */
    unsigned class;
};

struct freed {
    struct freed *next;
};

static struct {
    struct freed *free;
    char *at, *end; /* not cut yet */
} class_of[CLASSES];

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local bool inside; /* core's own blocks, while it serves us, are the C library's */

static bool active(void)
{
    return __atomic_load_n(&mpt_malloc.min, __ATOMIC_ACQUIRE) == PAGE; /* as core_malloc_start_all says */
}

static bool is_ours(const void *p)
{
    return (uintptr_t)p - mpt_malloc.lo < mpt_malloc.n;
}

static struct slab *slab_of(const void *p)
{
    uintptr_t at = (uintptr_t)p & (SLAB - 1);

    return at ? (struct slab *)((uintptr_t)p - at) : NULL;
}

/* Steps of 16 bytes, then four to each power of two. Rounds *n up. */
static unsigned class_for(size_t *n)
{
    unsigned log, quarter;
    size_t step;

    if (*n <= FINE_MAX) {
        *n = *n ? core_round_up(*n, FINE) : FINE;
        return (unsigned)(*n / FINE);
    }
    log = core_log2(*n - 1);
    step = (size_t)1 << (log - 2);
    *n = core_round_up(*n, step);
    quarter = (unsigned)((*n - ((size_t)1 << log)) / step); /* 1 to 4 */
    return FINE_MAX / FINE + (log - 10) * 4 + quarter;
}

static void *from_arena(size_t n, size_t align)
{
    void *p = NULL;

    for (int i = 0; i < TRIES && !p; i++) /* others may be in there, and it does not wait */
        p = mpt_malloc.alloc(n, align);
    return p;
}

static void *cut(unsigned c, size_t size)
{
    struct freed *f = class_of[c].free;
    struct slab *s;
    void *p;

    if (f) {
        class_of[c].free = f->next;
        return f;
    }
    if ((size_t)(class_of[c].end - class_of[c].at) < size) {
        s = from_arena(SLAB, SLAB);
        if (!s)
            return NULL;
        *s = (struct slab){.size = size, .class = c};
        class_of[c].at = (char *)s + HEAD;
        class_of[c].end = (char *)s + SLAB;
    }
    p = class_of[c].at;
    class_of[c].at += size;
    return p;
}

static void *small(size_t n)
{
    unsigned c = class_for(&n);
    bool alone = one_thread();
    void *p;

    if (!alone)
        pthread_mutex_lock(&lock);
    inside = true;
    p = cut(c, n);
    inside = false;
    if (!alone)
        pthread_mutex_unlock(&lock);
    return p;
}

static void *own(size_t n)
{
    if (inside || !active())
        return NULL;
    return n <= SMALL_MAX ? small(n) : from_arena(n, SLAB);
}

static size_t size_of(void *p)
{
    struct slab *s = slab_of(p);

    return s ? s->size : mpt_malloc.size(p);
}

void *malloc(size_t n)
{
    void *p = own(n);

    return p ? p : __libc_malloc(n);
}

/* What a forked child frees of its parent's is left. */
void free(void *p)
{
    int had = errno;
    struct slab *s;
    bool alone = one_thread();

    if (!is_ours(p)) {
        __libc_free(p);
        return;
    }
    s = slab_of(p);
    if (!s) {
        mpt_malloc.release(p);
    } else if (active()) {
        if (!alone)
            pthread_mutex_lock(&lock);
        ((struct freed *)p)->next = class_of[s->class].free;
        class_of[s->class].free = p;
        if (!alone)
            pthread_mutex_unlock(&lock);
    }
    errno = had;
}

void *calloc(size_t count, size_t n)
{
    size_t all;
    void *p;

    if (__builtin_mul_overflow(count, n, &all)) {
        errno = ENOMEM;
        return NULL;
    }
    p = own(all);
    if (!p)
        return __libc_calloc(count, n);
    return memset(p, 0, all);
}

void *realloc(void *p, size_t n)
{
    size_t had;
    void *q;

    if (!p)
        return malloc(n);
    if (!is_ours(p))
        return __libc_realloc(p, n);
    if (n == 0) {
        free(p);
        return NULL;
    }
    had = size_of(p);
    if (slab_of(p) ? n <= had && n > had / 2 : n > SMALL_MAX && active() && mpt_malloc.resize(p, n))
        return p;
    q = malloc(n);
    if (q) {
        memcpy(q, p, n < had ? n : had);
        free(p);
    }
    return q;
}

/* Blocks of a slab begin at a multiple of 64 where their size is one. */
void *memalign(size_t align, size_t n)
{
    void *p = NULL;

    if (inside || !active() || (align & (align - 1)) || n > SIZE_MAX / 2)
        return __libc_memalign(align, n);
    if (align <= FINE)
        p = own(n);
    else if (align <= HEAD && n <= FINE_MAX)
        p = small(core_round_up(n, HEAD) + (n == 0) * HEAD);
    else
        p = from_arena(n ? n : 1, align < SLAB ? SLAB : align);
    return p ? p : __libc_memalign(align, n);
}

void *aligned_alloc(size_t align, size_t n)
{
    return memalign(align, n);
}

int posix_memalign(void **p, size_t align, size_t n)
{
    int had = errno;
    void *q;

    if (align == 0 || align % sizeof(void *) || (align & (align - 1)))
        return EINVAL;
    q = memalign(align, n);
    errno = had;
    if (!q)
        return ENOMEM;
    *p = q;
    return 0;
}

/* Of the C library's: asked from it. */
size_t malloc_usable_size(void *p)
{
    static size_t (*next)(void *);

    if (is_ours(p))
        return size_of(p);
    if (!__atomic_load_n(&next, __ATOMIC_RELAXED)) {
        void *found = dlsym(RTLD_NEXT, "malloc_usable_size");

        __atomic_store_n((void **)(void *)&next, found, __ATOMIC_RELAXED);
    }
    return p && next ? next(p) : 0;
}

__attribute__((constructor)) static void announce(void)
{
#define ROW(name) {#name, (void *)(uintptr_t)name},
    static struct core_malloc_front rows[] = {ROW(malloc) ROW(free) ROW(calloc) ROW(realloc) ROW(memalign) ROW(
        aligned_alloc) ROW(posix_memalign) ROW(malloc_usable_size){NULL, NULL}};

    for (int i = 0; i < 3; i++)
        if (!mpt_malloc.fronts[i]) {
            mpt_malloc.fronts[i] = rows;
            return;
        }
}

#endif
