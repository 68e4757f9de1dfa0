/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A first program, as users compile it from an installation: each process says whose number it has got.
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int me, n, from;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, 0, &from, 1, MPI_INT, (me + n - 1) % n, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    printf("%d got %d\n", me, from);
    return MPI_Finalize();
}
