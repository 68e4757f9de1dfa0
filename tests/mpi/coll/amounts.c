/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is sent and what is received are not the same amount. More than there is room for is MPI_ERR_TRUNCATE, in each
 * form and by each algorithm: nothing behind the room is touched, on a node what fits is there, and the communicator
 * works afterwards. Less arrives where it belongs.
 */
#include "mcheck.h"

enum { GUARD = 64, RANKS = 16 };
enum form { BLOCKING, NONBLOCKING, PERSISTENT, FORMS };

static MPI_Comm comm, ring;
static int rank, size, sent, room; /* bytes for each */
static unsigned char *out, *in;
static int scounts[RANKS], rcounts[RANKS], sdispls[RANKS], rdispls[RANKS];
static MPI_Datatype types[RANKS];

static unsigned char content(int from, int to, int i)
{
    return (unsigned char)(from * 37 + to * 11 + i * 7 + i / 251);
}

/* Runs a call in its form: `code` is what it, or the end of its request, returned. */
#define RUN(Now, Later, ...)                                                      \
    do {                                                                          \
        MPI_Request r_ = MPI_REQUEST_NULL;                                        \
        if (form == BLOCKING) {                                                   \
            code = MPI_##Now(__VA_ARGS__);                                        \
        } else if (form == NONBLOCKING) {                                         \
            code = MPI_##Later(__VA_ARGS__, &r_);                                 \
            code = code == MPI_SUCCESS ? MPI_Wait(&r_, MPI_STATUS_IGNORE) : code; \
        } else {                                                                  \
            code = MPI_##Now##_init(__VA_ARGS__, MPI_INFO_NULL, &r_);             \
            OK(MPI_Start(&r_));                                                   \
            code = code == MPI_SUCCESS ? MPI_Wait(&r_, MPI_STATUS_IGNORE) : code; \
            OK(MPI_Request_free(&r_));                                            \
        }                                                                         \
    } while (0)

/* `to` -1: the same for all */
static void fill(bool to_each)
{
    for (int to = 0; to < size; to++)
        for (int i = 0; i < sent; i++)
            out[to * sent + i] = content(rank, to_each ? to : 0, i);
    memset(in, 0x5a, (size_t)(room * size + GUARD));
}

enum expected { FINE, CUT, PERHAPS };

/* The error names the collective in its form, and what is wrong. */
static void tells(const char *call, enum form form, int code)
{
    char name[64], text[MPI_MAX_ERROR_STRING];
    int n;

    if (form == NONBLOCKING)
        snprintf(name, sizeof name, "MPI_I%c%s: ", call[4] - 'A' + 'a', call + 5);
    else
        snprintf(name, sizeof name, "%s%s: ", call, form == PERSISTENT ? "_init" : "");
    MPI_Error_string(code, text, &n);
    CHECK(strstr(text, name) && strstr(text, "counts or types differ"), "the error of %s is \"%s\"", name, text);
}

static void judge(const char *call, enum form form, int code, enum expected expected)
{
    static const char *const forms[] = {"blocking", "nonblocking", "persistent"};
    int class = -1;

    MPI_Error_class(code, &class);
    if (sent <= room)
        expected = FINE;
    CHECK(class == MPI_SUCCESS ? expected != CUT : class == MPI_ERR_TRUNCATE && expected != FINE,
          "%s, %s, %d bytes sent and room for %d: class %d", call, forms[form], sent, room, class);
    if (class == MPI_ERR_TRUNCATE)
        tells(call, form, code);
}

/* By messages, not through shared memory. */
static bool by_messages(enum form form)
{
    return form != BLOCKING || getenv("MPT_TRANSPORT");
}

/* Parts from these ranks; complete: even though an error was raised (schedules end their copies then). */
static void look(const char *call, int first, int n, bool to_each, bool complete)
{
    int fits = sent < room ? sent : room, bad = 0;

    for (int k = 0; complete && k < n; k++)
        for (int i = 0; i < fits; i++)
            bad += in[k * room + i] != content(first + k, to_each ? rank : 0, i);
    CHECK(bad == 0, "%s, %d bytes sent and room for %d: %d bytes of what fits are wrong", call, sent, room, bad);
    bad = 0;
    for (int i = 0; i < GUARD; i++)
        bad += in[n * room + i] != 0x5a;
    CHECK(bad == 0, "%s, %d bytes sent and room for %d: wrote behind the room", call, sent, room);
}

static void works(const char *after)
{
    int sum = -1;

    OK(MPI_Allreduce(&(int){rank}, &sum, 1, MPI_INT, MPI_SUM, comm));
    CHECK(sum == size * (size - 1) / 2, "an allreduce after %s gives %d", after, sum);
}

static void set_counts(void)
{
    for (int i = 0; i < size; i++) {
        scounts[i] = sent;
        rcounts[i] = room;
        sdispls[i] = i * sent;
        rdispls[i] = i * room;
        types[i] = MPI_BYTE;
    }
}

static void all_of_all(enum form form)
{
    int code;

    fill(false);
    RUN(Allgather, Iallgather, out, sent, MPI_BYTE, in, room, MPI_BYTE, comm);
    judge("MPI_Allgather", form, code, CUT);
    look("MPI_Allgather", 0, size, false, !by_messages(form) || sent <= room);
    works("MPI_Allgather");
    fill(false);
    RUN(Allgatherv, Iallgatherv, out, sent, MPI_BYTE, in, rcounts, rdispls, MPI_BYTE, comm);
    judge("MPI_Allgatherv", form, code, CUT);
    look("MPI_Allgatherv", 0, size, false, !by_messages(form) || sent <= room);
    works("MPI_Allgatherv");
    fill(true);
    RUN(Alltoall, Ialltoall, out, sent, MPI_BYTE, in, room, MPI_BYTE, comm);
    judge("MPI_Alltoall", form, code, CUT);
    look("MPI_Alltoall", 0, size, true, sent <= room);
    works("MPI_Alltoall");
    fill(true);
    RUN(Alltoallv, Ialltoallv, out, scounts, sdispls, MPI_BYTE, in, rcounts, rdispls, MPI_BYTE, comm);
    judge("MPI_Alltoallv", form, code, CUT);
    look("MPI_Alltoallv", 0, size, true, sent <= room);
    fill(true);
    RUN(Alltoallw, Ialltoallw, out, scounts, sdispls, types, in, rcounts, rdispls, types, comm);
    judge("MPI_Alltoallw", form, code, CUT);
    look("MPI_Alltoallw", 0, size, true, sent <= room);
    works("MPI_Alltoallw");
}

static void rooted(enum form form)
{
    int code, root = size - 1;
    bool message = by_messages(form); /* trees pass on what they have */

    fill(false);
    RUN(Gather, Igather, out, sent, MPI_BYTE, in, room, MPI_BYTE, root, comm);
    judge("MPI_Gather", form, code, rank == root ? CUT : message ? PERHAPS : FINE);
    works("MPI_Gather");
    fill(false);
    RUN(Gatherv, Igatherv, out, sent, MPI_BYTE, in, rcounts, rdispls, MPI_BYTE, root, comm);
    judge("MPI_Gatherv", form, code, rank == root ? CUT : FINE);
    if (rank == root)
        look("MPI_Gatherv", 0, size, false, sent <= room);
    fill(true);
    RUN(Scatter, Iscatter, out, sent, MPI_BYTE, in, room, MPI_BYTE, root, comm);
    judge("MPI_Scatter", form, code, message && size >= 8 && rank != root ? PERHAPS : CUT);
    look("MPI_Scatter", root, 1, true, !message && sent <= room);
    works("MPI_Scatter");
    fill(true);
    RUN(Scatterv, Iscatterv, out, scounts, sdispls, MPI_BYTE, in, room, MPI_BYTE, root, comm);
    judge("MPI_Scatterv", form, code, CUT);
    look("MPI_Scatterv", root, 1, true, sent <= room);
    works("MPI_Scatterv");
    if (message && (sent > 4000 || room > 4000)) /* in pieces, of which there would be more than are awaited */
        return;
    fill(false);
    RUN(Bcast, Ibcast, rank == root ? out : in, rank == root ? sent : room, MPI_BYTE, root, comm);
    judge("MPI_Bcast", form, code, rank == root ? FINE : message && size > 2 ? PERHAPS : CUT);
    if (rank != root)
        look("MPI_Bcast", root, 1, false, !message);
    works("MPI_Bcast");
}

static void neighbors(enum form form)
{
    int code;

    fill(false);
    RUN(Neighbor_allgather, Ineighbor_allgather, out, sent, MPI_BYTE, in, room, MPI_BYTE, ring);
    judge("MPI_Neighbor_allgather", form, code, CUT);
    fill(true);
    RUN(Neighbor_alltoall, Ineighbor_alltoall, out, sent, MPI_BYTE, in, room, MPI_BYTE, ring);
    judge("MPI_Neighbor_alltoall", form, code, CUT);
    RUN(Neighbor_alltoallv, Ineighbor_alltoallv, out, scounts, sdispls, MPI_BYTE, in, rcounts, rdispls, MPI_BYTE, ring);
    judge("MPI_Neighbor_alltoallv", form, code, CUT);
    works("MPI_Neighbor_alltoallv");
}

/* One rank gives more than the others: whoever sees that says so. */
static void reductions(enum form form)
{
    int code, count = (rank == 0 ? sent : room) / 4, wrong = 0, all = 0;

    if (sent <= room || sent > 4000)
        return;
    fill(false);
    RUN(Allreduce, Iallreduce, out, in, count, MPI_INT, MPI_BOR, comm);
    wrong = code != MPI_SUCCESS;
    if (wrong)
        tells("MPI_Allreduce", form, code);
    OK(MPI_Allreduce(&wrong, &all, 1, MPI_INT, MPI_SUM, comm));
    CHECK(all > 0, "MPI_Allreduce of %d bytes on rank 0 and %d on the others: nobody says so", sent, room);
    RUN(Reduce, Ireduce, out, in, rank == 0 ? room / 4 : sent / 4, MPI_INT, MPI_BOR, 0, comm);
    CHECK(rank != 0 || code != MPI_SUCCESS, "MPI_Reduce of %d bytes with room for %d at the root", sent, room);
    if (code != MPI_SUCCESS)
        tells("MPI_Reduce", form, code);
    RUN(Reduce, Ireduce, out, in, count, MPI_INT, MPI_BOR, 0, comm);
    if (code != MPI_SUCCESS)
        tells("MPI_Reduce", form, code);
    RUN(Scan, Iscan, out, in, count, MPI_INT, MPI_BOR, comm);
    CHECK(rank != 1 || code != MPI_SUCCESS, "MPI_Scan of %d bytes on rank 0 and %d on the others", sent, room);
    if (code != MPI_SUCCESS)
        tells("MPI_Scan", form, code);
    works("MPI_Reduce");
}

/* One rank alone sends more than is awaited. */
static void one_sends_more(void)
{
    int n = sent, code, class = -1;

    if (sent <= room)
        return;
    sent = rank == 0 ? n : room;
    fill(false);
    code = MPI_Allgather(out, sent, MPI_BYTE, in, room, MPI_BYTE, comm);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_TRUNCATE || (rank > 0 && class == MPI_SUCCESS && getenv("MPT_TRANSPORT")),
          "MPI_Allgather, rank 0 sends %d bytes where %d are awaited: class %d", n, room, class);
    works("MPI_Allgather with one that sends more");
    sent = n;
}

static void amounts(int s, int r)
{
    sent = s;
    room = r;
    out = malloc((size_t)size * (size_t)sent + 1);
    in = malloc((size_t)size * (size_t)room + (size_t)sent + GUARD);
    set_counts();
    for (enum form form = BLOCKING; form < FORMS; form++) {
        all_of_all(form);
        rooted(form);
        neighbors(form);
        reductions(form);
    }
    one_sends_more();
    free(out);
    free(in);
}

int main(void)
{
    /* On one side of each limit by which an algorithm is chosen. */
    static const int pairs[][2] = {{8, 4},    {4, 8},    {44, 40},     {40, 44},     {52, 40},       {40, 52},
                                   {100, 60}, {60, 100}, {3000, 1100}, {1100, 3000}, {40000, 20000}, {300000, 200000}};

    mc_start();
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    OK(MPI_Cart_create(comm, 1, &size, (int[]){1}, 0, &ring));
    OK(MPI_Comm_set_errhandler(ring, MPI_ERRORS_RETURN));
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        amounts(pairs[i][0], pairs[i][1]);
    OK(MPI_Comm_free(&ring));
    OK(MPI_Comm_free(&comm));
    return mc_finish();
}
