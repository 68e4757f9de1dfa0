/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles as integers (20.3): predefined ones keep their value, objects come back as they went, different ones differ,
 * and integers that mean nothing give the null handle. */
#include "mcheck.h"

#define ROUND(Kind_, handle_)                                                                 \
    do {                                                                                      \
        int n_ = MPI_##Kind_##_toint(handle_);                                                \
        CHECK(MPI_##Kind_##_fromint(n_) == (handle_), #handle_ " as %d comes back as %p", n_, \
              (void *)MPI_##Kind_##_fromint(n_));                                             \
    } while (0)
#define SAME(Kind_, handle_)                                                               \
    do {                                                                                   \
        ROUND(Kind_, handle_);                                                             \
        CHECK(MPI_##Kind_##_toint(handle_) == (int)(intptr_t)(handle_), #handle_ " is %d", \
              MPI_##Kind_##_toint(handle_));                                               \
    } while (0)
#define NONE(Kind_, number_, null_) CHECK(MPI_##Kind_##_fromint(number_) == (null_), "%d is a " #Kind_, (int)(number_))

static void predefined(void)
{
    SAME(Comm, MPI_COMM_WORLD);
    SAME(Comm, MPI_COMM_SELF);
    SAME(Comm, MPI_COMM_NULL);
    SAME(Group, MPI_GROUP_EMPTY);
    SAME(Group, MPI_GROUP_NULL);
    SAME(Type, MPI_INT);
    SAME(Type, MPI_DOUBLE_COMPLEX);
    SAME(Type, MPI_DATATYPE_NULL);
    SAME(Op, MPI_SUM);
    SAME(Op, MPI_OP_NULL);
    SAME(Errhandler, MPI_ERRORS_RETURN);
    SAME(Errhandler, MPI_ERRHANDLER_NULL);
    SAME(Info, MPI_INFO_ENV);
    SAME(Info, MPI_INFO_NULL);
    SAME(Message, MPI_MESSAGE_NO_PROC);
    SAME(Message, MPI_MESSAGE_NULL);
    SAME(Request, MPI_REQUEST_NULL);
    SAME(Win, MPI_WIN_NULL);
    SAME(File, MPI_FILE_NULL);
    SAME(Session, MPI_SESSION_NULL);
}

static void nothing(void)
{
    static const int numbers[] = {-1, -5, INT32_MIN, INT32_MAX, 0x1000 + 1000000, 1 << 30};

    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        NONE(Comm, numbers[i], MPI_COMM_NULL);
        NONE(Group, numbers[i], MPI_GROUP_NULL);
        NONE(Type, numbers[i], MPI_DATATYPE_NULL);
        NONE(Op, numbers[i], MPI_OP_NULL);
        NONE(Errhandler, numbers[i], MPI_ERRHANDLER_NULL);
        NONE(Info, numbers[i], MPI_INFO_NULL);
        NONE(Message, numbers[i], MPI_MESSAGE_NULL);
        NONE(Request, numbers[i], MPI_REQUEST_NULL);
        NONE(Win, numbers[i], MPI_WIN_NULL);
        NONE(File, numbers[i], MPI_FILE_NULL);
        NONE(Session, numbers[i], MPI_SESSION_NULL);
    }
}

static void sum(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
}

static void objects(void)
{
    MPI_Comm comm;
    MPI_Group group;
    MPI_Datatype type;
    MPI_Op op;
    MPI_Errhandler h;
    MPI_Info info;
    MPI_Request request;
    MPI_Message message;
    MPI_Win win;
    MPI_Session session;
    int memory[3] = {0}, number;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Type_contiguous(2, MPI_INT, &type));
    OK(MPI_Op_create(sum, 1, &op));
    OK(MPI_Comm_create_errhandler(on_error, &h));
    OK(MPI_Info_create(&info));
    OK(MPI_Irecv(memory, 1, MPI_INT, 0, 1, MPI_COMM_SELF, &request));
    OK(MPI_Win_create(memory, sizeof memory, 4, MPI_INFO_NULL, comm, &win));
    OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session));
    ROUND(Comm, comm);
    ROUND(Group, group);
    ROUND(Type, type);
    ROUND(Op, op);
    ROUND(Errhandler, h);
    ROUND(Info, info);
    ROUND(Request, request);
    ROUND(Win, win);
    ROUND(Session, session);
    number = MPI_Info_toint(info);
    OK(MPI_Info_free(&info));
    NONE(Info, number, MPI_INFO_NULL); /* freed */
    OK(MPI_Send(memory + 1, 1, MPI_INT, 0, 1, MPI_COMM_SELF));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Isend(memory, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &request));
    OK(MPI_Mprobe(0, 2, MPI_COMM_SELF, &message, MPI_STATUS_IGNORE));
    ROUND(Message, message);
    OK(MPI_Mrecv(memory + 2, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&request, MPI_STATUS_IGNORE));
    OK(MPI_Session_finalize(&session));
    OK(MPI_Win_free(&win));
    OK(MPI_Errhandler_free(&h));
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&type));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_free(&comm));
}

/* All different while all exist. */
static void many(void)
{
    enum { N = 500 };
    MPI_Info infos[N];
    int numbers[N];

    for (int i = 0; i < N; i++) {
        OK(MPI_Info_create(&infos[i]));
        numbers[i] = MPI_Info_toint(infos[i]);
        for (int k = 0; k < i; k++)
            CHECK(numbers[i] != numbers[k], "infos %d and %d are both %d", i, k, numbers[i]);
        CHECK(numbers[i] >= 0x1000, "%d is a predefined handle's", numbers[i]);
    }
    for (int i = 0; i < N; i++) {
        ROUND(Info, infos[i]);
        OK(MPI_Info_free(&infos[i]));
    }
}

int main(void)
{
    predefined(); /* needs no MPI_Init */
    nothing();
    mc_start();
    predefined();
    nothing();
    objects();
    many();
    return mc_finish();
}
