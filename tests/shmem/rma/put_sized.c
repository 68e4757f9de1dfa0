/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_put8 ... shmem_put128 and shmem_putmem, blocking and nonblocking, on the default context and on one of
 * our own: the count is in elements of that many bits, in bytes for putmem. */
#include "transfer.h"
#include "../../types.h"

#define CALLS(SUFFIX)                                                                   \
    static void put_##SUFFIX(void *dest, const void *source, size_t nelems, int pe)     \
    {                                                                                   \
        shmem_put##SUFFIX(dest, source, nelems, pe);                                    \
    }                                                                                   \
    static void ctx_put_##SUFFIX(void *dest, const void *source, size_t nelems, int pe) \
    {                                                                                   \
        shmem_ctx_put##SUFFIX(transfer_ctx, dest, source, nelems, pe);                  \
    }                                                                                   \
    static void nbi_##SUFFIX(void *dest, const void *source, size_t nelems, int pe)     \
    {                                                                                   \
        shmem_put##SUFFIX##_nbi(dest, source, nelems, pe);                              \
    }                                                                                   \
    static void ctx_nbi_##SUFFIX(void *dest, const void *source, size_t nelems, int pe) \
    {                                                                                   \
        shmem_ctx_put##SUFFIX##_nbi(transfer_ctx, dest, source, nelems, pe);            \
    }
#define SIZED_CALLS(BITS, BYTES) CALLS(BITS)
SIZES(SIZED_CALLS)
CALLS(mem)

#define ROWS(SUFFIX, BYTES)                                                                         \
    {"shmem_put" #SUFFIX, BYTES, put_##SUFFIX}, {"shmem_ctx_put" #SUFFIX, BYTES, ctx_put_##SUFFIX}, \
        {"shmem_put" #SUFFIX "_nbi", BYTES, nbi_##SUFFIX}, {"shmem_ctx_put" #SUFFIX "_nbi", BYTES, ctx_nbi_##SUFFIX},
static const struct transfer rows[] = {SIZES(ROWS) ROWS(mem, 1)};

int main(void)
{
    check_start();
    transfer_start();
    transfer_check_puts(rows, CHECK_COUNT(rows));
    transfer_finish();
    return check_finish();
}
