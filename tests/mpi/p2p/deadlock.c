/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A victim for deadlock.py: two ranks that wait for each other in vain, or
 * ("none") one that waits long, but for a rank that sleeps outside MPI.
 */
#include <mcheck.h>

static void recv_in_vain(void)
{
    int x;
    MPI_Request r[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

    if (mc_rank == 0)
        OK(MPI_Recv(&x, 1, MPI_INT, 1, 42, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Irecv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &r[1]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
}

static void send_in_vain(void)
{
    int x = 0;

    if (mc_rank == 0)
        OK(MPI_Ssend(&x, 1, MPI_INT, 1, 3, MPI_COMM_WORLD));
    OK(MPI_Probe(0, MPI_ANY_TAG, MPI_COMM_SELF, MPI_STATUS_IGNORE));
}

int main(int argc, char **argv)
{
    mc_start();
    if (argc > 1 && strcmp(argv[1], "recv") == 0)
        recv_in_vain();
    if (argc > 1 && strcmp(argv[1], "send") == 0)
        send_in_vain();
    if (mc_rank == 1)
        sleep(6);
    OK(MPI_Barrier(MPI_COMM_WORLD));
    return mc_finish();
}
