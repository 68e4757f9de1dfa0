/* SPDX-License-Identifier: BSD-3-Clause */
/* shmem_TYPE_put and its nonblocking form, on the default context and on one of our own, for all 24 types:
 * every length arrives whole and touches nothing beside it. */
#include "transfer.h"
#include "../../types.h"

#define CALLS(NAME, TYPE)                                                                         \
    static void NAME##_put(void *dest, const void *source, size_t nelems, int pe)                 \
    {                                                                                             \
        shmem_##NAME##_put((TYPE *)dest, (const TYPE *)source, nelems, pe);                       \
    }                                                                                             \
    static void NAME##_ctx_put(void *dest, const void *source, size_t nelems, int pe)             \
    {                                                                                             \
        shmem_ctx_##NAME##_put(transfer_ctx, (TYPE *)dest, (const TYPE *)source, nelems, pe);     \
    }                                                                                             \
    static void NAME##_put_nbi(void *dest, const void *source, size_t nelems, int pe)             \
    {                                                                                             \
        shmem_##NAME##_put_nbi((TYPE *)dest, (const TYPE *)source, nelems, pe);                   \
    }                                                                                             \
    static void NAME##_ctx_put_nbi(void *dest, const void *source, size_t nelems, int pe)         \
    {                                                                                             \
        shmem_ctx_##NAME##_put_nbi(transfer_ctx, (TYPE *)dest, (const TYPE *)source, nelems, pe); \
    }
TYPES_RMA(CALLS)

#define ROWS(NAME, TYPE)                                                                                          \
    {"shmem_" #NAME "_put", sizeof(TYPE), NAME##_put}, {"shmem_ctx_" #NAME "_put", sizeof(TYPE), NAME##_ctx_put}, \
        {"shmem_" #NAME "_put_nbi", sizeof(TYPE), NAME##_put_nbi},                                                \
        {"shmem_ctx_" #NAME "_put_nbi", sizeof(TYPE), NAME##_ctx_put_nbi},
static const struct transfer rows[] = {TYPES_RMA(ROWS)};

int main(void)
{
    check_start();
    transfer_start();
    transfer_check_puts(rows, CHECK_COUNT(rows));
    transfer_finish();
    return check_finish();
}
