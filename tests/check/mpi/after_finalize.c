/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI is called after it has been finalized.
 * check: call-order
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    MPI_Init(NULL, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
#ifdef WRONG
    MPI_Barrier(MPI_COMM_WORLD); /* found */
#endif
    return 0;
}
