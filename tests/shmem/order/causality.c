/* SPDX-License-Identifier: BSD-3-Clause */
/* A put that has been completed by quiet is seen by everyone who learns of it, however indirectly: the news runs from
 * PE to PE round the ring, and each reads the word at its home, which is a third PE. */
#include "../../check.h"

#define ROUNDS 400

static long fact, big_fact[100], news;
static shmem_ctx_t ctx;

static void expect_fact(long round, int home)
{
    long copy[100];

    CHECK(shmem_long_g(&fact, home) == round, "round %ld: the word at PE %d is %ld", round, home,
          shmem_long_g(&fact, home));
    shmem_long_get(copy, big_fact, 100, home);
    CHECK(copy[0] == round && copy[99] == round, "round %ld: the array at PE %d is %ld..%ld", round, home, copy[0],
          copy[99]);
}

static void state_fact(long round, int home)
{
    static long copy[100];

    for (int i = 0; i < 100; i++)
        copy[i] = round;
    shmem_long_p(&fact, round, home);
    if (round % 2) {
        shmem_long_put_nbi(big_fact, copy, 100, home);
        shmem_quiet();
    } else {
        shmem_ctx_long_put_nbi(ctx, big_fact, copy, 100, home);
        shmem_ctx_quiet(ctx);
        shmem_pe_quiet(&home, 1);
    }
}

int main(void)
{
    int status, home;

    check_start();
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    home = check_npes / 2;
    shmem_barrier_all();
    for (long round = 1; round <= ROUNDS; round++) {
        if (check_me == 0) {
            state_fact(round, home);
        } else {
            shmem_long_wait_until(&news, SHMEM_CMP_EQ, round);
            expect_fact(round, home);
        }
        shmem_long_p(&news, round, check_next());
        if (check_me == 0) {
            shmem_long_wait_until(&news, SHMEM_CMP_EQ, round);
            expect_fact(round, home);
        }
    }
    shmem_ctx_destroy(ctx);
    return check_finish();
}
