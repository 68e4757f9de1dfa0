/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Windows of processes that met in each of the ways there are: a spawned job, a
 * job that connected to a port, and three jobs together. The tests of one-sided
 * communication themselves run over two jobs, too (rma/two_jobs.h); here is what
 * only jobs can show: who serves while it waits, what is refused, large data.
 */
#include "children.h"

enum { SLOTS = 64, BLOCKS = 3000, LENGTH = 300, STRIDE = 2 * LENGTH };

/* A communicator of several jobs. */
struct team {
    MPI_Comm comm;
    int rank, size;
};

static struct team team_of(MPI_Comm comm)
{
    struct team t = {.comm = comm};

    MPI_Comm_rank(comm, &t.rank);
    MPI_Comm_size(comm, &t.size);
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    return t;
}

/* Every rank writes to every other, and all add to all. */
static void active(const struct team *t)
{
    int64_t memory[SLOTS] = {0}, value;
    MPI_Group group;
    MPI_Win win;

    OK(MPI_Win_create(memory, sizeof memory, 8, MPI_INFO_NULL, t->comm, &win));
    OK(MPI_Win_get_group(win, &group));
    for (int round = 1; round <= 4; round++) {
        value = 100 * round + t->rank;
        if (round % 2) {
            OK(MPI_Win_fence(0, win));
        } else {
            OK(MPI_Win_post(group, 0, win));
            OK(MPI_Win_start(group, 0, win));
        }
        for (int to = 0; to < t->size; to++) {
            OK(MPI_Put(&value, 1, MPI_INT64_T, to, 1 + t->rank, 1, MPI_INT64_T, win));
            OK(MPI_Accumulate(&value, 1, MPI_INT64_T, to, 0, 1, MPI_INT64_T, MPI_SUM, win));
        }
        if (round % 2) {
            OK(MPI_Win_fence(0, win));
        } else {
            OK(MPI_Win_complete(win));
            OK(MPI_Win_wait(win));
        }
        for (int from = 0; from < t->size; from++)
            CHECK(memory[1 + from] == 100 * round + from, "round %d, from %d: %lld", round, from,
                  (long long)memory[1 + from]);
        OK(MPI_Barrier(t->comm));
    }
    value = (int64_t)t->size * 1000 + 4 * (int64_t)t->size * (t->size - 1) / 2;
    CHECK(memory[0] == value, "the sum is %lld, not %lld", (long long)memory[0], (long long)value);
    /* Nobody waits for these posts but the end of the window. */
    OK(MPI_Win_start(group, 0, win));
    OK(MPI_Win_complete(win));
    OK(MPI_Win_post(group, 0, win));
    OK(MPI_Win_wait(win));
    OK(MPI_Group_free(&group));
    OK(MPI_Win_free(&win));
}

/* Tickets of a counter, and a lock that protects what is read and written apart. */
static void passive(const struct team *t)
{
    enum { TIMES = 20 };
    int64_t *memory, one = 1, ticket, last = -1, seen;
    int last_rank = t->size - 1;
    MPI_Win win;

    OK(MPI_Win_allocate(SLOTS * 8, 8, MPI_INFO_NULL, t->comm, &memory, &win));
    memset(memory, 0, SLOTS * 8);
    OK(MPI_Barrier(t->comm));
    OK(MPI_Win_lock_all(0, win));
    for (int i = 0; i < TIMES; i++) {
        OK(MPI_Fetch_and_op(&one, &ticket, MPI_INT64_T, 0, 0, MPI_SUM, win));
        OK(MPI_Win_flush(0, win));
        CHECK(ticket > last && ticket < TIMES * t->size, "ticket %lld after %lld", (long long)ticket, (long long)last);
        last = ticket;
    }
    OK(MPI_Win_unlock_all(win));
    for (int i = 0; i < TIMES; i++) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, last_rank, 0, win));
        OK(MPI_Get(&seen, 1, MPI_INT64_T, last_rank, 1, 1, MPI_INT64_T, win));
        OK(MPI_Win_flush(last_rank, win));
        seen++;
        OK(MPI_Put(&seen, 1, MPI_INT64_T, last_rank, 1, 1, MPI_INT64_T, win));
        OK(MPI_Win_unlock(last_rank, win));
    }
    OK(MPI_Barrier(t->comm));
    CHECK(t->rank != 0 || memory[0] == TIMES * t->size, "%lld tickets", (long long)memory[0]);
    CHECK(t->rank != last_rank || memory[1] == TIMES * t->size, "%lld turns", (long long)memory[1]);
    OK(MPI_Win_free(&win));
}

/* The last rank, of another job, writes to rank 0, which is in a collective call of its own
 * job: that cannot end before. And all write to the last one, which waits for their messages. */
static void served(const struct team *t)
{
    int last_rank = t->size - 1, first_job = mc_size;
    int64_t *memory, mine = t->rank + 1, nothing = 0, old = -1;
    MPI_Win win;

    OK(MPI_Bcast(&first_job, 1, MPI_INT, 0, t->comm));
    OK(MPI_Win_allocate(SLOTS * 8, 8, MPI_INFO_NULL, t->comm, &memory, &win));
    memset(memory, 0, SLOTS * 8);
    OK(MPI_Barrier(t->comm));
    if (t->rank == last_rank) {
        OK(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win));
        OK(MPI_Put(&mine, 1, MPI_INT64_T, 0, 0, 1, MPI_INT64_T, win));
        OK(MPI_Win_unlock(0, win));
        for (int to = 1; to < first_job; to++)
            OK(MPI_Send(NULL, 0, MPI_BYTE, to, 2, t->comm));
        for (int from = 0; from < last_rank; from++)
            OK(MPI_Recv(NULL, 0, MPI_BYTE, from, 1, t->comm, MPI_STATUS_IGNORE));
        for (int from = 0; from < last_rank; from++)
            CHECK(memory[1 + from] == 1 + from, "swapped %lld", (long long)memory[1 + from]);
    } else {
        if (t->rank < first_job) {
            if (t->rank > 0)
                OK(MPI_Recv(NULL, 0, MPI_BYTE, last_rank, 2, t->comm, MPI_STATUS_IGNORE));
            OK(MPI_Barrier(MPI_COMM_WORLD));
            CHECK(first_job == 1 || t->rank > 0 || memory[0] == t->size, "served: %lld", (long long)memory[0]);
        }
        OK(MPI_Win_lock(MPI_LOCK_SHARED, last_rank, 0, win));
        OK(MPI_Compare_and_swap(&mine, &nothing, &old, MPI_INT64_T, last_rank, 1 + t->rank, win));
        OK(MPI_Win_unlock(last_rank, win));
        CHECK(old == 0, "compared with %lld", (long long)old);
        OK(MPI_Send(NULL, 0, MPI_BYTE, last_rank, 1, t->comm));
    }
    OK(MPI_Barrier(t->comm));
    OK(MPI_Win_free(&win));
}

/* Megabytes, dense and in blocks, there and back by requests; the right neighbour is mostly of another job. */
static void large(const struct team *t)
{
    const size_t n = (size_t)BLOCKS * STRIDE, dense = n / 2;
    int right = (t->rank + 1) % t->size, left = (t->rank + t->size - 1) % t->size;
    char *out = malloc(n), *back = calloc(n, 1), *base;
    MPI_Datatype blocks;
    MPI_Request r[2];
    MPI_Win win;

    OK(MPI_Type_vector(BLOCKS, LENGTH, STRIDE, MPI_BYTE, &blocks));
    OK(MPI_Type_commit(&blocks));
    OK(MPI_Win_allocate((MPI_Aint)(2 * n), 1, MPI_INFO_NULL, t->comm, &base, &win));
    memset(base, 0, 2 * n);
    check_fill(out, n, (uint64_t)t->rank);
    OK(MPI_Barrier(t->comm));
    OK(MPI_Win_lock_all(0, win));
    OK(MPI_Rput(out, (int)n, MPI_BYTE, right, 0, (int)n, MPI_BYTE, win, &r[0]));
    OK(MPI_Rput(out, 1, blocks, right, (MPI_Aint)n, 1, blocks, win, &r[1]));
    OK(MPI_Waitall(2, r, MPI_STATUSES_IGNORE));
    OK(MPI_Win_flush(right, win));
    OK(MPI_Rget(back, (int)dense, MPI_BYTE, right, (MPI_Aint)n, 1, blocks, win, &r[0]));
    OK(MPI_Wait(&r[0], MPI_STATUS_IGNORE));
    for (size_t i = 0; i < dense; i++)
        if (!CHECK((unsigned char)back[i] == check_pattern((uint64_t)t->rank, i / LENGTH * STRIDE + i % LENGTH),
                   "byte %zu that came back", i))
            break;
    OK(MPI_Get(back, (int)n, MPI_BYTE, right, 0, (int)n, MPI_BYTE, win));
    OK(MPI_Win_unlock_all(win));
    CHECK(check_differs(back, n, (uint64_t)t->rank) == n, "dense data that came back differs at %zu",
          check_differs(back, n, (uint64_t)t->rank));
    OK(MPI_Barrier(t->comm));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, t->rank, 0, win));
    CHECK(check_differs(base, n, (uint64_t)left) == n, "dense data differs at %zu",
          check_differs(base, n, (uint64_t)left));
    for (size_t i = 0; i < n; i++) {
        unsigned char expected = i % STRIDE < LENGTH ? check_pattern((uint64_t)left, i) : 0;

        if (!CHECK((unsigned char)base[n + i] == expected, "byte %zu of the blocks", i))
            break;
    }
    OK(MPI_Win_unlock(t->rank, win));
    OK(MPI_Win_free(&win));
    OK(MPI_Type_free(&blocks));
    free(out);
    free(back);
}

/* More small operations than a stream holds, then a sum over them. */
static void flood(const struct team *t)
{
    enum { MANY = 20000 };
    int64_t memory = 0, one = 1;
    MPI_Win win;

    OK(MPI_Win_create(&memory, 8, 8, MPI_INFO_NULL, t->comm, &win));
    OK(MPI_Win_fence(0, win));
    for (int i = 0; i < MANY; i++)
        OK(MPI_Accumulate(&one, 1, MPI_INT64_T, t->size - 1, 0, 1, MPI_INT64_T, MPI_SUM, win));
    OK(MPI_Win_fence(0, win));
    CHECK(memory == (t->rank == t->size - 1 ? (int64_t)MANY * t->size : 0), "%lld", (long long)memory);
    OK(MPI_Win_free(&win));
}

static void refused(const struct team *t)
{
    int64_t memory[4] = {0}, value = 7;
    int right = (t->rank + 1) % t->size, code, class_ = 0;
    MPI_Aint *at = malloc((size_t)t->size * sizeof *at), own;
    MPI_Win win = MPI_WIN_NULL;
    void *base;

    FAILS(MPI_Win_allocate_shared(8, 1, MPI_INFO_NULL, t->comm, &base, &win), MPI_ERR_RMA_SHARED);
    FAILS(MPI_Win_create(memory, t->rank == 0 ? -1 : 8, 1, MPI_INFO_NULL, t->comm, &win), MPI_ERR_SIZE);
    CHECK(win == MPI_WIN_NULL, "a window was made");
    OK(MPI_Win_create_dynamic(MPI_INFO_NULL, t->comm, &win));
    OK(MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN));
    OK(MPI_Win_attach(win, memory, 16));
    OK(MPI_Get_address(memory, &own));
    OK(MPI_Allgather(&own, 1, MPI_AINT, at, 1, MPI_AINT, t->comm));
    OK(MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win));
    OK(MPI_Put(&value, 1, MPI_INT64_T, right, at[right], 1, MPI_INT64_T, win));
    code = MPI_Put(&value, 1, MPI_INT64_T, right, MPI_Aint_add(at[right], 16), 1, MPI_INT64_T, win);
    if (code == MPI_SUCCESS)
        code = MPI_Win_flush(right, win);
    MPI_Error_class(code, &class_);
    CHECK(class_ == MPI_ERR_RMA_RANGE, "a put to what is not attached: class %d", class_);
    OK(MPI_Win_unlock(right, win));
    OK(MPI_Barrier(t->comm));
    CHECK(memory[0] == 7 && memory[2] == 0, "%lld %lld", (long long)memory[0], (long long)memory[2]);
    OK(MPI_Win_detach(win, memory));
    OK(MPI_Win_free(&win));
    free(at);
}

static void everything(MPI_Comm comm)
{
    struct team t = team_of(comm);

    active(&t);
    passive(&t);
    served(&t);
    large(&t);
    flood(&t);
    refused(&t);
}

static void everything_between(MPI_Comm inter, bool first)
{
    MPI_Comm all;

    OK(MPI_Intercomm_merge(inter, !first, &all));
    everything(all);
    OK(MPI_Comm_disconnect(&all));
}

static void child_spawned(MPI_Comm parent, int argc, char **argv)
{
    (void)argc, (void)argv;
    everything_between(parent, false);
}

static void child_connects(MPI_Comm parent, int argc, char **argv)
{
    MPI_Comm inter;

    (void)argc, (void)parent;
    OK(MPI_Comm_connect(argv[2], MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    everything_between(inter, false);
    OK(MPI_Comm_disconnect(&inter));
}

/* The second job and the first spawn the third one together. */
static void three(MPI_Comm inter, bool first)
{
    MPI_Comm both, third;

    OK(MPI_Intercomm_merge(inter, !first, &both));
    third = spawn_part(both, 0, 1, "spawned");
    everything_between(third, true);
    part_from(&third);
    OK(MPI_Comm_disconnect(&both));
}

static void child_of_three(MPI_Comm parent, int argc, char **argv)
{
    (void)argc, (void)argv;
    three(parent, false);
}

static void connected(void)
{
    char port[MPI_MAX_PORT_NAME] = "", *argv[] = {(char *)"connects", port, NULL};
    MPI_Comm child, inter;

    if (mc_rank == 0)
        OK(MPI_Open_port(MPI_INFO_NULL, port));
    child = spawn_with(MPI_COMM_WORLD, 0, 2, argv, MPI_INFO_NULL);
    OK(MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &inter));
    everything_between(inter, true);
    OK(MPI_Comm_disconnect(&inter));
    if (mc_rank == 0)
        OK(MPI_Close_port(port));
    part_from(&child);
}

int main(int argc, char **argv)
{
    static const struct part parts[] = {
        {"spawned", child_spawned}, {"connects", child_connects}, {"three", child_of_three}, {NULL, NULL}};
    MPI_Comm inter;

    mc_start();
    if (run_child(parts, argc, argv))
        return mc_finish();
    inter = spawn_part(MPI_COMM_WORLD, 0, 2, "spawned");
    everything_between(inter, true);
    part_from(&inter);
    connected();
    inter = spawn_part(MPI_COMM_WORLD, 0, 2, "three");
    three(inter, true);
    part_from(&inter);
    return mc_finish();
}
