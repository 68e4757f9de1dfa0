/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_ibput8 ... shmem_ibput128 and shmem_ibget8 ... shmem_ibget128, with and without a context: strides and
 * block sizes count elements of that many bits. */
#include "strided.h"
#include "../../types.h"

#define CALLS(BITS, BYTES)                                                                                   \
    static void ibput_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                             size_t nblocks, int pe)                                                         \
    {                                                                                                        \
        shmem_ibput##BITS(dest, source, dst, sst, bsize, nblocks, pe);                                       \
    }                                                                                                        \
    static void ctx_ibput_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                 size_t nblocks, int pe)                                                     \
    {                                                                                                        \
        shmem_ctx_ibput##BITS(strided_ctx, dest, source, dst, sst, bsize, nblocks, pe);                      \
    }                                                                                                        \
    static void ibget_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                             size_t nblocks, int pe)                                                         \
    {                                                                                                        \
        shmem_ibget##BITS(dest, source, dst, sst, bsize, nblocks, pe);                                       \
    }                                                                                                        \
    static void ctx_ibget_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                 size_t nblocks, int pe)                                                     \
    {                                                                                                        \
        shmem_ctx_ibget##BITS(strided_ctx, dest, source, dst, sst, bsize, nblocks, pe);                      \
    }
SIZES(CALLS)

#define PUT_ROWS(BITS, BYTES) \
    {"shmem_ibput" #BITS, BYTES, ibput_##BITS}, {"shmem_ctx_ibput" #BITS, BYTES, ctx_ibput_##BITS},
#define GET_ROWS(BITS, BYTES) \
    {"shmem_ibget" #BITS, BYTES, ibget_##BITS}, {"shmem_ctx_ibget" #BITS, BYTES, ctx_ibget_##BITS},
static const struct strided put_calls[] = {SIZES(PUT_ROWS)}, get_calls[] = {SIZES(GET_ROWS)};

int main(void)
{
    check_start();
    strided_start();
    strided_check(strided_check_put, put_calls, CHECK_COUNT(put_calls), strided_blocks, CHECK_COUNT(strided_blocks));
    strided_check(strided_check_get, get_calls, CHECK_COUNT(get_calls), strided_blocks, CHECK_COUNT(strided_blocks));
    strided_finish();
    return check_finish();
}
