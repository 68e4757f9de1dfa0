/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_get and its nonblocking form, on the default context and on one of our own, for all 24 types:
 * every length arrives whole, into any memory, and neither side is changed beside it. */
#include "transfer.h"
#include "../../types.h"

#define CALLS(NAME, TYPE)                                                                         \
    static void NAME##_get(void *dest, const void *source, size_t nelems, int pe)                 \
    {                                                                                             \
        shmem_##NAME##_get((TYPE *)dest, (const TYPE *)source, nelems, pe);                       \
    }                                                                                             \
    static void NAME##_ctx_get(void *dest, const void *source, size_t nelems, int pe)             \
    {                                                                                             \
        shmem_ctx_##NAME##_get(transfer_ctx, (TYPE *)dest, (const TYPE *)source, nelems, pe);     \
    }                                                                                             \
    static void NAME##_get_nbi(void *dest, const void *source, size_t nelems, int pe)             \
    {                                                                                             \
        shmem_##NAME##_get_nbi((TYPE *)dest, (const TYPE *)source, nelems, pe);                   \
        shmem_quiet();                                                                            \
    }                                                                                             \
    static void NAME##_ctx_get_nbi(void *dest, const void *source, size_t nelems, int pe)         \
    {                                                                                             \
        shmem_ctx_##NAME##_get_nbi(transfer_ctx, (TYPE *)dest, (const TYPE *)source, nelems, pe); \
        shmem_ctx_quiet(transfer_ctx);                                                            \
    }
TYPES_RMA(CALLS)

#define ROWS(NAME, TYPE)                                                                                          \
    {"shmem_" #NAME "_get", sizeof(TYPE), NAME##_get}, {"shmem_ctx_" #NAME "_get", sizeof(TYPE), NAME##_ctx_get}, \
        {"shmem_" #NAME "_get_nbi", sizeof(TYPE), NAME##_get_nbi},                                                \
        {"shmem_ctx_" #NAME "_get_nbi", sizeof(TYPE), NAME##_ctx_get_nbi},
static const struct transfer rows[] = {TYPES_RMA(ROWS)};

int main(void)
{
    check_start();
    transfer_start();
    transfer_check_gets(rows, CHECK_COUNT(rows));
    transfer_finish();
    return check_finish();
}
