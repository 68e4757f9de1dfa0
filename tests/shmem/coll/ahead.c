/* SPDX-License-Identifier: BSD-3-Clause */
/* A root does not wait for those that take its broadcast: many one after the other, each with other bytes and sizes
 * around those where algorithms change, are seen by all in order. And fcollect, alltoall and sums of these sizes, the
 * sums in place. */
#include <string.h>
#include <unistd.h>

#include "check.h"

enum { MOST = 70000, SMALL = 8193, GROUP = 200, ROUNDS = 5 * GROUP };

static const size_t sizes[] = {1, 8, 48, 49, 1000, 1024, 1025, 4096, 4097, 8192, 8193, 32769, 65536, 65537, MOST};
static unsigned char *source, *dest;

static unsigned char byte_of(int pe, size_t i, long round)
{
    return (unsigned char)(i * 7 + (size_t)round * 13 + (size_t)pe * 31);
}

static void fill(unsigned char *at, size_t n, long round)
{
    for (size_t i = 0; i < n; i++)
        at[i] = byte_of(check_me, i, round);
}

static void expect(const unsigned char *at, size_t n, int pe, size_t from, long round, const char *what)
{
    for (size_t i = 0; i < n; i++)
        if (!CHECK(at[i] == byte_of(pe, from + i, round), "%s of %zu bytes, round %ld: byte %zu of PE %d is %d", what,
                   n, round, i, pe, at[i]))
            return;
}

static void broadcast(unsigned char *to, size_t n, int root, long round)
{
    if (check_me == root)
        fill(source, n, round);
    shmem_broadcastmem(SHMEM_TEAM_WORLD, to, source, n, root);
    expect(to, n, root, 0, round, "broadcast");
    if (check_me == root)
        memset(source, 0xee, n); /* at once: it has been taken or kept */
}

static void many_broadcasts(long seed)
{
    for (long round = seed; round < seed + ROUNDS; round++) {
        size_t n = sizes[(size_t)round % CHECK_COUNT(sizes)];
        int root = (int)(round / GROUP) % check_npes;

        if (round % GROUP == 0 && check_me != root)
            usleep(2000); /* the root is far ahead */
        /* no call's dest is in use by the one before */
        broadcast(dest + (size_t)(round % GROUP) * SMALL, n < SMALL ? n : SMALL, root, round);
        if (round % GROUP == GROUP - 1)
            shmem_sync_all(); /* the next root's arrays are free */
    }
}

static void gather(size_t n, long round)
{
    fill(source, n, round);
    shmem_sync_all();
    shmem_fcollectmem(SHMEM_TEAM_WORLD, dest, source, n);
    for (int pe = 0; pe < check_npes; pe++)
        expect(dest + (size_t)pe * n, n, pe, 0, round, "fcollect");
}

static void exchange(size_t n, long round)
{
    fill(source, n * (size_t)check_npes, round);
    shmem_sync_all();
    shmem_alltoallmem(SHMEM_TEAM_WORLD, dest, source, n);
    for (int pe = 0; pe < check_npes; pe++)
        expect(dest + (size_t)pe * n, n, pe, (size_t)check_me * n, round, "alltoall");
}

static void sum_on_itself(size_t n)
{
    long *values = (long *)(void *)dest;
    size_t count = n / sizeof *values;
    long all = (long)check_npes * (check_npes + 1) / 2;

    for (size_t i = 0; i < count; i++)
        values[i] = (check_me + 1) * (long)(i + 1);
    shmem_sync_all();
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, values, values, count);
    for (size_t i = 0; i < count; i++)
        if (!CHECK(values[i] == all * (long)(i + 1), "sum of %zu: element %zu is %ld", count, i, values[i]))
            return;
}

int main(void)
{
    check_start();
    source = shmem_calloc((size_t)check_npes, MOST);
    dest = shmem_calloc(1, (size_t)check_npes * MOST + GROUP * SMALL);
    REQUIRE(source && dest, "no symmetric memory");
    for (size_t k = 0; k < CHECK_COUNT(sizes); k++) {
        gather(sizes[k], (long)k);
        exchange(sizes[k], (long)k);
        sum_on_itself(sizes[k]);
        shmem_sync_all();
        broadcast(dest, sizes[k], (int)k % check_npes, (long)k);
        shmem_sync_all();
    }
    many_broadcasts(0);
    sum_on_itself(4096);
    many_broadcasts(ROUNDS);
    return check_finish();
}
