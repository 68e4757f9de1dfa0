/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups (7.3): random groups, their set operations, ranges, comparison and translation against lists of ranks handled
 * naively; the predefined groups; errors. Every rank does the same work with its own numbers. */
#include "mcheck.h"

enum { N = 300, ROUNDS = 300 };

/* Members as ranks of the world, which may have far fewer processes than a test wants: all groups are parts of it. */
struct list {
    int n, rank[N];
};

static uint64_t state;
static MPI_Group world;

static bool list_has(const struct list *l, int rank)
{
    for (int i = 0; i < l->n; i++)
        if (l->rank[i] == rank)
            return true;
    return false;
}

/* Some of the world's ranks in random order. */
static struct list random_list(void)
{
    struct list l = {0, {0}};

    for (int i = 0; i < mc_size; i++)
        if (check_random_below(&state, 3)) {
            int at = (int)check_random_below(&state, (uint64_t)l.n + 1);

            l.rank[l.n++] = l.rank[at];
            l.rank[at] = i;
        }
    return l;
}

static MPI_Group group_of(const struct list *l)
{
    MPI_Group g;

    OK(MPI_Group_incl(world, l->n, l->rank, &g));
    return g;
}

/* Has the group exactly these members in this order? Frees it. */
static void check_group(MPI_Group g, const struct list *expected, const char *what)
{
    int size = -1, rank = -1, ranks[N], mine = MPI_UNDEFINED, all[N];

    OK(MPI_Group_size(g, &size));
    OK(MPI_Group_rank(g, &rank));
    CHECK(size == expected->n, "%s: size %d, expected %d", what, size, expected->n);
    for (int i = 0; i < size && i < N; i++)
        all[i] = i;
    OK(MPI_Group_translate_ranks(g, size, all, world, ranks));
    for (int i = 0; i < size && i < expected->n; i++) {
        CHECK(ranks[i] == expected->rank[i], "%s: rank %d is %d of the world, expected %d", what, i, ranks[i],
              expected->rank[i]);
        if (expected->rank[i] == mc_rank)
            mine = i;
    }
    CHECK(rank == mine, "%s: own rank %d, expected %d", what, rank, mine);
    if (size == 0)
        CHECK(g == MPI_GROUP_EMPTY, "%s: an empty group is %p, not MPI_GROUP_EMPTY", what, (void *)g);
    OK(MPI_Group_free(&g));
    CHECK(g == MPI_GROUP_NULL, "%s: handle after free", what);
}

static void check_sets(const struct list *a, const struct list *b)
{
    struct list together = *a, both = {0, {0}}, rest = {0, {0}};
    MPI_Group ga = group_of(a), gb = group_of(b), g;
    int relation = -1, expected = a->n == b->n ? MPI_IDENT : MPI_UNEQUAL;

    for (int i = 0; i < b->n; i++)
        if (!list_has(a, b->rank[i]))
            together.rank[together.n++] = b->rank[i];
    for (int i = 0; i < a->n; i++) {
        struct list *to = list_has(b, a->rank[i]) ? &both : &rest;

        to->rank[to->n++] = a->rank[i];
    }
    OK(MPI_Group_union(ga, gb, &g));
    check_group(g, &together, "union");
    OK(MPI_Group_intersection(ga, gb, &g));
    check_group(g, &both, "intersection");
    OK(MPI_Group_difference(ga, gb, &g));
    check_group(g, &rest, "difference");
    for (int i = 0; i < a->n && expected != MPI_UNEQUAL; i++)
        if (a->rank[i] != b->rank[i])
            expected = MPI_SIMILAR;
    if (both.n != a->n || both.n != b->n)
        expected = MPI_UNEQUAL;
    OK(MPI_Group_compare(ga, gb, &relation));
    CHECK(relation == expected, "groups of %d and %d compare as %d, expected %d", a->n, b->n, relation, expected);
    OK(MPI_Group_compare(ga, ga, &relation));
    CHECK(relation == MPI_IDENT, "a group compares with itself as %d", relation);
    OK(MPI_Group_free(&ga));
    OK(MPI_Group_free(&gb));
}

/* Members picked by position, and all others. */
static void check_lists(const struct list *from)
{
    MPI_Group g = group_of(from), h;
    struct list in = {0, {0}}, out = {0, {0}};
    int picked[N], n = 0;
    bool taken[N] = {false};

    for (int i = 0; i < from->n; i++)
        if (check_random_below(&state, 2)) {
            int at = (int)check_random_below(&state, (uint64_t)n + 1);

            picked[n++] = picked[at];
            picked[at] = i;
        }
    for (int i = 0; i < n; i++) {
        in.rank[in.n++] = from->rank[picked[i]];
        taken[picked[i]] = true;
    }
    for (int i = 0; i < from->n; i++)
        if (!taken[i])
            out.rank[out.n++] = from->rank[i];
    OK(MPI_Group_incl(g, n, picked, &h));
    check_group(h, &in, "incl");
    OK(MPI_Group_excl(g, n, picked, &h));
    check_group(h, &out, "excl");
    OK(MPI_Group_free(&g));
}

/* Ranges that don't overlap: each takes what is left of a random piece. */
static void check_ranges(const struct list *from)
{
    MPI_Group g = group_of(from), h;
    struct list in = {0, {0}}, out = {0, {0}};
    int ranges[N][3], n = 0;
    bool taken[N] = {false};

    for (int low = 0; low < from->n;) {
        const int length = 1 + (int)check_random_below(&state, 5),
                  high = low + length > from->n ? from->n : low + length;
        int stride = 1 + (int)check_random_below(&state, 3);
        const bool down = check_random_below(&state, 2);

        if (check_random_below(&state, 3)) {
            ranges[n][0] = down ? high - 1 : low;
            ranges[n][1] = down ? low : high - 1;
            ranges[n][2] = down ? -stride : stride;
            for (int r = ranges[n][0]; down ? r >= ranges[n][1] : r <= ranges[n][1]; r += ranges[n][2]) {
                in.rank[in.n++] = from->rank[r];
                taken[r] = true;
            }
            n++;
        }
        low = high;
    }
    for (int i = 0; i < from->n; i++)
        if (!taken[i])
            out.rank[out.n++] = from->rank[i];
    OK(MPI_Group_range_incl(g, n, ranges, &h));
    check_group(h, &in, "range_incl");
    OK(MPI_Group_range_excl(g, n, ranges, &h));
    check_group(h, &out, "range_excl");
    OK(MPI_Group_free(&g));
}

static void check_translation(const struct list *a, const struct list *b)
{
    MPI_Group ga = group_of(a), gb = group_of(b);
    int asked[N], got[N], n = 0;

    for (int i = 0; i < 20 && n < N; i++)
        asked[n++] =
            a->n && check_random_below(&state, 5) ? (int)check_random_below(&state, (uint64_t)a->n) : MPI_PROC_NULL;
    for (int some = 0; some <= n; some += 4) { /* few and many: both ways to look up */
        OK(MPI_Group_translate_ranks(ga, some, asked, gb, got));
        for (int i = 0; i < some; i++) {
            int expected = asked[i] == MPI_PROC_NULL ? MPI_PROC_NULL : MPI_UNDEFINED;

            for (int k = 0; k < b->n && asked[i] != MPI_PROC_NULL; k++)
                if (b->rank[k] == a->rank[asked[i]])
                    expected = k;
            CHECK(got[i] == expected, "rank %d translates to %d, expected %d", asked[i], got[i], expected);
        }
    }
    OK(MPI_Group_free(&ga));
    OK(MPI_Group_free(&gb));
}

static void check_predefined(void)
{
    MPI_Group empty = MPI_GROUP_EMPTY, g, self;
    int size = -1, rank = -1, relation = -1;

    OK(MPI_Group_size(MPI_GROUP_EMPTY, &size));
    OK(MPI_Group_rank(MPI_GROUP_EMPTY, &rank));
    CHECK(size == 0 && rank == MPI_UNDEFINED, "MPI_GROUP_EMPTY has size %d, rank %d", size, rank);
    OK(MPI_Group_union(MPI_GROUP_EMPTY, MPI_GROUP_EMPTY, &g));
    OK(MPI_Group_compare(g, MPI_GROUP_EMPTY, &relation));
    CHECK(relation == MPI_IDENT && g == MPI_GROUP_EMPTY, "the union of nothing compares as %d", relation);
    OK(MPI_Group_free(&g));
    OK(MPI_Group_free(&empty));
    OK(MPI_Group_size(MPI_GROUP_EMPTY, &size)); /* it is still there */
    OK(MPI_Comm_group(MPI_COMM_SELF, &self));
    OK(MPI_Group_size(self, &size));
    OK(MPI_Group_rank(self, &rank));
    CHECK(size == 1 && rank == 0, "MPI_COMM_SELF's group has size %d, rank %d", size, rank);
    OK(MPI_Group_free(&self));
}

static void check_errors(void)
{
    MPI_Group g = MPI_GROUP_NULL, freed;
    int n = 0, twice[2] = {0, 0}, beyond[1] = {mc_size}, below[1] = {-1};
    int no_stride[1][3] = {{0, 0, 0}}, wrong_way[1][3] = {{0, mc_size - 1, -1}}, out_of_it[1][3] = {{0, mc_size, 1}};
    int overlap[2][3] = {{0, 0, 1}, {0, 0, 1}};

    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    OK(MPI_Comm_group(MPI_COMM_SELF, &freed));
    g = freed;
    OK(MPI_Group_free(&g));
    FAILS(MPI_Group_size(MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    FAILS(MPI_Group_rank(freed, &n), MPI_ERR_GROUP);
    FAILS(MPI_Group_size((MPI_Group)MPI_COMM_WORLD, &n), MPI_ERR_GROUP);
    FAILS(MPI_Group_size(world, NULL), MPI_ERR_ARG);
    FAILS(MPI_Group_free(&g), MPI_ERR_GROUP);
    FAILS(MPI_Group_compare(world, MPI_GROUP_NULL, &n), MPI_ERR_GROUP);
    FAILS(MPI_Group_union(world, MPI_GROUP_NULL, &g), MPI_ERR_GROUP);
    FAILS(MPI_Group_union(world, world, NULL), MPI_ERR_ARG);
    FAILS(MPI_Group_incl(world, 1, beyond, &g), MPI_ERR_RANK);
    FAILS(MPI_Group_incl(world, 1, below, &g), MPI_ERR_RANK);
    FAILS(MPI_Group_incl(world, 2, twice, &g), MPI_ERR_RANK);
    FAILS(MPI_Group_excl(world, 2, twice, &g), MPI_ERR_RANK);
    FAILS(MPI_Group_incl(world, -1, twice, &g), MPI_ERR_ARG);
    FAILS(MPI_Group_incl(world, 1, NULL, &g), MPI_ERR_ARG);
    FAILS(MPI_Group_range_incl(world, 1, no_stride, &g), MPI_ERR_ARG);
    FAILS(MPI_Group_range_incl(world, 1, out_of_it, &g), MPI_ERR_RANK);
    FAILS(MPI_Group_range_excl(world, 2, overlap, &g), MPI_ERR_RANK);
    if (mc_size > 1)
        FAILS(MPI_Group_range_incl(world, 1, wrong_way, &g), MPI_ERR_ARG);
    FAILS(MPI_Group_translate_ranks(world, 1, beyond, world, twice), MPI_ERR_RANK);
    FAILS(MPI_Group_translate_ranks(world, 1, below, MPI_GROUP_NULL, twice), MPI_ERR_GROUP);
    FAILS(MPI_Group_translate_ranks(world, -1, below, world, twice), MPI_ERR_ARG);
    CHECK(g == MPI_GROUP_NULL, "a failed call stored a group");
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL));
}

int main(void)
{
    mc_start();
    state = check_seed(7301) + (uint64_t)mc_rank;
    OK(MPI_Comm_group(MPI_COMM_WORLD, &world));
    for (int round = 0; round < ROUNDS; round++) {
        struct list a = random_list(), b = random_list();

        check_sets(&a, &b);
        check_lists(&a);
        check_ranges(&b);
        check_translation(&a, &b);
    }
    check_predefined();
    check_errors();
    OK(MPI_Group_free(&world));
    return mc_finish();
}
