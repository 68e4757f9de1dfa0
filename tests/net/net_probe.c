/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program the tests between hosts run: net_probe MODE [ARGUMENT]. Each mode
 * prints one line that the script checks, or fails with a message.
 */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { WORDS = 1 << 16 };

static int me, n;
static long word, sum, table[WORDS];
static char host[64];

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Where the PE is and whose memory it reaches by loads and stores. */
static int place(long argument)
{
    (void)argument;
    char near[256] = "";
    for (int pe = 0, at = 0; pe < n; pe++)
        if (shmem_ptr(&word, pe))
            at += snprintf(near + at, sizeof near - (size_t)at, "%s%d", at ? "," : "", pe);
    printf("PE %d of %d on %s shares memory with %s\n", me, n, host, near);
    return 0;
}

/* One round of everything with the neighbour; returns the number of faults. */
static int exchange_once(long round, long *from_heap)
{
    int to = (me + 1) % n, from = (me + n - 1) % n, faults = 0;
    static long local[WORDS];
    for (int i = 0; i < WORDS; i++)
        local[i] = round * 1000003 + me * 4099 + i;
    shmem_long_put(table, local, WORDS, to);
    shmem_long_put_nbi(from_heap, local, WORDS, to);
    shmem_long_atomic_add(&sum, me + 1, 0);
    shmem_barrier_all();
    for (int i = 0; i < WORDS; i++)
        faults += table[i] != round * 1000003 + from * 4099 + i || from_heap[i] != table[i];
    shmem_long_get(local, table, WORDS, to);
    for (int i = 0; i < WORDS; i++)
        faults += local[i] != round * 1000003 + me * 4099 + i;
    long all = shmem_long_g(&sum, 0);
    if (all != round * n * (n + 1) / 2)
        faults++;
    shmem_barrier_all();
    return faults;
}

/* Put, get, atomics and barriers for so many seconds. PE 0 says after the first
 * round that it is going, and in the end whether all was right. */
static int traffic(long seconds)
{
    long *from_heap = shmem_malloc(sizeof table), round = 0, go_on = 1;
    static long last, faults, all_faults;
    double begun = now();
    while (go_on) {
        faults += exchange_once(++round, from_heap);
        if (me == 0 && round == 1) {
            printf("going\n");
            fflush(stdout);
        }
        last = me == 0 && now() - begun < (double)seconds;
        shmem_barrier_all();
        go_on = shmem_long_g(&last, 0);
        shmem_barrier_all();
    }
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &all_faults, &faults, 1);
    if (me == 0)
        printf("%ld rounds, %ld faults\n", round, all_faults);
    shmem_free(from_heap);
    return all_faults != 0;
}

/* Wait for a word nobody will write, so that only the library can notice that
 * something is wrong. */
static int wait(long argument)
{
    (void)argument;
    shmem_barrier_all();
    if (me == 0)
        printf("going\n");
    fflush(stdout);
    shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    return 0;
}

static int global_exit(long status)
{
    shmem_barrier_all();
    if (me == n - 1)
        shmem_global_exit((int)status);
    shmem_barrier_all();
    return 0;
}

/* A large block there and back, in bytes. */
static int large(long bytes)
{
    char *there = shmem_malloc((size_t)bytes), *here = malloc((size_t)bytes);
    if (!there || !here)
        return 2;
    for (long i = 0; i < bytes; i++)
        here[i] = (char)(i * 7 + i / 4096 + me);
    shmem_putmem(there, here, (size_t)bytes, (me + 1) % n);
    shmem_barrier_all();
    memset(here, 0, (size_t)bytes);
    shmem_getmem(here, there, (size_t)bytes, (me + 1) % n);
    long faults = 0;
    for (long i = 0; i < bytes; i++)
        faults += here[i] != (char)(i * 7 + i / 4096 + me);
    shmem_barrier_all();
    shmem_free(there);
    if (me == 0)
        printf("%ld bytes, %ld faults\n", bytes, faults);
    return faults != 0;
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        int (*run)(long);
    } modes[] = {
        {"place", place}, {"traffic", traffic}, {"wait", wait}, {"global_exit", global_exit}, {"large", large}};
    long argument = argc > 2 ? atol(argv[2]) : 0;
    int status = 2;
    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    gethostname(host, sizeof host - 1);
    for (size_t i = 0; argc > 1 && i < sizeof modes / sizeof *modes; i++)
        if (!strcmp(argv[1], modes[i].name))
            status = modes[i].run(argument);
    fflush(stdout);
    shmem_finalize();
    return status;
}
