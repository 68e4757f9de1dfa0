/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_split and MPI_Comm_split_type (7.4.2): random colors and keys against a naive sort, parts of parts, types of
 * shared resources, errors that all processes get alike. */
#include "mcheck.h"

enum { ROUNDS = 60, MOST = 1024 }; /* processes */

struct choice {
    int color, key;
};

/* Everybody's choice comes from the same random numbers: what to expect is known without asking. */
static void expected_part(const struct choice *all, int n, int me, int *ranks, int *size, int *rank)
{
    *size = 0;
    for (int i = 0; i < n; i++) {
        int at = *size;

        if (all[i].color != all[me].color)
            continue;
        for (; at > 0 && all[ranks[at - 1]].key > all[i].key; at--)
            ranks[at] = ranks[at - 1];
        ranks[at] = i;
        ++*size;
    }
    for (int i = 0; i < *size; i++)
        if (ranks[i] == me)
            *rank = i;
}

static void check_part(MPI_Comm c, MPI_Comm of, const int *ranks, int size, int rank)
{
    int n = -1, me = -1, all[MOST], got[MOST], sum = -1;
    MPI_Group gc, go;

    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &me));
    CHECK(n == size && me == rank, "rank %d of %d, expected %d of %d", me, n, rank, size);
    OK(MPI_Comm_group(c, &gc));
    OK(MPI_Comm_group(of, &go));
    for (int i = 0; i < n; i++)
        all[i] = i;
    OK(MPI_Group_translate_ranks(gc, n, all, go, got));
    for (int i = 0; i < n && i < size; i++)
        CHECK(got[i] == ranks[i], "rank %d of the part is %d, expected %d", i, got[i], ranks[i]);
    OK(MPI_Group_free(&gc));
    OK(MPI_Group_free(&go));
    OK(MPI_Allreduce(&(int){me + 1}, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(sum == n * (n + 1) / 2, "the sum over %d processes is %d", n, sum);
}

static int random_key(uint64_t *state)
{
    static const int extremes[] = {INT32_MIN, INT32_MAX, 0, -1};
    const int few = (int)check_random_below(state, 4);

    return check_random_below(state, 5) ? few - 1 : extremes[few];
}

static void check_randomly(MPI_Comm of, uint64_t seed)
{
    int n, me, ranks[MOST], size = 0, rank = -1;
    uint64_t state = seed;
    struct choice all[MOST];
    MPI_Comm c = MPI_COMM_WORLD;

    OK(MPI_Comm_size(of, &n));
    OK(MPI_Comm_rank(of, &me));
    for (int i = 0; i < n; i++) {
        const int color = (int)check_random_below(&state, 4);

        all[i].color = color == 3 ? MPI_UNDEFINED : color * 1000000007 / (color + 1);
        all[i].key = random_key(&state);
    }
    OK(MPI_Comm_split(of, all[me].color, all[me].key, &c));
    if (all[me].color == MPI_UNDEFINED) {
        CHECK(c == MPI_COMM_NULL, "MPI_UNDEFINED gave %p", (void *)c);
        return;
    }
    if (!CHECK(c != MPI_COMM_NULL, "color %d gave nothing", all[me].color))
        return;
    expected_part(all, n, me, ranks, &size, &rank);
    check_part(c, of, ranks, size, rank);
    if (size > 1 && size < n)
        check_randomly(c, seed + 1000);
    OK(MPI_Comm_free(&c));
}

static void check_type(int type, const char *key, const char *value, bool all_here)
{
    MPI_Info info = MPI_INFO_NULL;
    MPI_Comm c = MPI_COMM_WORLD;
    int n = -1, rank = -1;

    if (key) {
        OK(MPI_Info_create(&info));
        OK(MPI_Info_set(info, key, value));
    }
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, -mc_rank, info, &c));
    if (key)
        OK(MPI_Info_free(&info));
    if (!all_here) {
        CHECK(c == MPI_COMM_NULL, "type %d with %s = %s gave a communicator", type, key ? key : "-", key ? value : "-");
        return;
    }
    if (!CHECK(c != MPI_COMM_NULL, "type %d with %s = %s gave nothing", type, key ? key : "-", key ? value : "-"))
        return;
    OK(MPI_Comm_size(c, &n));
    OK(MPI_Comm_rank(c, &rank));
    CHECK(n >= 1 && n <= mc_size && rank >= 0 && rank < n, "rank %d of %d", rank, n);
    if (n == mc_size)
        CHECK(rank == mc_size - 1 - mc_rank, "rank %d, expected the order of keys", rank);
    OK(MPI_Barrier(c));
    OK(MPI_Comm_free(&c));
}

/* Memory that MPI_COMM_TYPE_SHARED says is shared has the members of one node: the parts' names of hosts agree. */
static void check_shared(void)
{
    char name[MPI_MAX_PROCESSOR_NAME] = "", first[MPI_MAX_PROCESSOR_NAME];
    int n;
    MPI_Comm c;

    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    OK(MPI_Get_processor_name(name, &n));
    memcpy(first, name, sizeof first);
    OK(MPI_Bcast(first, sizeof first, MPI_CHAR, 0, c));
    CHECK(strcmp(first, name) == 0, "\"%s\" and \"%s\" share memory", first, name);
    OK(MPI_Comm_free(&c));
}

/* Each part is smaller than the whole, or there is none. */
static void check_unguided(void)
{
    int before = mc_size;
    MPI_Comm whole = MPI_COMM_WORLD, part;

    for (;;) { /* part of a part, to the end */
        char value[64] = "";
        int n = 0, length = sizeof value, flag = 0;
        MPI_Info info;

        OK(MPI_Info_create(&info));
        OK(MPI_Comm_split_type(whole, MPI_COMM_TYPE_HW_UNGUIDED, 0, info, &part));
        OK(MPI_Info_get_string(info, "mpi_hw_resource_type", &length, value, &flag));
        OK(MPI_Info_free(&info));
        if (whole != MPI_COMM_WORLD)
            OK(MPI_Comm_free(&whole));
        if (part == MPI_COMM_NULL)
            return;
        CHECK(flag && value[0], "the resource has no name");
        OK(MPI_Comm_size(part, &n));
        CHECK(n < before, "a part of the machine has all %d processes", n);
        whole = part;
        before = n;
    }
}

static void check_types(void)
{
    MPI_Comm c = MPI_COMM_WORLD;

    check_shared();
    check_type(MPI_COMM_TYPE_SHARED, NULL, NULL, true);
    check_type(MPI_UNDEFINED, NULL, NULL, false);
    check_type(MPI_COMM_TYPE_HW_GUIDED, NULL, NULL, false);
    check_type(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", true);
    check_type(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", "a drawer", false);
    check_type(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_hw_resource_type", "mpi_shared_memory", true);
    check_type(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://WORLD", true);
    check_type(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://SELF", true);
    check_type(MPI_COMM_TYPE_RESOURCE_GUIDED, "mpi_pset_name", "mpi://NOBODY", false);
    check_unguided();
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, mc_rank ? MPI_COMM_TYPE_SHARED : MPI_UNDEFINED, 0, MPI_INFO_NULL, &c));
    CHECK((c == MPI_COMM_NULL) == (mc_rank == 0), "with rank 0 undefined: %p", (void *)c);
    if (c != MPI_COMM_NULL)
        OK(MPI_Comm_free(&c));
}

/* Processes that ask for different things: each gets what it asked for, with those who asked for the same. */
static void check_different(int type, const char *even_key, const char *even, const char *odd_key, const char *odd,
                            int evens, int odds)
{
    int is_odd = mc_rank % 2, expected = is_odd ? odds : evens, size = 0, sum = -1;
    MPI_Comm c = MPI_COMM_WORLD;
    MPI_Info info;

    OK(MPI_Info_create(&info));
    OK(MPI_Info_set(info, is_odd ? odd_key : even_key, is_odd ? odd : even));
    OK(MPI_Comm_split_type(MPI_COMM_WORLD, type, 0, info, &c));
    OK(MPI_Info_free(&info));
    if (!CHECK((c != MPI_COMM_NULL) == (expected > 0), "type %d, %s or %s: %s", type, even, odd,
               c == MPI_COMM_NULL ? "nothing" : "something") ||
        c == MPI_COMM_NULL)
        return;
    OK(MPI_Comm_size(c, &size));
    OK(MPI_Allreduce(&is_odd, &sum, 1, MPI_INT, MPI_SUM, c));
    CHECK(size == expected && sum == (is_odd ? size : 0), "type %d, %s or %s: %d processes (%d odd), expected %d", type,
          even, odd, size, sum, expected);
    OK(MPI_Comm_free(&c));
}

static void check_differences(void)
{
    static const char hw[] = "mpi_hw_resource_type", pset[] = "mpi_pset_name", node[] = "mpi_shared_memory";
    int odds = mc_size / 2, evens = mc_size - odds, share;
    MPI_Comm c;

    OK(MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c));
    OK(MPI_Comm_size(c, &share));
    OK(MPI_Comm_free(&c));
    check_different(MPI_COMM_TYPE_RESOURCE_GUIDED, pset, "mpi://WORLD", pset, "mpi://SELF", evens, 1);
    check_different(MPI_COMM_TYPE_RESOURCE_GUIDED, pset, "mpi://WORLD", pset, "mpi://NOBODY", evens, 0);
    check_different(MPI_COMM_TYPE_HW_GUIDED, hw, "a drawer", "no_such_key", "x", 0, 0);
    if (share < mc_size)
        return;
    check_different(MPI_COMM_TYPE_RESOURCE_GUIDED, hw, node, pset, "mpi://WORLD", evens, odds);
    check_different(MPI_COMM_TYPE_HW_GUIDED, hw, node, hw, "a drawer", evens, 0);
}

static void check_resources(void)
{
    MPI_Info info;
    int n = 0;
    char key[MPI_MAX_INFO_KEY + 1], value[16];

    OK(MPI_Get_hw_resource_info(&info));
    OK(MPI_Info_get_nkeys(info, &n));
    CHECK(n > 0, "no resources");
    for (int i = 0; i < n; i++) {
        int flag = 0, length = sizeof value;

        OK(MPI_Info_get_nthkey(info, i, key));
        OK(MPI_Info_get_string(info, key, &length, value, &flag));
        CHECK(flag && (!strcmp(value, "true") || !strcmp(value, "false")), "%s is \"%s\"", key, value);
        check_type(MPI_COMM_TYPE_HW_GUIDED, "mpi_hw_resource_type", key, !strcmp(value, "true"));
    }
    OK(MPI_Info_free(&info));
}

static void check_errors(void)
{
    MPI_Comm c = MPI_COMM_WORLD;

    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));
    FAILS(MPI_Comm_split(MPI_COMM_WORLD, mc_rank == 0 ? -5 : 1, 0, &c), MPI_ERR_ARG); /* one is wrong: all are told */
    CHECK(c == MPI_COMM_NULL, "a failed split stored %p", (void *)c);
    FAILS(MPI_Comm_split(MPI_COMM_WORLD, 1, 0, NULL), MPI_ERR_ARG);
    FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, 12345, 0, MPI_INFO_NULL, &c), MPI_ERR_ARG);
    if (mc_size > 1) {
        FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, mc_rank == 0 ? 12345 : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &c),
              MPI_ERR_ARG);
        FAILS(MPI_Comm_split_type(MPI_COMM_WORLD, mc_rank == 0 ? MPI_COMM_TYPE_HW_UNGUIDED : MPI_COMM_TYPE_SHARED, 0,
                                  MPI_INFO_NULL, &c),
              MPI_ERR_ARG);
    }
    OK(MPI_Comm_split(MPI_COMM_WORLD, 0, 0, &c)); /* and go on */
    OK(MPI_Comm_free(&c));
    OK(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL));
}

int main(void)
{
    mc_start();
    for (int round = 0; round < ROUNDS; round++)
        check_randomly(MPI_COMM_WORLD, check_seed(7411) + (uint64_t)round * 77);
    check_types();
    check_differences();
    check_resources();
    check_errors();
    return mc_finish();
}
