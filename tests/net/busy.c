/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 0 computes for a second without a call of the library. Meanwhile the last PE, which is on another host, writes to
 * its memory and reads it, and exchanges words with PE 1, which shares PE 0's process where PEs are tasks. Says how
 * long each of these took at most.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { ROUNDS = 50, LIMIT_MS = 500 };

static long word, ping, pong, stop;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Reads its memory as programs do that wait by themselves. */
static int compute(void)
{
    double begun = now();
    volatile double sum = 0;
    while (now() - begun < 1000 || (!*(volatile long *)&stop && now() - begun < 30000))
        for (int i = 1; i < 100000; i++)
            sum += 1.0 / i;
    return stop != 1 || word != ROUNDS;
}

static void echo(int last)
{
    for (long i = 1; i <= ROUNDS; i++) {
        shmem_long_wait_until(&ping, SHMEM_CMP_GE, i);
        shmem_long_p(&pong, i, last);
        shmem_quiet();
    }
}

static int ask(void)
{
    double most = 0;
    long faults = 0;
    for (long i = 1; i <= ROUNDS; i++) {
        double begun = now(), took;
        shmem_long_p(&word, i, 0);
        faults += shmem_long_g(&word, 0) != i;
        shmem_long_p(&ping, i, 1);
        shmem_long_wait_until(&pong, SHMEM_CMP_GE, i);
        took = now() - begun;
        most = took > most ? took : most;
    }
    shmem_long_p(&stop, 1, 0);
    shmem_quiet();
    if (most <= LIMIT_MS && !faults)
        printf("served within %.0f ms\n", most);
    else
        printf("%ld faults, %.1f ms\n", faults, most);
    fflush(stdout);
    return faults != 0;
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), last = shmem_n_pes() - 1, faults = 0;
    shmem_barrier_all();
    if (me == 0)
        faults = compute();
    else if (me == last)
        faults = ask();
    else if (me == 1)
        echo(last);
    shmem_barrier_all();
    shmem_finalize();
    return faults;
}
