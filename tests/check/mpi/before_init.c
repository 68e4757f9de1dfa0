/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI is called before it is initialized.
 * check: call-order
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank;

#ifdef WRONG
    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* found */
#endif
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Finalize();
    return 0;
}
