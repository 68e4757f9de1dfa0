/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_idup (7.4.2): truly nonblocking, many at once, while messages and other collectives are under way;
 * attributes and groups of the moment of the call; completion in any order. */
#include "mcheck.h"

enum { MANY = 20 };

static void use(MPI_Comm c, int tag)
{
    int n = -1, me = -1, got = -1, sum = -1;

    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &me));
    OK(MPI_Sendrecv(&me, 1, MPI_INT, (me + 1) % n, tag, &got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c,
                    MPI_STATUS_IGNORE));
    CHECK(got == (me + n - 1) % n, "got %d from the left of %d", got, me);
    OK(MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == n * (n - 1) / 2, "sum %d", sum);
}

/* The call returns though rank 0, which makes the context, has not called yet. */
static void check_nonblocking(void)
{
    MPI_Comm c = MPI_COMM_NULL;
    MPI_Request r;
    int token = 0, flag = 0;

    if (mc_rank != 0) {
        OK(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
        OK(MPI_Test(&r, &flag, MPI_STATUS_IGNORE));
        CHECK(!flag, "a duplicate is complete before rank 0 called");
        OK(MPI_Send(&token, 1, MPI_INT, 0, 1, MPI_COMM_WORLD));
    } else {
        for (int i = 1; i < mc_size; i++)
            OK(MPI_Recv(&token, 1, MPI_INT, i, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        OK(MPI_Comm_idup(MPI_COMM_WORLD, &c, &r));
    }
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    CHECK(r == MPI_REQUEST_NULL, "request after wait");
    use(c, 1);
    OK(MPI_Comm_free(&c));
}

static void check_many(void)
{
    MPI_Comm c[MANY];
    MPI_Request r[MANY], in, out;
    int got = -1, result = -1, flag = 0;

    OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                 &in)); /* wildcards see no duplicate's message */
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Comm_idup(i % 3 == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &c[i], &r[i]));
        if (i % 5 == 0)
            OK(MPI_Barrier(MPI_COMM_WORLD)); /* other collectives of the same communicator pass by */
    }
    OK(MPI_Isend(&mc_rank, 1, MPI_INT, (mc_rank + 1) % mc_size, 9, MPI_COMM_WORLD, &out));
    OK(MPI_Wait(&in, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&out, MPI_STATUS_IGNORE));
    CHECK(got == (mc_rank + mc_size - 1) % mc_size, "got %d", got);
    for (int i = MANY - 1; i >= MANY / 2; i--) /* last ones first, by test */
        while (r[i] != MPI_REQUEST_NULL)
            OK(MPI_Test(&r[i], &flag, MPI_STATUS_IGNORE));
    OK(MPI_Waitall(MANY / 2, r, MPI_STATUSES_IGNORE));
    for (int i = 0; i < MANY; i++) {
        OK(MPI_Comm_compare(c[i], i % 3 == 2 ? MPI_COMM_SELF : MPI_COMM_WORLD, &result));
        CHECK(result == MPI_CONGRUENT, "duplicate %d compares as %d", i, result);
    }
    for (int i = 0; i < MANY; i += 3)
        use(c[i], i);
    for (int i = 0; i < MANY; i++)
        OK(MPI_Comm_free(&c[i]));
}

/* The old communicator may be freed before the new one is complete. */
static void check_parent_freed(void)
{
    MPI_Comm parent, child;
    MPI_Request r;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &parent));
    OK(MPI_Comm_idup(parent, &child, &r));
    OK(MPI_Comm_free(&parent));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    use(child, 4);
    OK(MPI_Comm_free(&child));
}

static int copies, fails;

static int copy_count(MPI_Comm old, int keyval, void *extra, void *in, void *out, int *flag)
{
    (void)old;
    (void)keyval;
    (void)extra;
    if (fails)
        return MPI_ERR_OTHER;
    copies++;
    *(void **)out = in;
    *flag = 1;
    return MPI_SUCCESS;
}

static void check_attributes(void)
{
    static int first, second;
    MPI_Comm parent, child;
    MPI_Request r;
    int keyval = MPI_KEYVAL_INVALID, flag = 0;
    void *value = NULL;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &parent));
    OK(MPI_Comm_create_keyval(copy_count, MPI_COMM_NULL_DELETE_FN, &keyval, NULL));
    OK(MPI_Comm_set_attr(parent, keyval, &first));
    OK(MPI_Comm_idup(parent, &child, &r));
    OK(MPI_Comm_set_attr(parent, keyval, &second)); /* later than the copy */
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_get_attr(child, keyval, &value, &flag));
    CHECK(flag && value == &first && copies == 1, "flag %d, value %p, copied %d times", flag, value, copies);
    OK(MPI_Comm_free(&child));
    fails = 1;
    OK(MPI_Comm_set_errhandler(parent, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_idup(parent, &child, &r), MPI_ERR_OTHER);
    CHECK(child == MPI_COMM_NULL && r == MPI_REQUEST_NULL, "a failed call gave %p, %p", (void *)child, (void *)r);
    FAILS(MPI_Comm_dup(parent, &child), MPI_ERR_OTHER);
    fails = 0;
    OK(MPI_Comm_idup(parent, &child, &r)); /* and all still agree */
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    use(child, 5);
    OK(MPI_Comm_free(&child));
    OK(MPI_Comm_free(&parent));
    OK(MPI_Comm_free_keyval(&keyval));
}

static void check_info(void)
{
    MPI_Info info, got;
    MPI_Comm c;
    MPI_Request r;
    char value[8] = "";
    int n = sizeof value, flag = 0;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_source", "true"));
    OK(MPI_Comm_idup_with_info(MPI_COMM_WORLD, info, &c, &r));
    OK(MPI_Info_free(&info));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_get_info(c, &got));
    OK(MPI_Info_get_string(got, "mpi_assert_no_any_source", &n, value, &flag));
    CHECK(flag && !strcmp(value, "true"), "hint \"%s\"", value);
    OK(MPI_Info_free(&got));
    OK(MPI_Comm_free(&c));
}

int main(void)
{
    MPI_Comm c;
    MPI_Request r;

    mc_start();
    check_nonblocking();
    for (int i = 0; i < 20; i++)
        check_many();
    check_parent_freed();
    check_attributes();
    check_info();
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_idup(MPI_COMM_NULL, &c, &r), MPI_ERR_COMM);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, NULL, &r), MPI_ERR_ARG);
    FAILS(MPI_Comm_idup(MPI_COMM_WORLD, &c, NULL), MPI_ERR_ARG);
    return mc_finish();
}
