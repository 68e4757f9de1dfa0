/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_put8_signal ... shmem_put128_signal and shmem_putmem_signal, blocking and nonblocking, with and without a
 * context, setting and adding: whoever sees the signal sees the data. */
#include "signalled.h"
#include "../../types.h"

#define CALLS(SUFFIX)                                                                                                \
    static void signal_##SUFFIX(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op,     \
                                int pe)                                                                              \
    {                                                                                                                \
        shmem_put##SUFFIX##_signal(dest, source, n, sig, value, op, pe);                                             \
    }                                                                                                                \
    static void ctx_signal_##SUFFIX(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op, \
                                    int pe)                                                                          \
    {                                                                                                                \
        shmem_ctx_put##SUFFIX##_signal(signalled_ctx, dest, source, n, sig, value, op, pe);                          \
    }                                                                                                                \
    static void signal_nbi_##SUFFIX(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op, \
                                    int pe)                                                                          \
    {                                                                                                                \
        shmem_put##SUFFIX##_signal_nbi(dest, source, n, sig, value, op, pe);                                         \
    }                                                                                                                \
    static void ctx_signal_nbi_##SUFFIX(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value,     \
                                        int op, int pe)                                                              \
    {                                                                                                                \
        shmem_ctx_put##SUFFIX##_signal_nbi(signalled_ctx, dest, source, n, sig, value, op, pe);                      \
    }
#define SIZED_CALLS(BITS, BYTES) CALLS(BITS)
SIZES(SIZED_CALLS)
CALLS(mem)

#define ROWS(SUFFIX, BYTES)                                              \
    {"shmem_put" #SUFFIX "_signal", BYTES, signal_##SUFFIX},             \
        {"shmem_ctx_put" #SUFFIX "_signal", BYTES, ctx_signal_##SUFFIX}, \
        {"shmem_put" #SUFFIX "_signal_nbi", BYTES, signal_nbi_##SUFFIX}, \
        {"shmem_ctx_put" #SUFFIX "_signal_nbi", BYTES, ctx_signal_nbi_##SUFFIX},
static const struct signalled rows[] = {SIZES(ROWS) ROWS(mem, 1)};

int main(void)
{
    check_start();
    signalled_start();
    signalled_check(rows, CHECK_COUNT(rows));
    signalled_finish();
    return check_finish();
}
