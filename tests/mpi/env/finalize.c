/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize (11.2): attributes of MPI_COMM_SELF go first, newest first, while everything works; messages that were
 * sent arrive though their sender has gone on to finalize; objects that were not freed do no harm. */
#include "mcheck.h"

enum { KEYS = 4, MESSAGES = 600, LARGE = 20000 };

static int order[2 * KEYS], norder;

static int on_delete(MPI_Comm comm, int keyval, void *value, void *extra_state)
{
    int initialized = 0, finalized = 1, size = 0, in = -1, out = (int)(intptr_t)value;
    MPI_Comm copy;

    (void)keyval;
    (void)extra_state;
    OK(MPI_Initialized(&initialized));
    OK(MPI_Finalized(&finalized));
    CHECK(initialized && !finalized, "initialized %d, finalized %d in a delete function", initialized, finalized);
    OK(MPI_Comm_size(MPI_COMM_WORLD, &size));
    CHECK(size == mc_size, "world of %d", size);
    OK(MPI_Comm_dup(MPI_COMM_SELF, &copy));
    OK(MPI_Sendrecv(&out, 1, MPI_INT, 0, 0, &in, 1, MPI_INT, 0, 0, copy, MPI_STATUS_IGNORE));
    CHECK(in == out, "got %d, sent %d", in, out);
    OK(MPI_Comm_free(&copy));
    if (comm == MPI_COMM_SELF)
        order[norder++] = out;
    return MPI_SUCCESS;
}

static void set_attributes(void)
{
    for (intptr_t i = 0; i < KEYS; i++) {
        int key;

        OK(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, on_delete, &key, NULL));
        OK(MPI_Comm_set_attr(MPI_COMM_SELF, key, (void *)(i + 1)));
        OK(MPI_Comm_set_attr(MPI_COMM_WORLD, key, (void *)(i + 1)));
        OK(MPI_Comm_free_keyval(&key)); /* the attributes keep it */
    }
}

/* Small ones, and some that the receiver fetches: all but the last rank go on to finalize at once. */
static void send_to_next(void)
{
    static char large[LARGE];
    static char buffer[20 * (LARGE + MPI_BSEND_OVERHEAD)];
    int next = mc_rank + 1;

    OK(MPI_Buffer_attach(buffer, sizeof buffer)); /* and never detached */
    check_fill(large, LARGE, (uint64_t)mc_rank);
    for (int i = 0; next < mc_size && i < MESSAGES; i++)
        OK(MPI_Send(&i, 1, MPI_INT, next, i % 3, MPI_COMM_WORLD));
    for (int i = 0; next < mc_size && i < 5; i++)
        OK(MPI_Send(large, LARGE, MPI_CHAR, next, 3, MPI_COMM_WORLD));
    for (int i = 0; next < mc_size && i < 15; i++)
        OK(MPI_Bsend(large, LARGE, MPI_CHAR, next, 3, MPI_COMM_WORLD));
}

static void receive_late(void)
{
    char large[LARGE], expected[LARGE];
    int in;

    if (mc_rank == 0)
        return;
    usleep(100000);
    for (int tag = 2; tag >= 0; tag--)
        for (int i = tag; i < MESSAGES; i += 3) {
            OK(MPI_Recv(&in, 1, MPI_INT, mc_rank - 1, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
            CHECK(in == i, "tag %d: got %d, expected %d", tag, in, i);
        }
    check_fill(expected, LARGE, (uint64_t)mc_rank - 1);
    for (int i = 0; i < 20; i++) {
        OK(MPI_Recv(large, LARGE, MPI_CHAR, mc_rank - 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        CHECK(memcmp(large, expected, LARGE) == 0, "large message %d", i);
    }
}

/* Never freed. */
static void leave_behind(void)
{
    MPI_Comm comm;
    MPI_Datatype type;
    MPI_Info info;
    MPI_Group group;
    MPI_Request request;
    void *memory;
    static int in;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_group(comm, &group));
    OK(MPI_Type_vector(3, 1, 2, MPI_INT, &type));
    OK(MPI_Info_create(&info));
    OK(MPI_Alloc_mem(1000, MPI_INFO_NULL, &memory));
    OK(MPI_Recv_init(&in, 1, MPI_INT, 0, 0, comm, &request));
}

int main(void)
{
    int finalized = 0;

    mc_start();
    set_attributes();
    leave_behind();
    send_to_next();
    receive_late();
    OK(MPI_Finalize());
    CHECK(norder == KEYS, "%d attributes of MPI_COMM_SELF deleted", norder);
    for (int i = 0; i < KEYS; i++)
        CHECK(order[i] == KEYS - i, "deleted %d at place %d", order[i], i);
    OK(MPI_Finalized(&finalized));
    CHECK(finalized, "not finalized");
    return check_failures != 0;
}
