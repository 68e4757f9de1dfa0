/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of Cray's own library that programs of the T3D and T3E use: gather and
 * scatter by an index vector, cache control, and PE queries that work without
 * an init, since there every program was parallel from its first line.
 */
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

/* Loops with the width of elements and indices known. */
#define LOOP(T, I, left, right)                          \
    {                                                    \
        const I *index = x->index;                       \
        T *to = target;                                  \
        const T *from = source;                          \
        for (size_t i = 0; i < x->nelems; i++)           \
            to[left] = from[right];                      \
    }
#define LOOPS(left, right)                                                     \
    switch (x->size * 2 + x->wide) {                                           \
    case 5: LOOP(uint16_t, long, left, right) break;                           \
    case 8: LOOP(uint32_t, int, left, right) break;                            \
    case 9: LOOP(uint32_t, long, left, right) break;                           \
    default: LOOP(uint64_t, long, left, right) break;                          \
    }

static void scatter(void *target, const void *source, const struct indexed *x)
{
    LOOPS(index[i], i)
}

static void gather(void *target, const void *source, const struct indexed *x)
{
    LOOPS(i, index[i])
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
            core_put(&core_flow_default, pe, to, source + i * x->size, x->size);
            n = 1;
            continue;
        }
        struct core_strides s = {step * size, size, x->size, n};
        core_put_strided(&core_flow_default, pe, to, source + i * x->size, s);
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

static void ixput(void *target, const void *source, const struct indexed *x, int pe, const char *where)
{
    pe = shmemi_pe(SHMEM_CTX_DEFAULT, pe, where);
    if (x->nelems == 0)
        return;
    shmemi_not_null(source, "source", where);
    shmemi_not_null(x->index, "index", where);
    check_span(target, x, "target", where);
    ptrdiff_t first = at(x, 0) * (ptrdiff_t)x->size;
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
    const char *there = core_addr(pe, (const char *)source + first);
    if (MPT_LIKELY(there != NULL))
        gather(target, there - first, x);
    else
        gather_far(target, source, x, pe);
}

#define INDEXED(way, name, T, I, bytes)                                                                      \
    SHMEMI_DEF(void, name, (T * target, const T *source, const I *index, size_t nelems, int pe),             \
               struct indexed x = {index, sizeof(I) == sizeof(long), nelems, bytes};                         \
               way(target, source, &x, pe, where);)
#define BOTH(N, X, T, I, bytes) INDEXED(ixput, N##ixput##X, T, I, bytes) INDEXED(ixget, N##ixget##X, T, I, bytes)
#define TYPED(A, N, T) BOTH(N##_, , T, long, sizeof(T))
MPT_FOR_CRAY(TYPED, _)
BOTH(, , void, long, 8)
BOTH(, 64, void, long, 8)
BOTH(, 32, void, int, 4)

SHMEMI_DEF(void, udcflush, (void), )
SHMEMI_DEF(void, udcflush_line, (void *target), (void)target;)
SHMEMI_DEF(void, set_cache_inv, (void), )
SHMEMI_DEF(void, clear_cache_inv, (void), )
SHMEMI_DEF(void, set_cache_line_inv, (void *target), (void)target;)
SHMEMI_DEF(void, clear_cache_line_inv, (void *target), (void)target;)

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
