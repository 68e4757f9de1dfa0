/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A receive that no message matches is left at the end; the right program cancels it.
 * check: request-leak
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int in;
    MPI_Request r;

    MPI_Init(NULL, NULL);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, &r); /* found */
#ifndef WRONG
    MPI_Cancel(&r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
#endif
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
