/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A loop that shares itself out, by one-sided calls: rank 0's memory has the number of the next chunk, and whoever is
 * free takes it with one fetch-and-add. Rank 0 counts along with the others; nobody answers requests. The chunks
 * count prime numbers, and their counts are accumulated where the tickets are.
 *
 *   mpicc -O2 tickets.c -o tickets && mpiexec -n 4 ./tickets
 */
#include <mpi.h>
#include <stdio.h>

enum { LIMIT = 1000000, CHUNK = 5000, PRIMES = 78498 };
enum { NEXT, FOUND, WORDS }; /* what rank 0's window holds */

static int is_prime(long n)
{
    if (n < 4)
        return n > 1;
    if (n % 2 == 0)
        return 0;
    for (long d = 3; d * d <= n; d += 2)
        if (n % d == 0)
            return 0;
    return 1;
}

static long count_chunk(long chunk)
{
    long found = 0;
    for (long n = chunk * CHUNK; n < (chunk + 1) * CHUNK && n < LIMIT; n++)
        found += is_prime(n);
    return found;
}

int main(int argc, char **argv)
{
    const long one = 1, chunks = (LIMIT + CHUNK - 1) / CHUNK;
    long *words, ticket, result = 0;
    int rank;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 0 ? WORDS * sizeof(long) : 0, sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &words, &win);
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        words[NEXT] = words[FOUND] = 0;
        MPI_Win_sync(win);
    }
    MPI_Barrier(MPI_COMM_WORLD);

    for (;;) {
        MPI_Fetch_and_op(&one, &ticket, MPI_LONG, 0, NEXT, MPI_SUM, win);
        MPI_Win_flush(0, win);
        if (ticket >= chunks)
            break;
        const long found = count_chunk(ticket);
        MPI_Accumulate(&found, 1, MPI_LONG, 0, FOUND, 1, MPI_LONG, MPI_SUM, win);
        MPI_Win_flush_local(0, win); /* `found` may go */
    }

    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD); /* all counts have been added */
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        result = words[FOUND];
        MPI_Win_unlock(0, win);
        printf("%ld primes below %d\n", result, LIMIT);
    }
    MPI_Bcast(&result, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return result == PRIMES ? 0 : 1;
}
