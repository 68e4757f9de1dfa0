/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of handles whose objects the program has freed, while the library still holds the object: each use is an error
 * of the kind's class, and what holds the object goes on with it. */
#include "mcheck.h"

enum { LARGE = 200000 };
static int uses; /* calls of the user's operation and error handler */

static void requests(void)
{
    static char in[LARGE], out[LARGE], all[2];
    MPI_Request r, copy, several[2];
    MPI_Status s;
    int flag = 0, index = 0, n = 0, indices[2];

    check_fill(out, LARGE, 7);
    OK(MPI_Irecv(in, LARGE, MPI_CHAR, mc_rank, 1, MPI_COMM_WORLD, &r));
    copy = r;
    OK(MPI_Request_free(&r));
    CHECK(r == MPI_REQUEST_NULL, "the handle was not set to null");
    several[0] = copy;
    OK(MPI_Irecv(all, 1, MPI_CHAR, mc_rank, 2, MPI_COMM_WORLD, &several[1]));
    FAILS(MPI_Wait(&copy, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Test(&copy, &flag, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Request_get_status(copy, &flag, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Cancel(&copy), MPI_ERR_REQUEST);
    FAILS(MPI_Start(&copy), MPI_ERR_REQUEST);
    FAILS(MPI_Waitall(2, several, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    FAILS(MPI_Testall(2, several, &flag, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    FAILS(MPI_Waitany(2, several, &index, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Testany(2, several, &index, &flag, &s), MPI_ERR_REQUEST);
    FAILS(MPI_Waitsome(2, several, &n, indices, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    FAILS(MPI_Testsome(2, several, &n, indices, MPI_STATUSES_IGNORE), MPI_ERR_REQUEST);
    r = copy;
    FAILS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    CHECK(MPI_Request_fromint(MPI_Request_toint(copy)) == MPI_REQUEST_NULL, "its integer is still a request");
    OK(MPI_Send(out, LARGE, MPI_CHAR, mc_rank, 1, MPI_COMM_WORLD));
    OK(MPI_Send(out, 1, MPI_CHAR, mc_rank, 2, MPI_COMM_WORLD));
    OK(MPI_Wait(&several[1], &s));
    for (int i = 0; i < 1000 && check_differs(in, LARGE, 7) != LARGE;
         i++) /* of one that was freed, only the data tell */
        OK(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
    CHECK(check_differs(in, LARGE, 7) == LARGE, "the data of the freed receive differ");
}

/* Sends that the other side has not seen; a persistent one is freed while it is active. */
static void sends(void)
{
    static char in[LARGE], out[LARGE];
    MPI_Request r, copy;
    int flag;

    OK(MPI_Ssend_init(out, LARGE, MPI_CHAR, mc_rank, 3, MPI_COMM_WORLD, &r));
    OK(MPI_Start(&r));
    copy = r;
    OK(MPI_Request_free(&r));
    FAILS(MPI_Test(&copy, &flag, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    OK(MPI_Issend(out, 10, MPI_CHAR, mc_rank, 4, MPI_COMM_WORLD, &r));
    copy = r;
    OK(MPI_Request_free(&r));
    FAILS(MPI_Wait(&copy, MPI_STATUS_IGNORE), MPI_ERR_REQUEST);
    OK(MPI_Recv(in, LARGE, MPI_CHAR, mc_rank, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    OK(MPI_Recv(in, LARGE, MPI_CHAR, mc_rank, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
}

/* A collective's request cannot be freed while it is active (6.12); a persistent one's when it is not. */
static void collectives(void)
{
    int in = 1, sum = 0;
    MPI_Request r;
    MPI_Comm made;

    OK(MPI_Iallreduce(&in, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &r));
    FAILS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    CHECK(r != MPI_REQUEST_NULL, "the request is gone");
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(sum == mc_size, "sum %d of %d", sum, mc_size);
    OK(MPI_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    OK(MPI_Start(&r));
    FAILS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Request_free(&r));
    OK(MPI_Comm_idup(MPI_COMM_WORLD, &made, &r));
    FAILS(MPI_Request_free(&r), MPI_ERR_REQUEST);
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_free(&made));
}

static void on_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    uses++;
}

static void handlers(void)
{
    MPI_Errhandler h, copy, again;
    MPI_Comm c;

    OK(MPI_Comm_dup(MPI_COMM_SELF, &c));
    OK(MPI_Comm_create_errhandler(on_error, &h));
    OK(MPI_Comm_set_errhandler(c, h));
    copy = h;
    OK(MPI_Errhandler_free(&h));
    for (int i = 0; i < 3; i++) {
        h = copy;
        FAILS(MPI_Errhandler_free(&h), MPI_ERR_ERRHANDLER);
    }
    FAILS(MPI_Comm_set_errhandler(MPI_COMM_SELF, copy), MPI_ERR_ERRHANDLER);
    OK(MPI_Comm_create_errhandler(on_error, &again)); /* must not take the other's place */
    uses = 0;
    MPI_Send(NULL, -1, MPI_INT, 0, 0, c);
    CHECK(uses == 1, "the handler ran %d times", uses);
    OK(MPI_Errhandler_free(&again));
    OK(MPI_Comm_get_errhandler(c, &h));
    CHECK(h == copy, "another handler");
    OK(MPI_Errhandler_free(&h));
    FAILS(MPI_Errhandler_free(&copy), MPI_ERR_ERRHANDLER);
    OK(MPI_Comm_free(&c));
}

static void groups(void)
{
    MPI_Group g, copy;
    MPI_File f;
    MPI_Comm c;
    char name[] = "/tmp/mpt-copies-XXXXXX";
    int fd = mkstemp(name), size = 0, in = 1, sum = 0;

    OK(MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &f));
    close(fd);
    OK(MPI_File_get_group(f, &g));
    copy = g;
    OK(MPI_Group_free(&g));
    for (int i = 0; i < 3; i++) {
        g = copy;
        FAILS(MPI_Group_free(&g), MPI_ERR_GROUP);
        FAILS(MPI_Group_size(copy, &size), MPI_ERR_GROUP);
    }
    OK(MPI_File_get_group(f, &g));
    OK(MPI_Group_size(g, &size));
    CHECK(size == 1, "%d processes", size);
    OK(MPI_Group_free(&g));
    OK(MPI_File_close(&f));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &g));
    OK(MPI_Comm_create(MPI_COMM_WORLD, g, &c));
    copy = g;
    OK(MPI_Group_free(&g));
    FAILS(MPI_Group_free(&copy), MPI_ERR_GROUP);
    OK(MPI_Allreduce(&in, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == mc_size, "sum %d of %d", sum, mc_size);
    OK(MPI_Comm_free(&c));
}

static void add(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)type;
    for (int i = 0; i < *n; i++)
        ((int *)inout)[i] += ((int *)in)[i];
}

static void operations(void)
{
    int in = 1, sum = 0, other = 0;
    MPI_Op op, copy;
    MPI_Request r;

    OK(MPI_Op_create(add, 1, &op));
    OK(MPI_Allreduce_init(&in, &sum, 1, MPI_INT, op, MPI_COMM_WORLD, MPI_INFO_NULL, &r));
    copy = op;
    OK(MPI_Op_free(&op));
    for (int i = 0; i < 3; i++) {
        op = copy;
        FAILS(MPI_Op_free(&op), MPI_ERR_OP);
        FAILS(MPI_Reduce_local(&in, &other, 1, MPI_INT, copy), MPI_ERR_OP);
    }
    OK(MPI_Start(&r));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(sum == mc_size, "sum %d of %d", sum, mc_size);
    OK(MPI_Request_free(&r));
}

static void types(void)
{
    static int in[20], out[20];
    MPI_Datatype t, copy;
    MPI_Request r;

    OK(MPI_Type_vector(10, 1, 2, MPI_INT, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Irecv(in, 1, t, mc_rank, 5, MPI_COMM_WORLD, &r));
    copy = t;
    OK(MPI_Type_free(&t));
    for (int i = 0; i < 3; i++) {
        t = copy;
        FAILS(MPI_Type_free(&t), MPI_ERR_TYPE);
    }
    out[9] = 5;
    OK(MPI_Send(out, 10, MPI_INT, mc_rank, 5, MPI_COMM_WORLD));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(in[18] == 5, "got %d", in[18]);
}

static void communicators(void)
{
    MPI_Comm c, copy;
    MPI_Request r;
    int in = 0, size;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    OK(MPI_Irecv(&in, 1, MPI_INT, mc_rank, 6, c, &r));
    OK(MPI_Send(&mc_size, 1, MPI_INT, mc_rank, 6, c));
    copy = c;
    OK(MPI_Comm_free(&c));
    for (int i = 0; i < 3; i++) {
        c = copy;
        FAILS(MPI_Comm_free(&c), MPI_ERR_COMM);
        FAILS(MPI_Comm_size(copy, &size), MPI_ERR_COMM);
    }
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(in == mc_size, "got %d", in);
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    requests();
    sends();
    collectives();
    handlers();
    groups();
    operations();
    types();
    communicators();
    return mc_finish();
}
