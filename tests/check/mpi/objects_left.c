/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Objects of all kinds are made and not freed.
 * check: resource-leak
 */
#include <mpi.h>
#include <stddef.h>

static void add(void *in, void *inout, int *n, MPI_Datatype *t)
{
    (void)t;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void handle(MPI_Comm *c, int *code, ...)
{
    (void)c, (void)code;
}

int main(void)
{
    int rank, *base;
    MPI_Comm dup, half[5];
    MPI_Datatype pair;
    MPI_Group group;
    MPI_Op op;
    MPI_Info info;
    MPI_Errhandler handler;
    MPI_Win win;

    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &dup); /* found */
    for (int i = 0; i < 5; i++)
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half[i]); /* found */
    MPI_Type_contiguous(2, MPI_INT, &pair);                    /* found */
    MPI_Type_commit(&pair);
    MPI_Comm_group(MPI_COMM_WORLD, &group);                                                 /* found */
    MPI_Op_create(add, 1, &op);                                                             /* found */
    MPI_Info_create(&info);                                                                 /* found */
    MPI_Comm_create_errhandler(handle, &handler);                                           /* found */
    MPI_Win_allocate(sizeof *base, 1, MPI_INFO_NULL, MPI_COMM_WORLD, (void *)&base, &win); /* found */
#ifndef WRONG
    MPI_Comm_free(&dup);
    for (int i = 0; i < 5; i++)
        MPI_Comm_free(&half[i]);
    MPI_Type_free(&pair);
    MPI_Group_free(&group);
    MPI_Op_free(&op);
    MPI_Info_free(&info);
    MPI_Errhandler_free(&handler);
    MPI_Win_free(&win);
#endif
    MPI_Finalize();
    return 0;
}
