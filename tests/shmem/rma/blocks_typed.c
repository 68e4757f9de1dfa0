/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_ibput and shmem_TYPE_ibget, with and without a context, for all 24 types: blocks of several elements,
 * strides from the start of one block to the start of the next. */
#include "strided.h"
#include "../../types.h"

#define CALLS(NAME, TYPE)                                                                                        \
    static void NAME##_ibput(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,         \
                             size_t nblocks, int pe)                                                             \
    {                                                                                                            \
        shmem_##NAME##_ibput((TYPE *)dest, (const TYPE *)source, dst, sst, bsize, nblocks, pe);                  \
    }                                                                                                            \
    static void NAME##_ctx_ibput(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                                 size_t nblocks, int pe)                                                         \
    {                                                                                                            \
        shmem_ctx_##NAME##_ibput(strided_ctx, (TYPE *)dest, (const TYPE *)source, dst, sst, bsize, nblocks, pe); \
    }                                                                                                            \
    static void NAME##_ibget(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,         \
                             size_t nblocks, int pe)                                                             \
    {                                                                                                            \
        shmem_##NAME##_ibget((TYPE *)dest, (const TYPE *)source, dst, sst, bsize, nblocks, pe);                  \
    }                                                                                                            \
    static void NAME##_ctx_ibget(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                                 size_t nblocks, int pe)                                                         \
    {                                                                                                            \
        shmem_ctx_##NAME##_ibget(strided_ctx, (TYPE *)dest, (const TYPE *)source, dst, sst, bsize, nblocks, pe); \
    }
TYPES_RMA(CALLS)

#define PUT_ROWS(NAME, TYPE)                               \
    {"shmem_" #NAME "_ibput", sizeof(TYPE), NAME##_ibput}, \
        {"shmem_ctx_" #NAME "_ibput", sizeof(TYPE), NAME##_ctx_ibput},
#define GET_ROWS(NAME, TYPE)                               \
    {"shmem_" #NAME "_ibget", sizeof(TYPE), NAME##_ibget}, \
        {"shmem_ctx_" #NAME "_ibget", sizeof(TYPE), NAME##_ctx_ibget},
static const struct strided put_calls[] = {TYPES_RMA(PUT_ROWS)}, get_calls[] = {TYPES_RMA(GET_ROWS)};

int main(void)
{
    check_start();
    strided_start();
    strided_check(strided_check_put, put_calls, CHECK_COUNT(put_calls), strided_blocks, CHECK_COUNT(strided_blocks));
    strided_check(strided_check_get, get_calls, CHECK_COUNT(get_calls), strided_blocks, CHECK_COUNT(strided_blocks));
    strided_finish();
    return check_finish();
}
