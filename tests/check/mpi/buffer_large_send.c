/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A long message, which the receiver reads from the sender's memory, is given back to the system too early.
 * check: buffer-in-use
 * also: race
 */
#include <mpi.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

enum { N = 8 << 20 };

int main(void)
{
    int rank, size;
    MPI_Request request;
    char *in, *out;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    in = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    out = mmap(NULL, N, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    memset(out, rank, N);
    MPI_Isend(out, N, MPI_CHAR, (rank + 1) % size, 0, MPI_COMM_WORLD, &request); /* found */
    MPI_Recv(in, N, MPI_CHAR, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
#ifdef WRONG
    munmap(out, N);
#endif
    MPI_Wait(&request, MPI_STATUS_IGNORE);
#ifndef WRONG
    munmap(out, N);
#endif
    munmap(in, N);
    MPI_Finalize();
    return 0;
}
