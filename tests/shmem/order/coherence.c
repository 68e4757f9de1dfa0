/* SPDX-License-Identifier: BSD-3-Clause */
/* One word, written by its PE 0 in rising order with a fence after each write, never seems to go back: not to gets, to
 * atomic fetches, to local loads of its owner, nor to mixtures of them. */
#include "../../check.h"

#define WRITES 5000
#define LAST (WRITES + 1)

static long word;

static void write_rising(int home)
{
    for (long i = 1; i <= WRITES; i++) {
        if (i % 3)
            shmem_long_p(&word, i, home);
        else
            shmem_long_atomic_set(&word, i, home);
        shmem_fence();
    }
    shmem_long_p(&word, LAST, home);
}

static void watch(int home)
{
    long last = 0, now = 0;

    for (long i = 0; now != LAST; i++) {
        const char *how = "shmem_long_g";
        if (i % 3 == 0) {
            now = shmem_long_g(&word, home);
        } else if (i % 3 == 1) {
            how = "shmem_long_atomic_fetch";
            now = shmem_long_atomic_fetch(&word, home);
        } else {
            how = "shmem_getmem";
            shmem_getmem(&now, &word, sizeof now, home);
        }
        if (!CHECK(now >= last, "%s saw %ld after %ld", how, now, last))
            return;
        last = now;
    }
}

/* The owner loads its word directly; shmem_test keeps the load fresh. */
static void watch_own(void)
{
    long last = 0;

    while (!shmem_long_test(&word, SHMEM_CMP_EQ, LAST)) {
        long now = *(volatile long *)&word;
        if (!CHECK(now >= last, "a load saw %ld after %ld", now, last))
            return;
        last = now;
    }
}

int main(void)
{
    int home;

    check_start();
    home = check_npes - 1;
    shmem_barrier_all();
    if (check_me == 0)
        write_rising(home);
    else if (check_me == home)
        watch_own();
    else
        watch(home);
    shmem_barrier_all();
    CHECK(shmem_long_g(&word, home) == LAST, "at the end the word is %ld, expected %d", shmem_long_g(&word, home),
          LAST);
    return check_finish();
}
