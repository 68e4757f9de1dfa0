/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators made from others (7.4.2): dup, create, create_group, compare, names, hints; each new one is used at
 * once, apart from the old one's traffic; many are made and freed; errors. */
#include "mcheck.h"

#include <sys/resource.h>

static int size_of(MPI_Comm c)
{
    int n = -1;

    OK(MPI_Comm_size(c, &n));
    return n;
}

static int rank_of(MPI_Comm c)
{
    int n = -1;

    OK(MPI_Comm_rank(c, &n));
    return n;
}

/* A ring and a sum: messages of c reach c's members only, whatever waits on `other`. */
static void use(MPI_Comm c, MPI_Comm other)
{
    int n = size_of(c), me = rank_of(c), got = -1, noise = -1, sum = -1, world = mc_rank, left = -1;
    MPI_Request r, o = MPI_REQUEST_NULL;
    MPI_Group gc, gw;

    if (other != MPI_COMM_NULL) /* a receive that anything would match on the other communicator */
        OK(MPI_Irecv(&noise, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, other, &o));
    OK(MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, c, &r));
    OK(MPI_Send(&world, 1, MPI_INT, (me + 1) % n, 7, c));
    OK(MPI_Wait(&r, MPI_STATUS_IGNORE));
    OK(MPI_Comm_group(c, &gc));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &gw));
    OK(MPI_Group_translate_ranks(gc, 1, &(int){(me + n - 1) % n}, gw, &left));
    CHECK(got == left, "the left neighbour is %d of the world, expected %d", got, left);
    OK(MPI_Group_free(&gc));
    OK(MPI_Group_free(&gw));
    OK(MPI_Allreduce(&(int){me + 1}, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == n * (n + 1) / 2, "the sum over %d processes is %d", n, sum);
    if (other == MPI_COMM_NULL)
        return;
    OK(MPI_Send(&world, 1, MPI_INT, rank_of(other), 1, other));
    OK(MPI_Wait(&o, MPI_STATUS_IGNORE));
    CHECK(noise == mc_rank, "the old communicator's receive got %d", noise);
}

static void check_compare(MPI_Comm a, MPI_Comm b, int expected)
{
    int result = -1;

    OK(MPI_Comm_compare(a, b, &result));
    CHECK(result == expected, "communicators compare as %d, expected %d", result, expected);
    OK(MPI_Comm_compare(b, a, &result));
    CHECK(result == expected, "communicators compare the other way round as %d, expected %d", result, expected);
}

static void check_predefined(void)
{
    int flag = -1;

    CHECK(size_of(MPI_COMM_SELF) == 1 && rank_of(MPI_COMM_SELF) == 0, "MPI_COMM_SELF");
    OK(MPI_Comm_test_inter(MPI_COMM_WORLD, &flag));
    CHECK(flag == 0, "MPI_COMM_WORLD is an intercommunicator");
    check_compare(MPI_COMM_WORLD, MPI_COMM_WORLD, MPI_IDENT);
    check_compare(MPI_COMM_WORLD, MPI_COMM_SELF, mc_size == 1 ? MPI_CONGRUENT : MPI_UNEQUAL);
}

static void check_dup(void)
{
    MPI_Comm a, b;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    OK(MPI_Comm_dup(a, &b));
    check_compare(a, MPI_COMM_WORLD, MPI_CONGRUENT);
    check_compare(a, b, MPI_CONGRUENT);
    use(a, MPI_COMM_WORLD);
    use(b, a);
    OK(MPI_Comm_free(&a));
    CHECK(a == MPI_COMM_NULL, "handle after free");
    use(b, MPI_COMM_WORLD); /* it does not need its parent */
    OK(MPI_Comm_disconnect(&b));
    CHECK(b == MPI_COMM_NULL, "handle after disconnect");
    OK(MPI_Comm_dup(MPI_COMM_SELF, &a));
    use(a, MPI_COMM_SELF);
    OK(MPI_Comm_free(&a));
}

/* A random order of a random part of the world, the same on all. */
static MPI_Group random_group(uint64_t *state, MPI_Group world, int *n)
{
    int ranks[64];
    MPI_Group g;

    *n = 0;
    for (int i = 0; i < mc_size; i++)
        if (check_random_below(state, 4)) {
            const int at = (int)check_random_below(state, (uint64_t)*n + 1);

            ranks[(*n)++] = ranks[at];
            ranks[at] = i;
        }
    OK(MPI_Group_incl(world, *n, ranks, &g));
    return g;
}

static void check_new(MPI_Comm c, MPI_Group g, const char *what)
{
    int rank = -1, relation = -1;
    MPI_Group of;

    OK(MPI_Group_rank(g, &rank));
    if (rank == MPI_UNDEFINED) {
        CHECK(c == MPI_COMM_NULL, "%s gave %p to a process outside of the group", what, (void *)c);
        return;
    }
    if (!CHECK(c != MPI_COMM_NULL, "%s gave a member nothing", what))
        return;
    CHECK(rank_of(c) == rank, "%s: rank %d, expected %d", what, rank_of(c), rank);
    OK(MPI_Comm_group(c, &of));
    OK(MPI_Group_compare(g, of, &relation));
    CHECK(relation == MPI_IDENT, "%s: its group compares as %d", what, relation);
    OK(MPI_Group_free(&of));
    use(c, MPI_COMM_WORLD);
    OK(MPI_Comm_free(&c));
}

static void check_create(void)
{
    uint64_t state = check_seed(7402);
    MPI_Group world;

    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int round = 0; round < 30; round++) {
        int n, rank;
        MPI_Group g = random_group(&state, world, &n);
        MPI_Comm c = MPI_COMM_WORLD;

        OK(MPI_Comm_create(MPI_COMM_WORLD, g, &c));
        check_new(c, g, "create");
        OK(MPI_Group_rank(g, &rank));
        if (rank != MPI_UNDEFINED) { /* the others are elsewhere meanwhile */
            OK(MPI_Comm_create_group(MPI_COMM_WORLD, g, round % 3, &c));
            check_new(c, g, "create_group");
        }
        OK(MPI_Group_free(&g));
    }
    for (int round = 0; round < 10; round++) { /* different groups in one call: each process alone, or halves */
        const int half = mc_rank < mc_size / 2, low = half ? 0 : mc_size / 2, high = half ? mc_size / 2 : mc_size;
        int alone[1][3] = {{mc_rank, mc_rank, 1}}, part[1][3] = {{high - 1, low, -1}};
        MPI_Group g;
        MPI_Comm c;

        OK(MPI_Group_range_incl(world, 1, round % 2 ? alone : part, &g));
        OK(MPI_Comm_create(MPI_COMM_WORLD, g, &c));
        check_new(c, g, "create of disjoint groups");
        OK(MPI_Group_free(&g));
    }
    OK(MPI_Group_free(&world));
}

/* The same group, tag and parent again and again: one meeting must not take the next one's messages. */
static void check_create_group_again(void)
{
    MPI_Comm c[50];
    MPI_Group world;

    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int i = 0; i < 50; i++)
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, world, 0, &c[i]));
    for (int i = 0; i < 50; i++) {
        if (i % 10 == 0)
            use(c[i], c[(i + 1) % 50]);
    }
    for (int i = 0; i < 50; i++)
        OK(MPI_Comm_free(&c[i]));
    OK(MPI_Group_free(&world));
}

static void check_names(void)
{
    char name[MPI_MAX_OBJECT_NAME], full[MPI_MAX_OBJECT_NAME + 1];
    int n = -1;
    MPI_Comm c;

    OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &n));
    CHECK(strcmp(name, "MPI_COMM_WORLD") == 0 && n == 14, "the world's name is \"%s\", length %d", name, n);
    OK(MPI_Comm_get_name(MPI_COMM_SELF, name, &n));
    CHECK(strcmp(name, "MPI_COMM_SELF") == 0, "self's name is \"%s\"", name);
    OK(MPI_Comm_get_name(MPI_COMM_NULL, name, &n));
    CHECK(strcmp(name, "MPI_COMM_NULL") == 0, "the null communicator's name is \"%s\"", name);
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    OK(MPI_Comm_get_name(c, name, &n));
    CHECK(name[0] == 0 && n == 0, "a duplicate's name is \"%s\"", name);
    memset(full, 'x', sizeof full);
    full[MPI_MAX_OBJECT_NAME - 1] = 0;
    OK(MPI_Comm_set_name(c, full));
    OK(MPI_Comm_get_name(c, name, &n));
    CHECK(strcmp(name, full) == 0 && n == MPI_MAX_OBJECT_NAME - 1, "the longest name has %d characters", n);
    OK(MPI_Comm_set_errhandler(c, MPI_ERRORS_RETURN));
    full[MPI_MAX_OBJECT_NAME - 1] = 'x';
    full[MPI_MAX_OBJECT_NAME] = 0;
    OK(MPI_Comm_set_name(c, full));
    OK(MPI_Comm_get_name(c, name, &n));
    CHECK(strncmp(name, full, MPI_MAX_OBJECT_NAME - 1) == 0 && n == MPI_MAX_OBJECT_NAME - 1,
          "a longer name is cut off after %d characters", n);
    FAILS(MPI_Comm_set_name(c, NULL), MPI_ERR_ARG);
    OK(MPI_Comm_set_name(MPI_COMM_WORLD, "all of them"));
    OK(MPI_Comm_get_name(MPI_COMM_WORLD, name, &n));
    CHECK(strcmp(name, "all of them") == 0, "the world's new name is \"%s\"", name);
    OK(MPI_Comm_set_name(MPI_COMM_WORLD, "MPI_COMM_WORLD"));
    OK(MPI_Comm_free(&c));
}

static void check_hint(MPI_Comm c, const char *key, const char *expected)
{
    char value[64] = "";
    int flag = 0, n = sizeof value;
    MPI_Info info;

    OK(MPI_Comm_get_info(c, &info));
    OK(MPI_Info_get_string(info, key, &n, value, &flag));
    CHECK(flag == (expected != NULL), "hint %s: there is %s", key, flag ? "one" : "none");
    if (expected)
        CHECK(strcmp(value, expected) == 0, "hint %s is \"%s\", expected \"%s\"", key, value, expected);
    OK(MPI_Info_free(&info));
}

static void check_hints(void)
{
    MPI_Comm a, b;
    MPI_Info info;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "true"));
    OK(MPI_Info_set(info, "mpi_assert_exact_length", "perhaps"));
    OK(MPI_Info_set(info, "colour_of_the_cables", "blue"));
    check_hint(MPI_COMM_WORLD, "mpi_assert_no_any_tag", "false");
    OK(MPI_Comm_dup_with_info(MPI_COMM_WORLD, info, &a));
    check_hint(a, "mpi_assert_no_any_tag", "true");
    check_hint(a, "mpi_assert_exact_length", "false"); /* not a value it can have */
    check_hint(a, "colour_of_the_cables", NULL);
    check_hint(a, "mpi_assert_allow_overtaking", "false");
    OK(MPI_Comm_dup(a, &b));
    check_hint(b, "mpi_assert_no_any_tag", "false"); /* dup does not copy hints */
    OK(MPI_Comm_set_info(b, info));
    check_hint(b, "mpi_assert_no_any_tag", "true");
    OK(MPI_Info_set(info, "mpi_assert_no_any_tag", "false"));
    OK(MPI_Comm_set_info(b, info));
    check_hint(b, "mpi_assert_no_any_tag", "false");
    OK(MPI_Comm_free(&b));
    OK(MPI_Comm_dup_with_info(a, MPI_INFO_NULL, &b));
    check_hint(b, "mpi_assert_no_any_tag", "false");
    OK(MPI_Comm_free(&a));
    OK(MPI_Comm_free(&b));
    OK(MPI_Info_free(&info));
}

static int calls;

static void count_error(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    calls++;
}

static void check_handler_inherited(void)
{
    MPI_Errhandler handler;
    MPI_Comm a, b;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &a));
    OK(MPI_Comm_create_errhandler(count_error, &handler));
    OK(MPI_Comm_set_errhandler(a, handler));
    OK(MPI_Errhandler_free(&handler));
    OK(MPI_Comm_dup(a, &b));
    OK(MPI_Comm_free(&a));
    FAILS(MPI_Comm_size(b, NULL), MPI_ERR_ARG);
    CHECK(calls == 1, "the inherited handler was called %d times", calls);
    OK(MPI_Comm_free(&b));
}

static void check_errors(void)
{
    MPI_Comm c, freed, out = MPI_COMM_WORLD, world = MPI_COMM_WORLD, self = MPI_COMM_SELF;
    MPI_Group g, half;
    int n = 0;

    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    freed = c;
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_group(MPI_COMM_WORLD, &g));
    FAILS(MPI_Comm_size(freed, &n), MPI_ERR_COMM);
    FAILS(MPI_Comm_rank(MPI_COMM_NULL, &n), MPI_ERR_COMM);
    FAILS(MPI_Comm_rank((MPI_Comm)(void *)&n, &n), MPI_ERR_COMM);
    FAILS(MPI_Comm_free(&c), MPI_ERR_COMM);
    FAILS(MPI_Comm_free(&world), MPI_ERR_COMM);
    FAILS(MPI_Comm_disconnect(&self), MPI_ERR_COMM);
    FAILS(MPI_Comm_free(NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_dup(MPI_COMM_NULL, &out), MPI_ERR_COMM);
    FAILS(MPI_Comm_dup(freed, &out), MPI_ERR_COMM);
    FAILS(MPI_Comm_dup(MPI_COMM_WORLD, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_compare(MPI_COMM_WORLD, freed, &n), MPI_ERR_COMM);
    FAILS(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_NULL, &out), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_NULL, 0, &out), MPI_ERR_GROUP);
    FAILS(MPI_Comm_create_group(MPI_COMM_WORLD, g, -1, &out), MPI_ERR_TAG);
    FAILS(MPI_Comm_remote_size(MPI_COMM_WORLD, &n), MPI_ERR_COMM);
    FAILS(MPI_Comm_remote_group(MPI_COMM_WORLD, &half), MPI_ERR_COMM);
    FAILS(MPI_Comm_set_info(MPI_COMM_WORLD, MPI_INFO_NULL), MPI_ERR_INFO);
    if (mc_size > 1) { /* a group that is not part of the communicator */
        OK(MPI_Group_range_incl(g, 1, (int[1][3]){{0, mc_size / 2 - (mc_size > 2), 1}}, &half));
        OK(MPI_Comm_create_group(MPI_COMM_WORLD, half, 0, &c)); /* others get MPI_COMM_NULL */
        if (c != MPI_COMM_NULL) {
            FAILS(MPI_Comm_create(c, g, &out), size_of(c) < mc_size ? MPI_ERR_GROUP : MPI_SUCCESS);
            if (out != MPI_COMM_NULL)
                OK(MPI_Comm_free(&out));
            OK(MPI_Comm_free(&c));
        }
        OK(MPI_Group_free(&half));
    }
    OK(MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &out));
    CHECK(out == MPI_COMM_NULL, "an empty group gave a communicator");
    OK(MPI_Group_free(&g));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

/* Freed with traffic under way: it ends as if nothing had happened, but the handle is gone at once. */
static void check_free_pending(void)
{
    MPI_Comm c, handle;
    MPI_Request in, out;
    int got = -1, n = 0;

    OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
    handle = c;
    OK(MPI_Irecv(&got, 1, MPI_INT, (mc_rank + 1) % mc_size, 3, c, &in));
    OK(MPI_Isend(&mc_rank, 1, MPI_INT, (mc_rank + mc_size - 1) % mc_size, 3, c, &out));
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_size(handle, &n), MPI_ERR_COMM);
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
    OK(MPI_Wait(&in, MPI_STATUS_IGNORE));
    OK(MPI_Wait(&out, MPI_STATUS_IGNORE));
    CHECK(got == (mc_rank + 1) % mc_size, "got %d", got);
}

static long resident_kib(void)
{
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

static void check_many(void)
{
    MPI_Comm c;
    long before = 0;

    for (int i = 0; i < 10000; i++) {
        if (i == 500)
            before = resident_kib();
        OK(MPI_Comm_dup(MPI_COMM_WORLD, &c));
        if (i % 100 == 0)
            OK(MPI_Barrier(c));
        OK(MPI_Comm_free(&c));
    }
    CHECK(resident_kib() - before < 8192, "10000 communicators made and freed took %ld KiB", resident_kib() - before);
}

int main(void)
{
    mc_start();
    check_predefined();
    check_dup();
    check_create();
    check_create_group_again();
    check_names();
    check_hints();
    check_handler_inherited();
    check_errors();
    check_free_pending();
    check_many();
    return mc_finish();
}
