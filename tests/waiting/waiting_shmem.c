/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Right programs of SHMEM that wait (see waiting_mpi.c).
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHORT_MS = 3, LONG_MS = 90 };

static int me, n;
static unsigned state;
static long flag, lock, count, word;

static unsigned draw(unsigned most)
{
    state = state * 1103515245u + 12345u;
    return (state >> 16) % most;
}

static void nap(void)
{
    unsigned long_one = draw(4) == 0, ms = 1 + draw(long_one ? LONG_MS : SHORT_MS), who = draw((unsigned)n);

    if ((unsigned)me == who)
        usleep(ms * 1000);
}

static void chain(void)
{
    static long round;

    round++;
    if (me > 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    nap();
    shmem_long_p(&flag, round, (me + 1) % n);
    if (me == 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_GE, round);
    shmem_barrier_all();
}

/* Stores by a plain pointer ring nobody. */
static void plain(void)
{
    static long round;
    long *there = shmem_ptr(&word, (me + 1) % n);

    round++;
    nap();
    if (there)
        __atomic_store_n(there, round, __ATOMIC_RELEASE);
    else
        shmem_long_atomic_set(&word, round, (me + 1) % n);
    shmem_long_wait_until(&word, SHMEM_CMP_GE, round);
    shmem_barrier_all();
}

static void locks(void)
{
    shmem_set_lock(&lock);
    shmem_long_p(&count, shmem_long_g(&count, 0) + 1, 0);
    shmem_quiet();
    nap();
    shmem_clear_lock(&lock);
    shmem_barrier_all();
}

static void loops(void)
{
    static long round;

    round++;
    nap();
    shmem_long_atomic_inc(&count, (me + 1) % n);
    shmem_long_p(&flag, shmem_long_g(&flag, me), me);
    for (int i = 0; me % 2 == 0 && !shmem_long_test(&flag, SHMEM_CMP_GE, 0) && i < 10; i++)
        usleep(100);
    nap();
    shmem_sync_all();
    shmem_barrier_all();
}

static void collectives(void)
{
    static long from[16], to[16];

    nap();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, to, from, 16);
    nap();
    shmem_broadcastmem(SHMEM_TEAM_WORLD, to, from, sizeof to, (int)draw((unsigned)n));
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    static void (*const all[])(void) = {chain, plain, locks, loops, collectives};
    const unsigned seed = argc > 1 ? (unsigned)atoi(argv[1]) : 1, steps = argc > 2 ? (unsigned)atoi(argv[2]) : 6;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    state = seed * 2654435761u + 1;
    for (unsigned i = 0; i < steps; i++)
        all[draw(sizeof all / sizeof *all)]();
    nap();
    shmem_finalize();
    return 0;
}
