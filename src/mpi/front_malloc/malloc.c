/* SPDX-License-Identifier: BSD-3-Clause
 *
 * malloc and its relatives, in the libraries that MPI programs are linked with:
 * large blocks come from core's arena, where PEs of the node can read them, all
 * others from the C library as ever. Until MPI starts, and where core finds that
 * the process has another malloc, everything is the C library's.
 */
#include "core/core.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t count, size_t n);
extern void *__libc_realloc(void *p, size_t n);
extern void *__libc_memalign(size_t align, size_t n);
extern void __libc_free(void *p);

static inline bool is_large(size_t n)
{
    return MPT_UNLIKELY(n >= __atomic_load_n(&mpt_malloc.min, __ATOMIC_ACQUIRE)) && n < SIZE_MAX;
}

/* Stays true of blocks that were given before a fork. */
static inline bool is_ours(const void *p)
{
    return MPT_UNLIKELY((uintptr_t)p - mpt_malloc.lo < mpt_malloc.n);
}

static void *own_malloc(size_t n)
{
    void *p = is_large(n) ? mpt_malloc.alloc(n, 0) : NULL;

    return p ? p : __libc_malloc(n);
}

static void own_free(void *p)
{
    int had = errno;

    if (!is_ours(p)) {
        __libc_free(p);
        return;
    }
    mpt_malloc.release(p);
    errno = had;
}

static void *own_calloc(size_t count, size_t n)
{
    size_t all;
    void *p = NULL;

    if (!__builtin_mul_overflow(count, n, &all) && is_large(all))
        p = mpt_malloc.alloc_zero(all);
    return p ? p : __libc_calloc(count, n);
}

/* Out of the arena, or to another place in it. */
static void *move(void *p, size_t n)
{
    size_t had = mpt_malloc.size(p);
    void *q = own_malloc(n);

    if (q) {
        memcpy(q, p, n < had ? n : had);
        own_free(p);
    }
    return q;
}

static void *own_realloc(void *p, size_t n)
{
    if (!is_ours(p))
        return __libc_realloc(p, n);
    if (n == 0) {
        own_free(p);
        return NULL;
    }
    return is_large(n) && mpt_malloc.resize(p, n) ? p : move(p, n);
}

static void *aligned(size_t align, size_t n)
{
    void *p = is_large(n) && (align & (align - 1)) == 0 ? mpt_malloc.alloc(n, align) : NULL;

    return p ? p : __libc_memalign(align, n);
}

static void *own_memalign(size_t align, size_t n)
{
    return aligned(align, n);
}

static void *own_aligned_alloc(size_t align, size_t n)
{
    return aligned(align, n);
}

static int own_posix_memalign(void **p, size_t align, size_t n)
{
    int had = errno;
    void *q;

    if (align == 0 || align % sizeof(void *) || (align & (align - 1)))
        return EINVAL;
    q = aligned(align, n);
    errno = had;
    if (!q)
        return ENOMEM;
    *p = q;
    return 0;
}

static size_t own_malloc_usable_size(void *p)
{
    static size_t (*next)(void *);

    if (is_ours(p))
        return mpt_malloc.size(p);
    if (!__atomic_load_n(&next, __ATOMIC_RELAXED)) {
        void *found = dlsym(RTLD_NEXT, "malloc_usable_size");

        __atomic_store_n((void **)(void *)&next, found, __ATOMIC_RELAXED);
    }
    return p && next ? next(p) : 0;
}

/* Whatever the names mean to the rest of the process, core is told of our own functions. */
#define NAMES(X) \
    X(malloc) X(free) X(calloc) X(realloc) X(memalign) X(aligned_alloc) X(posix_memalign) X(malloc_usable_size)
#define GIVE(name) extern __typeof__(own_##name) name __attribute__((alias("own_" #name), visibility("default")));
NAMES(GIVE)

__attribute__((constructor)) static void announce(void)
{
#define ROW(name) {#name, (void *)(uintptr_t)own_##name},
    static struct core_malloc_front rows[] = {NAMES(ROW){NULL, NULL}};

    for (int i = 0; i < 3; i++)
        if (!mpt_malloc.fronts[i]) {
            mpt_malloc.fronts[i] = rows;
            return;
        }
}

#endif
