/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A communicator is used by a copy of its handle after it was freed.
 * check: use-after-free
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    MPI_Comm dup, copy;
    int rank;

    MPI_Init(NULL, NULL);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup);
    copy = dup;
    MPI_Comm_rank(copy, &rank);
    MPI_Comm_free(&dup);
#ifdef WRONG
    MPI_Barrier(copy); /* found */
#endif
    MPI_Finalize();
    return 0;
}
