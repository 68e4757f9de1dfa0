/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For counters.py: PE 0 computes between two calls, PE 1 sleeps, the last touches memory that is new. Then all compute
 * shortly, many times.
 */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { PAGES = 500, PAGE = 4096, TIMES = 40 };

static void count(int n)
{
    volatile double sum = 0.0;

    for (int i = 0; i < n; i++)
        sum += i;
}

static void compute(void)
{
    for (clock_t until = clock() + CLOCKS_PER_SEC / 5; clock() < until;)
        count(10000);
    nanosleep(&(struct timespec){0, 0}, NULL);
}

static void touch(void)
{
    char *at = mmap(NULL, (size_t)PAGES * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (at == MAP_FAILED)
        MPI_Abort(MPI_COMM_WORLD, 3);
    madvise(at, (size_t)PAGES * PAGE, MADV_NOHUGEPAGE);
    for (int i = 0; i < PAGES; i++)
        at[i * PAGE] = 1;
    munmap(at, (size_t)PAGES * PAGE);
}

int main(int argc, char **argv)
{
    int me, n;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Barrier(MPI_COMM_WORLD);
    if (me == 0)
        compute();
    else if (me == n - 1)
        touch();
    else
        nanosleep(&(struct timespec){0, 50000000}, NULL);
    MPI_Bcast(&n, 1, MPI_INT, 0, MPI_COMM_WORLD);
    for (int i = 0; i < TIMES; i++) {
        count(100000);
        MPI_Allreduce(MPI_IN_PLACE, &n, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
