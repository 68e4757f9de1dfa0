/* SPDX-License-Identifier: BSD-3-Clause
 *
 * am_wait_for waits for memory, too: a put of another PE ends its sleep at once, and not when the sleep's limit is over
 * (20 ms), be the word a global or in the heap.
 */
#include "acheck.h"

#include <shmem.h>
#include <time.h>

enum { ROUNDS = 15, ATTEMPTS = 3 };
static const double SLEEPS = 60e-3,
                    SOON = 3e-3; /* seconds: until all sleep their longest; half of the rounds take less */

static double word; /* when it was put */

static double seconds(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Median of the times from a put by PE 0 until this PE's wait has ended. */
static double woken(double *at)
{
    double took[ROUNDS];

    for (int i = 0; i < ROUNDS; i++) {
        *at = 0;
        shmem_barrier_all();
        if (ac_me == 0) {
            nanosleep(&(struct timespec){.tv_nsec = (long)(SLEEPS * 1e9)}, NULL);
            for (int pe = 1; pe < ac_n; pe++)
                shmem_double_p(at, seconds(), pe);
            took[i] = 0;
        } else {
            am_wait_for(*(volatile double *)at > 0);
            took[i] = seconds() - *at;
        }
    }
    qsort(took, ROUNDS, sizeof *took, by_size);
    return took[ROUNDS / 2];
}

/* The clock is the same on all nodes only where there is one. */
static bool one_node(void)
{
    for (int pe = 0; pe < ac_n; pe++)
        if (!shmem_ptr(&word, pe))
            return false;
    return true;
}

static void soon(double *at, const char *what)
{
    static double longest;
    double all = 1, mine = 1;

    for (int attempt = 0; attempt < ATTEMPTS && all > SOON; attempt++) {
        mine = longest = woken(at);
        shmem_barrier_all();
        all = 0;
        for (int pe = 0; pe < ac_n; pe++) {
            double its = shmem_double_g(&longest, pe);

            all = its > all ? its : all;
        }
        shmem_barrier_all();
    }
    CHECK(mine <= SOON || !one_node(), "%s: a put is seen after %.1f ms", what, mine * 1e3);
}

int main(void)
{
    double *block;

    ac_start();
    shmem_init();
    block = shmem_malloc(sizeof *block);
    soon(&word, "a global");
    soon(block, "the heap");
    shmem_free(block);
    shmem_finalize();
    return ac_finish();
}
