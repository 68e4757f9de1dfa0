/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_free of what is under way, then MPI_Finalize or MPI_Session_finalize (3.7.3, 11.2.2): it is this
 * process's part done, so what the other side does later must end, and the data arrive. Pairs of ranks; all kinds of
 * sends, sizes on both sides of every limit; a rank without a partner sends to itself. Arguments: `receives`, `sends`
 * or `both` are freed; `session`: by that model. */
#include "mcheck.h"

enum { LATE_US = 50000, SENDS = 8, STRIDE = 3, COMB = 6, CROOKED = 7 };
static const int sizes[] = {0, 8, 3000, 9000, 20000, 70000, 600000};
enum { SIZES = sizeof sizes / sizeof *sizes, ALL = SENDS * SIZES };
static const char *const kinds[SENDS] = {
    "Send", "Ssend", "Bsend", "Isend", "Issend", "a persistent send", "a strided send", "a send of an irregular type"};

static char *in[ALL], *out[ALL];
static MPI_Datatype types[SENDS]; /* of COMB and CROOKED: one byte of three */
static MPI_Comm comm;
static int other;

static int size_of(int i)
{
    return sizes[i % SIZES];
}

static int step_of(int i)
{
    return i / SIZES >= COMB ? STRIDE : 1;
}

/* Where byte k is: of CROOKED, the first of one triple and the last of the next. */
static size_t place_of(int i, int k)
{
    return (size_t)k * (size_t)step_of(i) + (i / SIZES == CROOKED && k % 2 ? 2 : 0);
}

static size_t room_of(int i)
{
    return (size_t)size_of(i) * (size_t)step_of(i);
}

/* Elements: CROOKED has two bytes in each, its sizes are even. */
static int count_of(int i)
{
    return i / SIZES == CROOKED ? size_of(i) / 2 : size_of(i);
}

static void make_types(void)
{
    MPI_Datatype pair;

    for (int k = 0; k < SENDS; k++)
        types[k] = MPI_CHAR;
    OK(MPI_Type_create_resized(MPI_CHAR, 0, STRIDE, &types[COMB]));
    OK(MPI_Type_indexed(2, (int[]){1, 1}, (int[]){0, STRIDE + 2}, MPI_CHAR, &pair));
    OK(MPI_Type_create_resized(pair, 0, 2 * STRIDE, &types[CROOKED]));
    OK(MPI_Type_free(&pair));
    OK(MPI_Type_commit(&types[COMB]));
    OK(MPI_Type_commit(&types[CROOKED]));
}

static void make_buffers(void)
{
    for (int i = 0; i < ALL; i++) {
        in[i] = calloc(1, room_of(i) + 1);
        out[i] = calloc(1, room_of(i) + 1);
        for (int k = 0; k < size_of(i); k++)
            out[i][place_of(i, k)] = (char)check_pattern((uint64_t)i, (size_t)k);
    }
}

/* Blocking forms; or, `freed`, forms whose request is freed at once. */
static void send_one(int i, bool freed)
{
    const int n = count_of(i), kind = i / SIZES;
    MPI_Datatype t = types[kind];
    MPI_Request r = MPI_REQUEST_NULL;

    if (!freed && kind <= 2) {
        OK((kind == 0 ? MPI_Send : kind == 1 ? MPI_Ssend : MPI_Bsend)(out[i], n, t, other, i, comm));
        return;
    }
    if (kind == 5)
        OK(MPI_Send_init(out[i], n, t, other, i, comm, &r));
    else
        OK((kind == 1 || kind == 4 ? MPI_Issend
            : kind == 2            ? MPI_Ibsend
                                   : MPI_Isend)(out[i], n, t, other, i, comm, &r));
    if (kind == 5)
        OK(MPI_Start(&r));
    if (!freed)
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    if (r != MPI_REQUEST_NULL)
        OK(MPI_Request_free(&r));
}

static void receive_one(int i, bool freed)
{
    MPI_Datatype t = types[i / SIZES];
    MPI_Request r = MPI_REQUEST_NULL;

    if (i % 2) {
        OK(MPI_Recv_init(in[i], count_of(i), t, other, i, comm, &r));
        OK(MPI_Start(&r));
    } else {
        OK(MPI_Irecv(in[i], count_of(i), t, other, i, comm, &r));
    }
    if (!freed)
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    if (r != MPI_REQUEST_NULL)
        OK(MPI_Request_free(&r));
}

static void check_all(void)
{
    for (int i = 0; i < ALL; i++) {
        int wrong = 0;

        for (int k = 0; k < size_of(i); k++)
            wrong += in[i][place_of(i, k)] != (char)check_pattern((uint64_t)i, (size_t)k);
        CHECK(wrong == 0, "%s of %d bytes: %d differ", kinds[i / SIZES], size_of(i), wrong);
    }
}

static MPI_Session start(bool session)
{
    MPI_Session s = MPI_SESSION_NULL;
    MPI_Group all;

    if (session) {
        OK(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &s));
        OK(MPI_Group_from_session_pset(s, "mpi://WORLD", &all));
        OK(MPI_Comm_create_from_group(all, "freed", MPI_INFO_NULL, MPI_ERRORS_ARE_FATAL, &comm));
        OK(MPI_Group_free(&all));
    } else {
        OK(MPI_Init(NULL, NULL));
        comm = MPI_COMM_WORLD;
    }
    OK(MPI_Comm_rank(comm, &mc_rank));
    OK(MPI_Comm_size(comm, &mc_size));
    other = (mc_rank ^ 1) < mc_size ? mc_rank ^ 1 : mc_rank;
    return s;
}

/* Who frees goes on to finalize at once; the other side begins when that has happened. */
int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "both";
    MPI_Session session = start(argc > 2 && strcmp(argv[2], "session") == 0);
    bool both = strcmp(what, "both") == 0 || other == mc_rank, sends = strcmp(what, "sends") == 0,
         frees = both || mc_rank % 2;
    static char buffer[SENDS * (8 << 20)];

    make_types();
    make_buffers();
    OK(MPI_Buffer_attach(buffer, sizeof buffer));
    if (!frees) {
        OK(MPI_Barrier(comm));
        usleep(LATE_US);
    }
    for (int i = 0; i < ALL; i++)
        if (both || frees != sends)
            receive_one(i, frees);
    for (int i = 0; i < ALL; i++)
        if (both || frees == sends)
            send_one(i, frees);
    if (frees)
        OK(MPI_Barrier(comm));
    if (session == MPI_SESSION_NULL) {
        OK(MPI_Finalize());
    } else {
        OK(MPI_Comm_free(&comm));
        OK(MPI_Session_finalize(&session));
    }
    if (both || frees != sends)
        check_all();
    return check_failures != 0;
}
