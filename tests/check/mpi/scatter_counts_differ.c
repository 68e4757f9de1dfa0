/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Ranks give MPI_Reduce_scatter different counts.
 * check: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, counts[4], all[16] = {0}, mine[4];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++)
        counts[i] = 2;
#ifdef WRONG
    if (rank == 0) {
        counts[0] = 1;
        counts[1] = 3;
    }
#endif
    MPI_Reduce_scatter(all, mine, counts, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* found */
    MPI_Finalize();
    return 0;
}
