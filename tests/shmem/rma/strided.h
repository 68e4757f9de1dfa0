/* SPDX-License-Identifier: BSD-3-Clause */
/* One judge for every strided call: iput and iget are block transfers with blocks of one element. The judge runs
 * a row's call with many strides, block sizes and counts, and compares the whole destination with a model, so
 * that a wrong stride and a byte written between the blocks both show. */
#ifndef TESTS_RMA_STRIDED_H
#define TESTS_RMA_STRIDED_H

#include "../../check.h"

#define STRIDED_ELEMENTS 1024
#define STRIDED_MEMORY (16 * STRIDED_ELEMENTS)
#define STRIDED_GUARD_BYTE 0x5a

/* dst and sst are in elements, from the start of one block to that of the next; iput and iget ignore bsize. */
typedef void strided_call(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, size_t nblocks,
                          int pe);

struct strided {
    const char *name;
    size_t size;
    strided_call *call;
};

struct strided_shape {
    ptrdiff_t dst, sst;
    size_t bsize, nblocks;
};

static const struct strided_shape strided_elements[] = {
    {1, 1, 1, 0}, {1, 1, 1, 1},  {1, 1, 1, 64}, {2, 1, 1, 33},  {1, 2, 1, 33},  {3, 5, 1, 17},
    {7, 2, 1, 9}, {16, 1, 1, 8}, {1, 63, 1, 7}, {64, 64, 1, 4}, {500, 1, 1, 2},
};

static const struct strided_shape strided_blocks[] = {
    {1, 1, 1, 0}, {1, 1, 1, 5},   {2, 2, 2, 16}, {4, 3, 2, 11},   {3, 4, 3, 7},      {8, 8, 8, 9},
    {9, 8, 7, 6}, {16, 5, 5, 12}, {5, 16, 1, 9}, {33, 40, 32, 4}, {100, 120, 64, 3}, {200, 200, 100, 0},
};

static unsigned char *strided_remote;
static unsigned char strided_local[STRIDED_MEMORY], strided_expected[STRIDED_MEMORY];

/* The calls with a context use one of their own, which a barrier doesn't complete: hence the quiet. */
static shmem_ctx_t strided_ctx;

static inline void strided_start(void)
{
    int status = shmem_ctx_create(0, &strided_ctx);

    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    strided_remote = (unsigned char *)shmem_malloc(STRIDED_MEMORY);
    REQUIRE(strided_remote, "no memory for %d bytes", STRIDED_MEMORY);
}

static inline void strided_finish(void)
{
    shmem_ctx_destroy(strided_ctx);
    shmem_free(strided_remote);
}

static inline uint64_t strided_seed(int pe, size_t row, size_t shape)
{
    return ((uint64_t)pe * 1000 + row) * 100 + shape + 7;
}

/* What the destination must hold when its blocks come from pattern `seed`. */
static inline void strided_model(uint64_t seed, size_t size, const struct strided_shape *s)
{
    static unsigned char source[STRIDED_MEMORY];

    check_fill(source, STRIDED_ELEMENTS * size, seed);
    memset(strided_expected, STRIDED_GUARD_BYTE, STRIDED_ELEMENTS * size);
    for (size_t b = 0; b < s->nblocks; b++)
        memcpy(strided_expected + b * (size_t)s->dst * size, source + b * (size_t)s->sst * size, s->bsize * size);
}

static inline void strided_compare(const unsigned char *memory, const struct strided *call,
                                   const struct strided_shape *s, int from)
{
    for (size_t i = 0; i < STRIDED_ELEMENTS * call->size; i++)
        if (!CHECK(memory[i] == strided_expected[i],
                   "%s dst %td sst %td bsize %zu n %zu: byte %zu (element %zu) is 0x%02x, expected 0x%02x from PE %d",
                   call->name, s->dst, s->sst, s->bsize, s->nblocks, i, i / call->size, memory[i], strided_expected[i],
                   from))
            return;
}

static inline void strided_check_put(const struct strided *call, size_t row, const struct strided_shape *s,
                                     size_t shape)
{
    size_t bytes = STRIDED_ELEMENTS * call->size;

    memset(strided_remote, STRIDED_GUARD_BYTE, bytes);
    check_fill(strided_local, bytes, strided_seed(check_me, row, shape));
    shmem_barrier_all();
    call->call(strided_remote, strided_local, s->dst, s->sst, s->bsize, s->nblocks, check_next());
    shmem_ctx_quiet(strided_ctx);
    shmem_barrier_all();
    strided_model(strided_seed(check_previous(), row, shape), call->size, s);
    strided_compare(strided_remote, call, s, check_previous());
}

static inline void strided_check_get(const struct strided *call, size_t row, const struct strided_shape *s,
                                     size_t shape)
{
    size_t bytes = STRIDED_ELEMENTS * call->size;

    memset(strided_local, STRIDED_GUARD_BYTE, bytes);
    check_fill(strided_remote, bytes, strided_seed(check_me, row, shape));
    shmem_barrier_all();
    call->call(strided_local, strided_remote, s->dst, s->sst, s->bsize, s->nblocks, check_next());
    strided_model(strided_seed(check_next(), row, shape), call->size, s);
    strided_compare(strided_local, call, s, check_next());
    shmem_barrier_all();
}

typedef void strided_judge(const struct strided *call, size_t row, const struct strided_shape *s, size_t shape);

static inline void strided_check(strided_judge *judge, const struct strided *rows, size_t nrows,
                                 const struct strided_shape *shapes, size_t nshapes)
{
    for (size_t row = 0; row < nrows; row++)
        for (size_t shape = 0; shape < nshapes; shape++)
            judge(&rows[row], row, &shapes[shape], shape);
}

#endif
