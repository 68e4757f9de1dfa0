/* SPDX-License-Identifier: BSD-3-Clause */
/* For strangers.py: a server that opens a port, says so and accepts one client, or that client. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

int main(int argc, char **argv)
{
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm other;
    int got = 0;

    MPI_Init(&argc, &argv);
    if (argc > 1) {
        MPI_Comm_connect(argv[1], MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        MPI_Send(&(int){42}, 1, MPI_INT, 0, 0, other);
    } else {
        MPI_Open_port(MPI_INFO_NULL, port);
        printf("%s\n", port);
        fflush(stdout);
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_SELF, &other);
        MPI_Recv(&got, 1, MPI_INT, 0, 0, other, MPI_STATUS_IGNORE);
        printf("got %d\n", got);
    }
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
