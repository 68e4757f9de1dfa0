/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short nonblocking collectives, which have two halves: one alone, several in a row,
 * between long ones, a root far ahead of the others, found by tests and by waits, and
 * a broadcast of which the root gives more than others take.
 */
#include "mcheck.h"

enum { MANY = 400, SOME = 6, LONG = 3000 };

static long sum_of(long base)
{
    return base * mc_size + (long)mc_size * (mc_size - 1) / 2;
}

static void await(MPI_Request *r, int how)
{
    int flag = 0;

    if (how == 0)
        OK(MPI_Wait(r, MPI_STATUS_IGNORE));
    else if (how == 1)
        OK(MPI_Waitall(1, r, MPI_STATUSES_IGNORE));
    else
        while (!flag)
            OK(MPI_Test(r, &flag, MPI_STATUS_IGNORE));
    CHECK(*r == MPI_REQUEST_NULL, "a request is still there (%d)", how);
}

static void one_by_one(MPI_Comm comm)
{
    for (int i = 0; i < MANY; i++) {
        long own = i + mc_rank, all = -1, root = mc_rank == i % mc_size ? i : -1;
        MPI_Request r;

        OK(MPI_Ibarrier(comm, &r));
        await(&r, i % 3);
        OK(MPI_Iallreduce(&own, &all, 1, MPI_LONG, MPI_SUM, comm, &r));
        await(&r, (i + mc_rank) % 3);
        CHECK(all == sum_of(i), "sum %d: %ld", i, all);
        OK(MPI_Ibcast(&root, 1, MPI_LONG, i % mc_size, comm, &r));
        await(&r, i % 3);
        CHECK(root == i, "broadcast %d: %ld", i, root);
        OK(MPI_Ireduce(&own, &all, 1, MPI_LONG, MPI_MAX, i % mc_size, comm, &r));
        await(&r, i % 2);
        CHECK(mc_rank != i % mc_size || all == i + mc_size - 1, "greatest %d: %ld", i, all);
        OK(MPI_Iallreduce(MPI_IN_PLACE, &own, 1, MPI_LONG, MPI_SUM, comm, &r));
        OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
        CHECK(own == sum_of(i), "in place %d: %ld", i, own);
    }
}

/* Short ones and long ones behind each other; a blocking one ends all. */
static void in_a_row(MPI_Comm comm)
{
    static long from[LONG], to[LONG];

    for (int i = 0; i < MANY / 4; i++) {
        MPI_Request r[SOME];
        long own[2] = {i + mc_rank, 2 * i + mc_rank}, all[2] = {-1, -1}, word = mc_rank == 0 ? i : -1;

        for (int k = 0; k < LONG; k++)
            from[k] = k + i;
        OK(MPI_Iallreduce(&own[0], &all[0], 1, MPI_LONG, MPI_SUM, comm, &r[0]));
        OK(MPI_Iallreduce(from, to, LONG, MPI_LONG, MPI_MAX, comm, &r[1]));
        OK(MPI_Ibarrier(comm, &r[2]));
        OK(MPI_Ibcast(&word, 1, MPI_LONG, 0, comm, &r[3]));
        OK(MPI_Iallreduce(&own[1], &all[1], 1, MPI_LONG, MPI_SUM, comm, &r[4]));
        OK(MPI_Ibarrier(comm, &r[5]));
        if (i % 3 == 0)
            OK(MPI_Barrier(comm));
        if (i % 3 == 1)
            for (int k = SOME - 1; k >= 0; k--)
                OK(MPI_Wait(&r[k], MPI_STATUS_IGNORE));
        OK(MPI_Waitall(SOME, r, MPI_STATUSES_IGNORE));
        CHECK(all[0] == sum_of(i) && all[1] == sum_of(2 * i) && word == i, "row %d: %ld %ld %ld", i, all[0], all[1],
              word);
        CHECK(to[0] == i && to[LONG - 1] == LONG - 1 + i, "row %d: %ld", i, to[LONG - 1]);
    }
}

/* The root does not wait for anybody. */
static void far_ahead(MPI_Comm comm)
{
    static MPI_Request r[MANY];
    static long words[MANY];

    for (int i = 0; i < MANY; i++) {
        words[i] = mc_rank == 0 ? i : -1;
        OK(MPI_Ibcast(&words[i], 1, MPI_LONG, 0, comm, &r[i]));
        if (mc_rank == 0)
            OK(MPI_Wait(&r[i], MPI_STATUS_IGNORE));
    }
    OK(MPI_Waitall(MANY, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++)
        CHECK(words[i] == i, "word %d: %ld", i, words[i]);
}

/* The root gives 100 longs, or 20000, where others take one. Afterwards all goes on. */
static void cut_short(MPI_Comm comm, int count)
{
    static long words[20000];
    MPI_Request r;
    int class = MPI_SUCCESS, code;

    memset(words, 0, sizeof words);
    words[0] = mc_rank == 0 ? 77 : 0;
    OK(MPI_Ibcast(words, mc_rank == 0 ? count : 1, MPI_LONG, 0, comm, &r));
    code = MPI_Wait(&r, MPI_STATUS_IGNORE);
    MPI_Error_class(code, &class);
    CHECK(class == MPI_ERR_TRUNCATE || class == MPI_SUCCESS, "a broadcast cut short: class %d", class);
    CHECK(mc_rank != 1 || class == MPI_ERR_TRUNCATE, "a broadcast cut short: class %d", class);
    CHECK(words[0] == 77 || class != MPI_SUCCESS, "a broadcast cut short: %ld", words[0]);
}

int main(void)
{
    MPI_Comm comm;

    mc_start();
    one_by_one(MPI_COMM_WORLD);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    OK(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    one_by_one(comm);
    in_a_row(comm);
    far_ahead(comm);
    if (!getenv("MPT_TRANSPORT") && !getenv("MPT_CHECK")) {
        cut_short(comm, 100);
        cut_short(comm, 20000);
    }
    one_by_one(comm);
    OK(MPI_Comm_free(&comm));
    return mc_finish();
}
