/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integers are received as floating point numbers; in the right program a structure, a vector and a longer receive
 * differ in all but their signatures.
 * check: type-mismatch
 */
#include <mpi.h>
#include <stddef.h>

int main(void)
{
    int rank, a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    float f[8];
    struct {
        int i[2];
        double d;
    } s = {{1, 2}, 3}, parts;
    MPI_Datatype mixed, vector;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_struct(2, (int[]){2, 1}, (MPI_Aint[]){0, offsetof(__typeof__(s), d)},
                           (MPI_Datatype[]){MPI_INT, MPI_DOUBLE}, &mixed);
    MPI_Type_commit(&mixed);
    MPI_Type_vector(4, 1, 2, MPI_INT, &vector);
    MPI_Type_commit(&vector);
    if (rank == 0) {
        MPI_Send(a, 8, MPI_INT, 1, 1, MPI_COMM_WORLD); /* found */
        MPI_Send(&s, 1, mixed, 1, 2, MPI_COMM_WORLD);
        MPI_Send(a, 4, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Send(&s, 1, mixed, 1, 4, MPI_COMM_WORLD);
    } else if (rank == 1) {
#ifdef WRONG
        MPI_Recv(f, 8, MPI_FLOAT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&parts, 4, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#else
        (void)f;
        MPI_Recv(a, 2, vector, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&parts, 1, mixed, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
        MPI_Recv(a, 8, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&parts, 2, mixed, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&mixed);
    MPI_Type_free(&vector);
    MPI_Finalize();
    return 0;
}
