/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Between jobs as within one: cancelled, buffered, persistent and partitioned
 * messages, truncation, and communicators made of communicators that span jobs,
 * whose members may be processes that did not know each other before.
 */
#include "children.h"

enum { PARTS = 8, PART = 3000, LARGE = 300000 };

/* Ranks 0 of both sides of a communicator of both jobs. */
struct pair {
    MPI_Comm all;
    int me, other;
    bool first;
};

static void partitioned(const struct pair *p)
{
    char *data = malloc(PARTS * PART);
    MPI_Request r;

    if (p->first)
        OK(MPI_Psend_init(data, PARTS, PART, MPI_BYTE, p->other, 4, p->all, MPI_INFO_NULL, &r));
    else
        OK(MPI_Precv_init(data, PARTS / 2, 2 * PART, MPI_BYTE, p->other, 4, p->all, MPI_INFO_NULL, &r));
    for (int round = 0; round < 3; round++) {
        memset(data, 0, PARTS * PART);
        if (p->first)
            check_fill(data, PARTS * PART, (uint64_t)round);
        OK(MPI_Start(&r));
        for (int i = PARTS; p->first && i-- > 0;)
            OK(MPI_Pready(i, r));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK(check_differs(data, PARTS * PART, (uint64_t)round) == PARTS * PART, "round %d is wrong", round);
    }
    OK(MPI_Request_free(&r));
    free(data);
}

static void cancelled(const struct pair *p, int n)
{
    char *data = calloc((size_t)n, 1);
    MPI_Request r;
    MPI_Status status;
    int flag, got = 0;

    if (p->first) {
        OK(MPI_Issend(data, n, MPI_BYTE, p->other, 5, p->all, &r));
        OK(MPI_Cancel(&r));
        OK(MPI_Wait(&r, &status));
        OK(MPI_Test_cancelled(&status, &flag));
        CHECK(flag, "a send of %d bytes that nobody receives was not cancelled", n);
        OK(MPI_Send(&(int){n}, 1, MPI_INT, p->other, 6, p->all));
    } else {
        OK(MPI_Recv(&got, 1, MPI_INT, p->other, 6, p->all, MPI_STATUS_IGNORE));
        CHECK(got == n, "got %d", got);
        OK(MPI_Iprobe(p->other, 5, p->all, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "a message that was cancelled is there");
    }
    free(data);
}

static void truncated(const struct pair *p, int n)
{
    char *data = malloc((size_t)n);
    MPI_Request r;

    check_fill(data, (size_t)n, 77);
    if (p->first) {
        OK(MPI_Isend(data, n, MPI_BYTE, p->other, 7, p->all, &r));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    } else {
        FAILS(MPI_Recv(data, n / 2, MPI_BYTE, p->other, 7, p->all, MPI_STATUS_IGNORE), MPI_ERR_TRUNCATE);
    }
    free(data);
}

static void buffered(const struct pair *p)
{
    static char room[2 * LARGE + 4 * MPI_BSEND_OVERHEAD];
    char *out = malloc(LARGE), *in = malloc(LARGE), *back;
    MPI_Request r[2];
    int n;

    check_fill(out, LARGE, (uint64_t)p->me);
    OK(MPI_Buffer_attach(room, sizeof room));
    OK(MPI_Bsend(out, LARGE, MPI_BYTE, p->other, 8, p->all));
    memset(out, 0, LARGE);
    OK(MPI_Recv(in, LARGE, MPI_BYTE, p->other, 8, p->all, MPI_STATUS_IGNORE));
    CHECK(check_differs(in, LARGE, (uint64_t)p->other) == LARGE, "a buffered message is wrong");
    OK(MPI_Buffer_detach(&back, &n));
    OK(MPI_Send_init(out, 2000, MPI_BYTE, p->other, 9, p->all, &r[0]));
    OK(MPI_Recv_init(in, 2000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, p->all, &r[1]));
    for (int i = 0; i < 20; i++) {
        check_fill(out, 2000, (uint64_t)(100 * i + p->me));
        OK(MPI_Startall(2, r));
        OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
        CHECK(check_differs(in, 2000, (uint64_t)(100 * i + p->other)) == 2000, "persistent message %d is wrong", i);
    }
    OK(MPI_Request_free(&r[0]));
    OK(MPI_Request_free(&r[1]));
    free(out);
    free(in);
}

/* Many small ones without a receive: the stream fills up, order stays. */
static void flood(const struct pair *p)
{
    enum { MANY = 20000 };

    for (int i = 0; i < MANY; i++) {
        int n[20] = {i};

        if (p->first)
            OK(MPI_Send(n, 20, MPI_INT, p->other, 10, p->all));
        else {
            OK(MPI_Recv(n, 20, MPI_INT, p->other, 10, p->all, MPI_STATUS_IGNORE));
            if (!CHECK(n[0] == i, "message %d is number %d", i, n[0]))
                return;
        }
    }
}

static void messages(MPI_Comm inter, bool first)
{
    struct pair p = {.first = first};
    int rank, local, remote;

    MPI_Comm_rank(inter, &rank);
    MPI_Comm_size(inter, &local);
    MPI_Comm_remote_size(inter, &remote);
    OK(MPI_Intercomm_merge(inter, !first, &p.all));
    OK(MPI_Comm_set_errhandler(p.all, MPI_ERRORS_RETURN));
    MPI_Comm_rank(p.all, &p.me);
    p.other = first ? local : 0;
    if (rank == 0) {
        partitioned(&p);
        cancelled(&p, 10);
        cancelled(&p, LARGE);
        truncated(&p, 100);
        truncated(&p, 40000);
        buffered(&p);
        flood(&p);
    }
    OK(MPI_Comm_disconnect(&p.all));
}

static void count(MPI_Comm c, int expected, const char *what)
{
    int sum = -1;

    OK(MPI_Allreduce(&(int){1}, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == expected, "%s: %d processes, expected %d", what, sum, expected);
}

/* inter connects rank 0 of one side with all of the other; here all meet all. */
static void communicators(MPI_Comm inter, bool first, int remote)
{
    MPI_Comm wide, all, some;
    MPI_Group group, one;
    int rank, size, both = mc_size + remote;
    MPI_Win win;
    void *base;

    OK(MPI_Intercomm_create(MPI_COMM_WORLD, 0, inter, 0, 11, &wide));
    count(wide, remote, "all of the other job");
    OK(MPI_Intercomm_merge(wide, !first, &all));
    count(all, both, "both jobs");
    MPI_Comm_rank(all, &rank);
    MPI_Comm_group(all, &group);
    OK(MPI_Group_excl(group, 1, &(int){both - 1}, &one));
    if (rank < both - 1) {
        OK(MPI_Comm_create_group(all, one, 3, &some));
        count(some, both - 1, "a group of both jobs");
        OK(MPI_Comm_free(&some));
        OK(MPI_Comm_create_from_group(one, "both jobs", MPI_INFO_NULL, MPI_ERRORS_RETURN, &some));
        count(some, both - 1, "from a group of both jobs");
        OK(MPI_Comm_free(&some));
    }
    OK(MPI_Comm_create(all, one, &some));
    CHECK((some == MPI_COMM_NULL) == (rank == both - 1), "rank %d and the group", rank);
    if (some != MPI_COMM_NULL)
        OK(MPI_Comm_free(&some));
    OK(MPI_Comm_split_type(all, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &some));
    MPI_Comm_size(some, &size);
    CHECK(size <= mc_size, "%d processes share memory, and the job has %d", size, mc_size);
    OK(MPI_Comm_free(&some));
    OK(MPI_Comm_set_errhandler(all, MPI_ERRORS_RETURN));
    FAILS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, all, &base, &win), MPI_ERR_RMA_SHARED);
    OK(MPI_Group_free(&one));
    OK(MPI_Group_free(&group));
    OK(MPI_Comm_disconnect(&all));
    OK(MPI_Comm_disconnect(&wide));
}

static void child_does_all(MPI_Comm parent, int argc, char **argv)
{
    (void)argc;
    communicators(parent, false, atoi(argv[2]));
    messages(parent, false);
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {{"all", child_does_all}, {NULL, NULL}};
    char number[16], *args[] = {(char *)"all", number, NULL};
    MPI_Comm inter = MPI_COMM_NULL;

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    snprintf(number, sizeof number, "%d", mc_size);
    if (mc_rank == 0)
        inter = spawn_with(MPI_COMM_SELF, 0, 2, args, MPI_INFO_NULL);
    communicators(inter, true, 2);
    if (mc_rank == 0) {
        messages(inter, true);
        part_from(&inter);
    }
    return mc_finish();
}
