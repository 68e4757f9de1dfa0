/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_iput and shmem_TYPE_iget, with and without a context, for all 24 types: every pair of strides puts
 * each element in its place and leaves the gaps alone. */
#include "strided.h"
#include "../../types.h"

#define CALLS(NAME, TYPE)                                                                                   \
    static void NAME##_iput(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                            size_t nblocks, int pe)                                                         \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_##NAME##_iput((TYPE *)dest, (const TYPE *)source, dst, sst, nblocks, pe);                     \
    }                                                                                                       \
    static void NAME##_ctx_iput(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                size_t nblocks, int pe)                                                     \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_ctx_##NAME##_iput(strided_ctx, (TYPE *)dest, (const TYPE *)source, dst, sst, nblocks, pe);    \
    }                                                                                                       \
    static void NAME##_iget(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize,     \
                            size_t nblocks, int pe)                                                         \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_##NAME##_iget((TYPE *)dest, (const TYPE *)source, dst, sst, nblocks, pe);                     \
    }                                                                                                       \
    static void NAME##_ctx_iget(void *dest, const void *source, ptrdiff_t dst, ptrdiff_t sst, size_t bsize, \
                                size_t nblocks, int pe)                                                     \
    {                                                                                                       \
        (void)bsize;                                                                                        \
        shmem_ctx_##NAME##_iget(strided_ctx, (TYPE *)dest, (const TYPE *)source, dst, sst, nblocks, pe);    \
    }
TYPES_RMA(CALLS)

#define PUT_ROWS(NAME, TYPE) \
    {"shmem_" #NAME "_iput", sizeof(TYPE), NAME##_iput}, {"shmem_ctx_" #NAME "_iput", sizeof(TYPE), NAME##_ctx_iput},
#define GET_ROWS(NAME, TYPE) \
    {"shmem_" #NAME "_iget", sizeof(TYPE), NAME##_iget}, {"shmem_ctx_" #NAME "_iget", sizeof(TYPE), NAME##_ctx_iget},
static const struct strided put_calls[] = {TYPES_RMA(PUT_ROWS)}, get_calls[] = {TYPES_RMA(GET_ROWS)};

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
