/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_put_signal, blocking and nonblocking, with and without a context, setting and adding, for all 24 types:
 * whoever sees the signal sees the data. */
#include "signalled.h"
#include "../../types.h"

#define CALLS(NAME, TYPE)                                                                                              \
    static void NAME##_signal(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op, int pe) \
    {                                                                                                                  \
        shmem_##NAME##_put_signal((TYPE *)dest, (const TYPE *)source, n, sig, value, op, pe);                          \
    }                                                                                                                  \
    static void NAME##_ctx_signal(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op,     \
                                  int pe)                                                                              \
    {                                                                                                                  \
        shmem_ctx_##NAME##_put_signal(signalled_ctx, (TYPE *)dest, (const TYPE *)source, n, sig, value, op, pe);       \
    }                                                                                                                  \
    static void NAME##_signal_nbi(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op,     \
                                  int pe)                                                                              \
    {                                                                                                                  \
        shmem_##NAME##_put_signal_nbi((TYPE *)dest, (const TYPE *)source, n, sig, value, op, pe);                      \
    }                                                                                                                  \
    static void NAME##_ctx_signal_nbi(void *dest, const void *source, size_t n, uint64_t *sig, uint64_t value, int op, \
                                      int pe)                                                                          \
    {                                                                                                                  \
        shmem_ctx_##NAME##_put_signal_nbi(signalled_ctx, (TYPE *)dest, (const TYPE *)source, n, sig, value, op, pe);   \
    }
TYPES_RMA(CALLS)

#define ROWS(NAME, TYPE)                                                     \
    {"shmem_" #NAME "_put_signal", sizeof(TYPE), NAME##_signal},             \
        {"shmem_ctx_" #NAME "_put_signal", sizeof(TYPE), NAME##_ctx_signal}, \
        {"shmem_" #NAME "_put_signal_nbi", sizeof(TYPE), NAME##_signal_nbi}, \
        {"shmem_ctx_" #NAME "_put_signal_nbi", sizeof(TYPE), NAME##_ctx_signal_nbi},
static const struct signalled rows[] = {TYPES_RMA(ROWS)};

int main(void)
{
    check_start();
    signalled_start();
    signalled_check(rows, CHECK_COUNT(rows));
    signalled_finish();
    return check_finish();
}
