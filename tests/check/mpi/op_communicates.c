/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The function of an operation sends a message.
 * check: call-order
 */
#include <mpi.h>
#include <stddef.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
#ifdef WRONG
    int got;

    MPI_Sendrecv(n, 1, MPI_INT, 0, 1, &got, 1, MPI_INT, 0, 1, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* found */
#endif
}

int main(void)
{
    int mine[4] = {1, 2, 3, 4}, sums[4];
    MPI_Op op;

    MPI_Init(NULL, NULL);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(mine, sums, 4, MPI_INT, op, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    MPI_Finalize();
    return 0;
}
