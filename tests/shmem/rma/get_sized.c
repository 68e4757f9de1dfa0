/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_get8 ... shmem_get128 and shmem_getmem, blocking and nonblocking, on the default context and on one of
 * our own: the count is in elements of that many bits, in bytes for getmem. */
#include "transfer.h"
#include "../../types.h"

#define CALLS(SUFFIX)                                                                   \
    static void get_##SUFFIX(void *dest, const void *source, size_t nelems, int pe)     \
    {                                                                                   \
        shmem_get##SUFFIX(dest, source, nelems, pe);                                    \
    }                                                                                   \
    static void ctx_get_##SUFFIX(void *dest, const void *source, size_t nelems, int pe) \
    {                                                                                   \
        shmem_ctx_get##SUFFIX(transfer_ctx, dest, source, nelems, pe);                  \
    }                                                                                   \
    static void nbi_##SUFFIX(void *dest, const void *source, size_t nelems, int pe)     \
    {                                                                                   \
        shmem_get##SUFFIX##_nbi(dest, source, nelems, pe);                              \
        shmem_quiet();                                                                  \
    }                                                                                   \
    static void ctx_nbi_##SUFFIX(void *dest, const void *source, size_t nelems, int pe) \
    {                                                                                   \
        shmem_ctx_get##SUFFIX##_nbi(transfer_ctx, dest, source, nelems, pe);            \
        shmem_ctx_quiet(transfer_ctx);                                                  \
    }
#define SIZED_CALLS(BITS, BYTES) CALLS(BITS)
SIZES(SIZED_CALLS)
CALLS(mem)

#define ROWS(SUFFIX, BYTES)                                                                         \
    {"shmem_get" #SUFFIX, BYTES, get_##SUFFIX}, {"shmem_ctx_get" #SUFFIX, BYTES, ctx_get_##SUFFIX}, \
        {"shmem_get" #SUFFIX "_nbi", BYTES, nbi_##SUFFIX}, {"shmem_ctx_get" #SUFFIX "_nbi", BYTES, ctx_nbi_##SUFFIX},
static const struct transfer rows[] = {SIZES(ROWS) ROWS(mem, 1)};

int main(void)
{
    check_start();
    transfer_start();
    transfer_check_gets(rows, CHECK_COUNT(rows));
    transfer_finish();
    return check_finish();
}
