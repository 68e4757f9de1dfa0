/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of known ways for a while: each PE exchanges with a partner on the other half, waits a little now and then,
 * and all meet. Argument: seconds.
 */
#include <mpi.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
    int me, n, partner, go = 1, word = 0;
    double end;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &n);
    partner = (me + n / 2) % n;
    end = MPI_Wtime() + (argc > 1 ? atof(argv[1]) : 1);
    while (go) {
        for (int i = 0; i < 50; i++) {
            if (me < partner) {
                MPI_Send(&word, 1, MPI_INT, partner, 1, MPI_COMM_WORLD);
                MPI_Recv(&word, 1, MPI_INT, partner, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            } else {
                MPI_Recv(&word, 1, MPI_INT, partner, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
                MPI_Send(&word, 1, MPI_INT, partner, 2, MPI_COMM_WORLD);
            }
        }
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
        go = MPI_Wtime() < end;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
