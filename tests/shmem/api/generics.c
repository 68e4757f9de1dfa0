/* SPDX-License-Identifier: BSD-3-Clause */
/* C11 generics at work, for every type: values go through put, p, get, g, atomics, waits and collectives by their
 * generic names, with and without a context. (dispatch.py proves which function each of them calls.) */
#include "check.h"
#include "types.h"

/* Generics of remote memory access: what was put, strided, signalled or read must be what arrives. */
#define RMA(NAME, T)                                                                        \
    static void rma_##NAME(shmem_ctx_t ctx)                                                 \
    {                                                                                       \
        static T there[4], here[4];                                                         \
        static uint64_t signal;                                                             \
        T value = (T)(7 + check_me), two[2] = {(T)1, (T)2};                                 \
        int next = check_next(), good = 1;                                                  \
                                                                                            \
        signal = 0;                                                                         \
        shmem_barrier_all();                                                                \
        shmem_p(&there[0], value, next);                                                    \
        shmem_p(ctx, &there[1], value, next);                                               \
        shmem_put(ctx, &there[2], two, 1, next);                                            \
        shmem_put_signal(&there[3], &two[1], 1, &signal, 9, SHMEM_SIGNAL_SET, next);        \
        shmem_quiet();                                                                      \
        shmem_ctx_quiet(ctx);                                                               \
        shmem_get(here, there, 4, next);                                                    \
        good &= here[0] == value && here[1] == value && here[2] == (T)1 && here[3] == (T)2; \
        good &= shmem_g(&there[0], next) == value && shmem_g(ctx, &there[3], next) == (T)2; \
        shmem_iput(&there[0], two, 2, 1, 2, next);                                          \
        shmem_quiet();                                                                      \
        shmem_ibget(ctx, here, there, 2, 2, 2, 2, next);                                    \
        good &= here[0] == (T)1 && here[1] == value && here[2] == (T)2 && here[3] == (T)2;  \
        CHECK(good, "generic puts and gets of " #NAME);                                     \
        shmem_barrier_all();                                                                \
        CHECK(shmem_signal_fetch(&signal) == 9, "generic put_signal of " #NAME);            \
        shmem_barrier_all();                                                                \
    }
TYPES_RMA(RMA)

#define AMO(NAME, T)                                                                                              \
    static void amo_##NAME(shmem_ctx_t ctx)                                                                       \
    {                                                                                                             \
        static T word;                                                                                            \
        T seen;                                                                                                   \
        int next = check_next();                                                                                  \
                                                                                                                  \
        shmem_barrier_all();                                                                                      \
        shmem_atomic_set(&word, (T)5, next);                                                                      \
        shmem_quiet();                                                                                            \
        seen = shmem_atomic_fetch_add(ctx, &word, (T)3, next);                                                    \
        CHECK(seen == (T)5, "generic fetch_add of " #NAME);                                                       \
        shmem_atomic_inc(&word, next);                                                                            \
        shmem_quiet();                                                                                            \
        seen = shmem_atomic_compare_swap(&word, (T)9, (T)20, next);                                               \
        CHECK(seen == (T)9, "generic compare_swap of " #NAME);                                                    \
        shmem_atomic_fetch_nbi(ctx, &seen, &word, next);                                                          \
        shmem_ctx_quiet(ctx);                                                                                     \
        CHECK(seen == (T)20, "generic fetch_nbi of " #NAME);                                                      \
        shmem_barrier_all();                                                                                      \
        shmem_wait_until(&word, SHMEM_CMP_EQ, (T)20);                                                             \
        CHECK(shmem_test(&word, SHMEM_CMP_LT, (T)21), "generic test of " #NAME);                                  \
        CHECK(shmem_wait_until_any(&word, 1, NULL, SHMEM_CMP_NE, (T)0) == 0, "generic wait_until_any of " #NAME); \
        shmem_barrier_all();                                                                                      \
    }
TYPES_AMO(AMO)

#define COLLECTIVE(NAME, T)                                                                                            \
    static void collective_##NAME(void)                                                                                \
    {                                                                                                                  \
        static T source[2], dest[2], all[2 * 256];                                                                     \
                                                                                                                       \
        source[0] = (T)(check_me % 100);                                                                               \
        source[1] = (T)3;                                                                                              \
        shmem_barrier_all();                                                                                           \
        CHECK(shmem_broadcast(SHMEM_TEAM_WORLD, dest, source, 2, check_npes - 1) == 0, "status of broadcast, " #NAME); \
        CHECK(dest[0] == (T)((check_npes - 1) % 100) && dest[1] == (T)3, "generic broadcast of " #NAME);               \
        shmem_sync(SHMEM_TEAM_WORLD);                                                                                  \
        CHECK(shmem_max_reduce(SHMEM_TEAM_WORLD, dest, source, 1) == 0, "status of max_reduce, " #NAME);               \
        CHECK(dest[0] == (T)((check_npes - 1) % 100), "generic max_reduce of " #NAME);                                 \
        CHECK(shmem_fcollect(SHMEM_TEAM_WORLD, all, source, 2) == 0, "status of fcollect, " #NAME);                    \
        CHECK(all[2 * (check_npes - 1)] == (T)((check_npes - 1) % 100), "generic fcollect of " #NAME);                 \
        CHECK(shmem_sum_exscan(SHMEM_TEAM_WORLD, dest, source + 1, 1) == 0, "status of sum_exscan, " #NAME);           \
        CHECK(dest[0] == (T)(3 * check_me), "generic sum_exscan of " #NAME);                                           \
    }
TYPES_RMA(COLLECTIVE)

int main(void)
{
    shmem_ctx_t ctx;
    check_start();

    REQUIRE(shmem_ctx_create(0, &ctx) == 0, "shmem_ctx_create failed on PE %d", check_me);
#define RUN_RMA(NAME, T) rma_##NAME(ctx);
#define RUN_AMO(NAME, T) amo_##NAME(ctx);
#define RUN_COLLECTIVE(NAME, T) collective_##NAME();
    TYPES_RMA(RUN_RMA)
    TYPES_AMO(RUN_AMO)
    TYPES_RMA(RUN_COLLECTIVE)
    shmem_ctx_destroy(ctx);
    return check_finish();
}
