/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of MPI that allocate, of every chapter, with one rank. Errors end the program, by MPI_ERRORS_ARE_FATAL. */
#include <mpi.h>
#include <stdlib.h>

static void messages(MPI_Comm comm)
{
    static char from[100000], to[100000];
    MPI_Request request[2];
    MPI_Message message;
    void *buffer = malloc(300000);

    MPI_Irecv(to, sizeof to, MPI_CHAR, 0, 1, comm, &request[0]);
    MPI_Isend(from, sizeof from, MPI_CHAR, 0, 1, comm, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Isend(from, 8, MPI_CHAR, 0, 2, comm, &request[0]); /* before its receive */
    MPI_Mprobe(0, 2, comm, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(to, 8, MPI_CHAR, &message, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Buffer_attach(buffer, 300000);
    MPI_Bsend(from, sizeof from, MPI_CHAR, 0, 3, comm);
    MPI_Recv(to, sizeof to, MPI_CHAR, 0, 3, comm, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&buffer, &(int){0});
    free(buffer);
    MPI_Send_init(from, 8, MPI_CHAR, 0, 4, comm, &request[0]);
    MPI_Start(&request[0]);
    MPI_Recv(to, 8, MPI_CHAR, 0, 4, comm, MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[0]);
}

static void types(void)
{
    static int all[64], packed[64];
    MPI_Datatype vector, record, copy;
    int at = 0;

    MPI_Type_vector(4, 2, 3, MPI_INT, &vector);
    MPI_Type_create_struct(2, (int[]){1, 2}, (MPI_Aint[]){0, 128}, (MPI_Datatype[]){vector, MPI_INT}, &record);
    MPI_Type_commit(&record);
    MPI_Type_dup(record, &copy);
    MPI_Pack(all, 1, record, packed, sizeof packed, &at, MPI_COMM_SELF);
    MPI_Type_free(&vector);
    MPI_Type_free(&record);
    MPI_Type_free(&copy);
}

static void windows(MPI_Comm comm)
{
    MPI_Win win;
    int *memory, value = 3;

    MPI_Win_allocate(4096, 1, MPI_INFO_NULL, comm, &memory, &win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(0, win);
    MPI_Win_free(&win);
}

static void objects(MPI_Comm comm)
{
    MPI_Comm copy, part, grid;
    MPI_Group group, none;
    MPI_Info info;
    MPI_Op op;
    MPI_Errhandler handler;
    MPI_Session session;
    int keyval;

    MPI_Comm_dup(comm, &copy);
    MPI_Comm_split(copy, 0, 0, &part);
    MPI_Cart_create(part, 1, (int[]){1}, (int[]){0}, 0, &grid);
    MPI_Comm_group(part, &group);
    MPI_Group_excl(group, 1, (int[]){0}, &none);
    MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, MPI_COMM_NULL_DELETE_FN, &keyval, NULL);
    MPI_Comm_set_attr(part, keyval, NULL);
    MPI_Comm_set_name(part, "part");
    MPI_Info_create(&info);
    MPI_Info_set(info, "key", "value");
    MPI_Comm_set_info(part, info);
    MPI_Info_free(&info);
    MPI_Op_create((MPI_User_function *)(void (*)(void))abort, 1, &op);
    MPI_Op_free(&op);
    MPI_Comm_get_errhandler(part, &handler);
    MPI_Errhandler_free(&handler);
    MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &session);
    MPI_Session_finalize(&session);
    MPI_Group_free(&group);
    MPI_Comm_free(&grid);
    MPI_Comm_free(&part);
    MPI_Comm_free(&copy);
}

static void collectives(MPI_Comm comm)
{
    static double from[5000], to[5000];
    MPI_Request request;

    MPI_Allreduce(from, to, 5000, MPI_DOUBLE, MPI_SUM, comm);
    MPI_Ialltoall(from, 5, MPI_DOUBLE, to, 5, MPI_DOUBLE, comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Bcast_init(from, 5000, MPI_DOUBLE, 0, comm, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    messages(MPI_COMM_WORLD);
    types();
    windows(MPI_COMM_WORLD);
    objects(MPI_COMM_WORLD);
    collectives(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
