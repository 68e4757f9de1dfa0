/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of Cray's own library that programs of the T3D and T3E use: gather and
 * scatter by an index vector, cache control, and PE queries that work without
 * an init, since there every program was parallel from its first line.
 */
#include <string.h>

#include "shmem/check.h"

struct indexed {
    const void *index; /* of long, or of int */
    bool wide;
    size_t nelems, size;
};

static ptrdiff_t at(const struct indexed *x, size_t i)
{
    return x->wide ? (ptrdiff_t)((const long *)x->index)[i] : (ptrdiff_t)((const int *)x->index)[i];
}

/* All elements the index names are symmetric. */
static void check_span(const char *base, const struct indexed *x, const char *arg, const char *where)
{
    ptrdiff_t low = at(x, 0), high = low, size = (ptrdiff_t)x->size;
    for (size_t i = 1; i < x->nelems; i++) {
        ptrdiff_t k = at(x, i);
        low = k < low ? k : low;
        high = k > high ? k : high;
    }
    shmemi_symmetric(base + low * size, (size_t)(high - low + 1) * x->size, arg, where);
}

/* Inlined, so that the widths of elements and indices are known in each loop. */
static inline __attribute__((always_inline)) void move_indexed(char *to, const char *from, const struct indexed *x,
                                                               size_t size, bool wide, bool scatters)
{
    const long *longs = x->index;
    const int *ints = x->index;
    size_t n = x->nelems;
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t k = wide ? (ptrdiff_t)longs[i] : (ptrdiff_t)ints[i];
        ptrdiff_t there = k * (ptrdiff_t)size, here = (ptrdiff_t)(i * size);
        memcpy(to + (scatters ? there : here), from + (scatters ? here : there), size);
    }
}

static inline __attribute__((always_inline)) void move(void *to, const void *from, const struct indexed *x,
                                                       bool scatters)
{
    if (x->size == 2)
        move_indexed(to, from, x, 2, true, scatters);
    else if (x->size == 4 && !x->wide)
        move_indexed(to, from, x, 4, false, scatters);
    else if (x->size == 4)
        move_indexed(to, from, x, 4, true, scatters);
    else
        move_indexed(to, from, x, 8, true, scatters);
}

static void scatter(void *target, const void *source, const struct indexed *x)
{
    move(target, source, x, true);
}

static void gather(void *target, const void *source, const struct indexed *x)
{
    move(target, source, x, false);
}

/* How many elements from i on have evenly spaced indices, *step elements apart. */
static size_t even_run(const struct indexed *x, size_t i, ptrdiff_t *step)
{
    size_t n = 1;
    *step = i + 1 < x->nelems ? at(x, i + 1) - at(x, i) : 1;
    while (i + n < x->nelems && at(x, i + n) - at(x, i + n - 1) == *step)
        n++;
    return n;
}

/* To another node: what lies evenly goes by one strided put, single elements
 * each by their own. */
static void scatter_far(char *target, const char *source, const struct indexed *x, int pe)
{
    ptrdiff_t size = (ptrdiff_t)x->size, step;
    for (size_t i = 0, n; i < x->nelems; i += n) {
        char *to = target + at(x, i) * size;
        n = even_run(x, i, &step);
        if (n < 4) {
            core_put(CORE_FLOW_DEFAULT, pe, to, source + i * x->size, x->size);
            n = 1;
            continue;
        }
        struct core_strides s = {step * size, size, x->size, n};
        core_put_strided(CORE_FLOW_DEFAULT, pe, to, source + i * x->size, s);
    }
}

/* All single elements are under way at once, on a flow that ends here. */
static void gather_far(char *target, const char *source, const struct indexed *x, int pe)
{
    ptrdiff_t size = (ptrdiff_t)x->size, step;
    struct core_flow flow = {0};
    for (size_t i = 0, n; i < x->nelems; i += n) {
        const char *from = source + at(x, i) * size;
        n = even_run(x, i, &step);
        if (n < 4) {
            core_get_nbi(&flow, pe, target + i * x->size, from, x->size);
            n = 1;
            continue;
        }
        struct core_strides s = {step * size, size, x->size, n};
        core_get_strided(&flow, pe, target + i * x->size, from, s);
    }
    core_flow_finish(&flow);
}

static void tell(void *remote, const void *local, const struct indexed *x, int pe,
                 void (*how)(const struct shmemi_race_copy *), const char *where)
{
    for (size_t i = 0; i < x->nelems; i++)
        how(&(struct shmemi_race_copy){CORE_FLOW_DEFAULT, pe, (char *)remote + at(x, i) * (ptrdiff_t)x->size,
                                       (const char *)local + i * x->size, x->size, false, where});
}

static void ixput(void *target, const void *source, const struct indexed *x, int pe, const char *where)
{
    pe = shmemi_pe(SHMEM_CTX_DEFAULT, pe, where);
    if (x->nelems == 0)
        return;
    shmemi_not_null(source, "source", where);
    shmemi_not_null(x->index, "index", where);
    check_span(target, x, "target", where);
    ptrdiff_t first = at(x, 0) * (ptrdiff_t)x->size;
    if (core_race_on())
        tell(target, source, x, pe, shmemi_race_put, where);
    char *there = core_addr(pe, (char *)target + first);
    if (MPT_LIKELY(there != NULL)) {
        scatter(there - first, source, x);
        core_changed_scattered(pe);
    } else
        scatter_far(target, source, x, pe);
}

static void ixget(void *target, const void *source, const struct indexed *x, int pe, const char *where)
{
    pe = shmemi_pe(SHMEM_CTX_DEFAULT, pe, where);
    if (x->nelems == 0)
        return;
    shmemi_not_null(target, "target", where);
    shmemi_not_null(x->index, "index", where);
    check_span(source, x, "source", where);
    ptrdiff_t first = at(x, 0) * (ptrdiff_t)x->size;
    if (core_race_on())
        tell((void *)source, target, x, pe, shmemi_race_get, where);
    const char *there = core_addr(pe, (const char *)source + first);
    if (MPT_LIKELY(there != NULL))
        gather(target, there - first, x);
    else
        gather_far(target, source, x, pe);
}

/* shmem_<name>: <body>. */
#define INDEXED(body, name, T, I, size)                                                                            \
    void pshmem_##name(T *target, const T *source, const I *index, size_t nelems, int pe)                          \
    {                                                                                                              \
        body(target, source, &(struct indexed){index, sizeof(I) == sizeof(long), nelems, size}, pe, SHMEMI_WHERE); \
    }                                                                                                              \
    SHMEMI_ALIAS(shmem_##name);

/* shmem_long_ixput, shmem_int_ixput, shmem_double_ixput, ..., shmem_long_ixget, ... */
#define TYPED(A, N, T)                            \
    INDEXED(ixput, N##_ixput, T, long, sizeof(T)) \
    INDEXED(ixget, N##_ixget, T, long, sizeof(T))
MPT_FOR_CRAY(TYPED, _)

/* shmem_ixput, shmem_ixput32, shmem_ixput64, shmem_ixget, shmem_ixget32, shmem_ixget64 */
#define SIZED(X, I, size)                   \
    INDEXED(ixput, ixput##X, void, I, size) \
    INDEXED(ixget, ixget##X, void, I, size)
SIZED(, long, 8)
SIZED(64, long, 8)
SIZED(32, int, 4)

void pshmem_udcflush(void) {}
SHMEMI_ALIAS(shmem_udcflush);

void pshmem_udcflush_line(void *target)
{
    (void)target;
}
SHMEMI_ALIAS(shmem_udcflush_line);

void pshmem_set_cache_inv(void) {}
SHMEMI_ALIAS(shmem_set_cache_inv);

void pshmem_clear_cache_inv(void) {}
SHMEMI_ALIAS(shmem_clear_cache_inv);

void pshmem_set_cache_line_inv(void *target)
{
    (void)target;
}
SHMEMI_ALIAS(shmem_set_cache_line_inv);

void pshmem_clear_cache_line_inv(void *target)
{
    (void)target;
}
SHMEMI_ALIAS(shmem_clear_cache_line_inv);

static void ensure_started(void)
{
    if (core_job_depth() == 0)
        pstart_pes(0);
}

int _my_pe(void)
{
    ensure_started();
    return mpt_fast.me;
}

int _num_pes(void)
{
    ensure_started();
    return mpt_fast.npes;
}

/* Plain names that a program may well have for itself. */
extern __typeof__(_my_pe) my_pe __attribute__((weak, alias("_my_pe")));
extern __typeof__(_num_pes) num_pes __attribute__((weak, alias("_num_pes")));
