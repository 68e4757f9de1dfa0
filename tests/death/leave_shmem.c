/* SPDX-License-Identifier: BSD-3-Clause */
/* leave_shmem WHERE: the last PE calls exit(0) in the middle; the others wait there for what it does not do. PEs 0 and
 * 1 of 3 do without it in `puts` and `late`. */
#include <shmem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static long word, lock, count, words[4];

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* What is tested for never comes; the count does, without a call of its owner. */
static void puts_there(int other)
{
    double end = now() + 3.2;

    for (long n = 1; n % 65536 || now() < end; n++) {
        shmem_long_test(&word, SHMEM_CMP_EQ, 1);
        shmem_long_p(&count, n, other);
    }
    while (*(volatile long *)&count < 65536)
        shmem_quiet();
}

static void late(int me)
{
    double end = now() + 3.2;

    if (me == 0) {
        while (!shmem_long_test(&word, SHMEM_CMP_EQ, 1))
            ;
        return;
    }
    while (now() < end)
        count++;
    shmem_long_p(&word, 1, 0);
    shmem_quiet();
}

int main(int argc, char **argv)
{
    const char *where = argc > 1 ? argv[1] : "barrier";

    shmem_init();
    int me = shmem_my_pe(), last = shmem_n_pes() - 1;
    if (me == last)
        shmem_set_lock(&lock);
    shmem_barrier_all();
    if (me == last) {
        usleep(200000);
        exit(0);
    }
    if (strcmp(where, "wait") == 0)
        shmem_long_wait_until(&word, SHMEM_CMP_EQ, 1);
    else if (strcmp(where, "test") == 0)
        while (!shmem_long_test(&word, SHMEM_CMP_EQ, 1))
            ;
    else if (strcmp(where, "test_any") == 0)
        while (shmem_long_test_any(words, 4, NULL, SHMEM_CMP_EQ, 1) == SIZE_MAX)
            ;
    else if (strcmp(where, "test_lock") == 0)
        while (shmem_test_lock(&lock))
            ;
    else if (strcmp(where, "puts") == 0)
        puts_there(!me);
    else if (strcmp(where, "late") == 0)
        late(me);
    else
        shmem_barrier_all();
    printf("went on\n");
    return 0;
}
