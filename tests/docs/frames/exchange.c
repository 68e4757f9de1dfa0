// SPDX-License-Identifier: BSD-3-Clause
// $ mpicc -g -pthread exchange.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <mpi.h>
#include <pthread.h>

static void *exchange(void *nothing)
{
    int value = 0;

    MPI_Send(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    return nothing;
}

int main(void)
{
    int provided;
    pthread_t thread;

    // LISTING
    int value;

    pthread_join(thread, NULL);
    MPI_Recv(&value, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
