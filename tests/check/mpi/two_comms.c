/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two communicators of the same processes, used in different orders.
 * check: deadlock
 * also: collective-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, value = 1;
    MPI_Comm a, b;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &a);
    MPI_Comm_dup(MPI_COMM_WORLD, &b);
#ifdef WRONG
    MPI_Barrier(rank == 0 ? a : b); /* found */
    MPI_Barrier(rank == 0 ? b : a);
#else
    MPI_Barrier(a);
    MPI_Barrier(b);
#endif
    MPI_Bcast(&value, 1, MPI_INT, 0, a);
    MPI_Comm_free(&a);
    MPI_Comm_free(&b);
    MPI_Finalize();
    return 0;
}
