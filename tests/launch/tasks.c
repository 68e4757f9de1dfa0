/* SPDX-License-Identifier: BSD-3-Clause */
/* A PE that may share its process with others: tasks MODE. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long counter;            /* symmetric, and each PE's own */
static _Thread_local int mine;  /* the same of a thread's variables */
static volatile long flag;
static int constructed;

__attribute__((constructor)) static void construct(void)
{
    constructed++;
}

static void say_goodbye(void)
{
    printf("PE %d: goodbye\n", mine);
}

/* What is a PE's is no other's. */
static int own(int me, int n)
{
    mine = me;
    counter = 0;
    setenv("TASKS_OF_PE", me ? "another" : "zero", 1);
    shmem_barrier_all();
    for (int pe = 0; pe < n; pe++)
        shmem_long_atomic_add(&counter, me + 1, pe);
    shmem_barrier_all();
    atexit(say_goodbye);
    printf("PE %d of %d: counter %ld, mine %d, constructed %d, %s\n", me, n, counter, mine, constructed,
           getenv("TASKS_OF_PE"));
    return 0;
}

/* Lines that are written in parts, by stdio and by write. */
static int output(int me)
{
    printf("PE %d begins", me);
    fflush(stdout);
    shmem_barrier_all();
    printf(" and ends\n");
    fflush(stdout);
    char line[32];
    int length = snprintf(line, sizeof line, "PE %d writes\n", me);
    return write(STDOUT_FILENO, line, (size_t)length) == length ? 0 : 1;
}

/* PE 1 looks at its own memory without any call until PE 0 has stored there; on one core it must be interrupted. */
static int stare(int me)
{
    shmem_barrier_all();
    if (me == 0)
        shmem_long_p((long *)&flag, 1, 1);
    while (me == 1 && !flag)
        continue;
    shmem_barrier_all();
    return 0;
}

int main(int argc, char **argv)
{
    const char *mode = argc > 1 ? argv[1] : "own";
    int rc = 0;

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), last = me == n - 1;
    if (strcmp(mode, "own") == 0)
        rc = own(me, n);
    else if (strcmp(mode, "output") == 0)
        rc = output(me);
    else if (strcmp(mode, "stare") == 0)
        rc = stare(me);
    else if (strcmp(mode, "exit") == 0 && last)
        exit(3);
    else if (strcmp(mode, "fault") == 0 && last)
        *(volatile int *)8 = 1;
    else if (strcmp(mode, "abort") == 0 && last)
        abort();
    else if (strcmp(mode, "global") == 0 && last)
        shmem_global_exit(7);
    else if (strcmp(mode, "leave") == 0 && last)
        return 0;
    shmem_barrier_all();
    shmem_finalize();
    return strcmp(mode, "fail") == 0 && last ? 5 : rc;
}
