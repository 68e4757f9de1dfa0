/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SHMEM and MPI in one program: integers are sorted. Each PE keeps one range of the keys. SHMEM moves them, since the
 * sender alone decides where they go: an atomic addition reserves places at the PE that keeps them, a put fills these.
 * MPI checks the result, since its collectives say that best. PE numbers and ranks of MPI_COMM_WORLD are the same.
 *
 *   oshcc -O2 sort.c -o sort && oshrun -np 4 ./sort
 */
#include <mpi.h>
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { KEYS = 1 << 16, RANGE = 1 << 20 }; /* keys of all PEs together; all are below RANGE */

static long taken; /* symmetric: places of this PE's part that are taken */
static int me, npes;

static int next_key(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (int)(*state >> 12) % RANGE;
}

static int keeper(int key)
{
    return (int)((long)key * npes / RANGE);
}

static int compare(const void *a, const void *b)
{
    const int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Each PE's keys go to their keepers, all keys for one keeper by one put. */
static void distribute(int *keys, int n, int *part, long room)
{
    qsort(keys, (size_t)n, sizeof *keys, compare);
    for (int first = 0, end; first < n; first = end) {
        const int pe = keeper(keys[first]);
        for (end = first; end < n && keeper(keys[end]) == pe; end++)
            ;
        const long place = shmem_long_atomic_fetch_add(&taken, end - first, pe);
        if (place + end - first > room) {
            fprintf(stderr, "sort: no room for the keys of PE %d\n", pe);
            shmem_global_exit(1);
        }
        shmem_int_put(part + place, keys + first, (size_t)(end - first), pe);
    }
    shmem_barrier_all(); /* all puts have arrived */
}

/* Keys and their sum are all there, and no PE begins below where the ones before it ended. */
static int check(const int *part, long before, long long sum_before)
{
    long long mine[2] = {taken, 0}, all[2];
    int bad = 0, most = taken ? part[taken - 1] : -1, most_before = -1, anywhere;

    for (long i = 0; i < taken; i++) {
        mine[1] += part[i];
        bad |= i > 0 && part[i] < part[i - 1];
    }
    MPI_Exscan(&most, &most_before, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    bad |= me > 0 && taken && part[0] < most_before;
    mine[0] -= before;
    mine[1] -= sum_before;
    MPI_Allreduce(mine, all, 2, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    bad |= all[0] != 0 || all[1] != 0;
    MPI_Allreduce(&bad, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return anywhere;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();

    const int n = KEYS / npes;
    const long room = 2 * n + 1000; /* keys are spread evenly, more or less */
    int *const keys = malloc((size_t)n * sizeof *keys), *const part = shmem_malloc((size_t)room * sizeof *part);
    if (!keys || !part)
        shmem_global_exit(1);
    uint32_t state = (uint32_t)me * 40503u + 1;
    long long sum = 0;
    for (int i = 0; i < n; i++)
        sum += keys[i] = next_key(&state);
    shmem_barrier_all();

    distribute(keys, n, part, room);
    qsort(part, (size_t)taken, sizeof *part, compare);
    const int bad = check(part, n, sum);
    if (me == 0)
        printf("%d PEs sorted %d keys: %s\n", npes, n * npes, bad ? "wrong" : "right");

    shmem_free(part);
    free(keys);
    shmem_finalize();
    MPI_Finalize();
    return bad;
}
