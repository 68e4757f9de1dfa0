/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_iput8 ... shmem_iput128 and shmem_iget8 ... shmem_iget128, with and without a context: strides count
 * elements of that many bits. */
#include "strided.h"
#include "../../types.h"

#define CALLS(BITS, BYTES)                                                                                  \
    static void iput_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                            size_t nblocks, int pe)                                                         \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_iput##BITS(dest, source, dst, sst, nblocks, pe);                                              \
    }                                                                                                       \
    static void ctx_iput_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                size_t nblocks, int pe)                                                     \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_ctx_iput##BITS(strided_ctx, dest, source, dst, sst, nblocks, pe);                             \
    }                                                                                                       \
    static void iget_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                            size_t nblocks, int pe)                                                         \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_iget##BITS(dest, source, dst, sst, nblocks, pe);                                              \
    }                                                                                                       \
    static void ctx_iget_##BITS(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                size_t nblocks, int pe)                                                     \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_ctx_iget##BITS(strided_ctx, dest, source, dst, sst, nblocks, pe);                             \
    }
SIZES(CALLS)

#define PUT_ROWS(BITS, BYTES) \
    {"shmem_iput" #BITS, BYTES, iput_##BITS}, {"shmem_ctx_iput" #BITS, BYTES, ctx_iput_##BITS},
#define GET_ROWS(BITS, BYTES) \
    {"shmem_iget" #BITS, BYTES, iget_##BITS}, {"shmem_ctx_iget" #BITS, BYTES, ctx_iget_##BITS},
static const struct strided put_calls[] = {SIZES(PUT_ROWS)}, get_calls[] = {SIZES(GET_ROWS)};

int main(void)
{
    check_start();
    strided_start();
    strided_check(strided_check_put, put_calls, CHECK_COUNT(put_calls), strided_elements,
                  CHECK_COUNT(strided_elements));
    strided_check(strided_check_get, get_calls, CHECK_COUNT(get_calls), strided_elements,
                  CHECK_COUNT(strided_elements));
    strided_finish();
    return check_finish();
}
