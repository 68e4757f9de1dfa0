/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One rank sends another amount than the others receive of it.
 * check: collective-mismatch
 * also: truncation
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, counts[4], at[4], mine[4] = {0}, all[16];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = i + 1;
        at[i] = 4 * i;
    }
#ifdef WRONG
    MPI_Allgatherv(mine, rank == 1 ? 1 : rank + 1, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD); /* found */
#else
    MPI_Allgatherv(mine, rank + 1, MPI_INT, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, counts, at, MPI_INT, MPI_COMM_WORLD);
    MPI_Gatherv(mine, rank + 1, MPI_INT, all, counts, at, MPI_INT, size - 1, MPI_COMM_WORLD);
    MPI_Scatterv(all, counts, at, MPI_INT, mine, rank + 1, MPI_INT, 0, MPI_COMM_WORLD);
#endif
    MPI_Finalize();
    return 0;
}
