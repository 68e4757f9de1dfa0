/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The buffer of a matched receive is written to before the receive is complete. From C++.
 * check: buffer-in-use
 */
#include <mpi.h>

#include <vector>

int main()
{
    int rank, size;
    std::vector<double> in(1000), out(1000, 1.0);
    MPI_Message message;
    MPI_Request requests[2];

    MPI_Init(nullptr, nullptr);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Isend(out.data(), 1000, MPI_DOUBLE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Mprobe((rank + size - 1) % size, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Imrecv(in.data(), 1000, MPI_DOUBLE, &message, &requests[1]); // found
#ifdef WRONG
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
    in[500] += 1;
    MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
#else
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    in[500] += 1;
#endif
    MPI_Finalize();
    return 0;
}
