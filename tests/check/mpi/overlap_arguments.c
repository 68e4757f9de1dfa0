/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The parts of a gather overlap in the root's memory: one displacement is too small.
 * check: buffer-overlap
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, size, mine[2] = {0}, all[8], counts[4], displs[4];

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < size; i++) {
        counts[i] = 2;
        displs[i] = 2 * i;
    }
#ifdef WRONG
    displs[size - 1]--;
#endif
    MPI_Gatherv(mine, 2, MPI_INT, all, counts, displs, MPI_INT, 0, MPI_COMM_WORLD); /* found */
    MPI_Finalize();
    return 0;
}
