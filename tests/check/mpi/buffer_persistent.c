/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A persistent send's buffer is filled for the next time before this time is over; columns of a matrix, so that only
 * some of the memory is in use.
 * check: buffer-in-use
 */
#include <mpi.h>
#include <stddef.h>

enum { N = 20 };

int main(void)
{
    int rank, size;
    double matrix[N][N] = {{0}}, in[N];
    MPI_Request request;
    MPI_Datatype column;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Type_vector(N, 1, N, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Send_init(&matrix[0][3], 1, column, (rank + 1) % size, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 3; i++) {
        matrix[i][3] = i;
        MPI_Start(&request); /* found */
        for (int k = 0; k < N; k++)
            matrix[k][2] = matrix[k][4] = i + k; /* its neighbours are free */
#ifdef WRONG
        matrix[i + 1][3] = i + 1;
#endif
        MPI_Recv(in, N, MPI_DOUBLE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
