/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives between the two groups of intercommunicators of all shapes: each operation, form and root on either side,
 * compared with what the other group holds. */
#include "cases.h"

static MPI_Comm comm;
static int rank, size, others;
static bool left;
static int salt;

/* World-unique number of a rank of a group. */
static int id(bool of_left, int r)
{
    return (of_left ? 100 : 200) + r;
}
static int me(void)
{
    return id(left, rank);
}
static int other(int r)
{
    return id(!left, r);
}

static void make(int split)
{
    MPI_Comm local;

    left = mc_rank < split;
    OK(MPI_Comm_split(MPI_COMM_WORLD, left, mc_rank, &local));
    OK(MPI_Intercomm_create(local, 0, MPI_COMM_WORLD, left ? split : 0, 7, &comm));
    OK(MPI_Comm_free(&local));
    OK(MPI_Comm_rank(comm, &rank));
    OK(MPI_Comm_size(comm, &size));
    OK(MPI_Comm_remote_size(comm, &others));
}

/* What this rank names as root when the root is `root` of the left or right group. */
static int named(bool root_left, int root)
{
    return root_left != left ? root : rank == root ? MPI_ROOT : MPI_PROC_NULL;
}

static void rooted(int form, long n, bool root_left, int root)
{
    int name = named(root_left, root), layout = salt++ % LAYOUTS;
    int count = (int)n * case_each[layout];
    MPI_Datatype type = case_type[layout];
    void *one = case_room(layout, n), *all = case_room(layout, n * (others + 1));
    bool leaf = name >= 0, is_root = name == MPI_ROOT;

    if (is_root)
        case_put(one, layout, n, me(), 0, salt);
    RUN_FORM(form, true, Bcast, Ibcast, one, count, type, name, comm);
    if (leaf)
        case_check("bcast", one, layout, n, other(root), 0, salt);

    case_put(one, layout, n, me(), 1, salt);
    RUN_FORM(form, true, Gather, Igather, one, count, type, all, count, type, name, comm);
    for (int i = 0; is_root && i < others; i++)
        case_check("gather", (char *)all + i * n * case_step[layout], layout, n, other(i), 1, salt);

    for (int i = 0; is_root && i < others; i++)
        case_put((char *)all + i * n * case_step[layout], layout, n, me(), i, salt);
    RUN_FORM(form, true, Scatter, Iscatter, all, count, type, one, count, type, name, comm);
    if (leaf)
        case_check("scatter", one, layout, n, other(root), rank, salt);
    free(one);
    free(all);
}

static void rooted_uneven(int form, bool root_left, int root)
{
    int name = named(root_left, root), counts[16], displs[16], at = 0, *all = calloc(2000, sizeof *all),
        *one = calloc(200, sizeof *one);

    for (int i = 0; i < 16; i++) {
        counts[i] = (i + 1) * 3 % 7 * (salt % 2 + 1);
        displs[i] = at;
        at += counts[i] + 2;
    }
    for (int i = 0; i < counts[rank]; i++)
        one[i] = case_value(me(), 0, i, salt);
    RUN_FORM(form, true, Gatherv, Igatherv, one, counts[rank], MPI_INT, all, counts, displs, MPI_INT, name, comm);
    for (int r = 0; name == MPI_ROOT && r < others; r++)
        for (int i = 0; i < counts[r]; i++)
            CHECK(all[displs[r] + i] == case_value(other(r), 0, i, salt), "gatherv %d of %d", i, r);
    for (int r = 0; r < others; r++)
        for (int i = 0; i < counts[r]; i++)
            all[displs[r] + i] = case_value(me(), r, i, salt);
    RUN_FORM(form, true, Scatterv, Iscatterv, all, counts, displs, MPI_INT, one, counts[rank], MPI_INT, name, comm);
    for (int i = 0; name >= 0 && i < counts[rank]; i++)
        CHECK(one[i] == case_value(other(root), rank, i, salt), "scatterv %d", i);
    free(all);
    free(one);
}

static void everybody(int form, long n)
{
    int layout = salt++ % LAYOUTS, count = (int)n * case_each[layout];
    MPI_Datatype type = case_type[layout];
    void *in = case_room(layout, n * others), *out = case_room(layout, n * others);

    RUN_FORM(form, true, Barrier, Ibarrier, comm);
    case_put(in, layout, n, me(), 0, salt);
    RUN_FORM(form, true, Allgather, Iallgather, in, count, type, out, count, type, comm);
    for (int i = 0; i < others; i++)
        case_check("allgather", (char *)out + i * n * case_step[layout], layout, n, other(i), 0, salt);
    for (int i = 0; i < others; i++)
        case_put((char *)in + i * n * case_step[layout], layout, n, me(), i, salt);
    RUN_FORM(form, true, Alltoall, Ialltoall, in, count, type, out, count, type, comm);
    for (int i = 0; i < others; i++)
        case_check("alltoall", (char *)out + i * n * case_step[layout], layout, n, other(i), rank, salt);
    free(in);
    free(out);
}

static int length(int from, int to)
{
    return (from + 2 * to + salt) % 5;
}

static void everybody_uneven(int form)
{
    int scounts[16], sdispls[16], rcounts[16], rdispls[16], in[200], out[200], sat = 0, rat = 0;
    MPI_Datatype types[16];

    for (int i = 0; i < others; i++) {
        scounts[i] = length(me(), other(i));
        rcounts[i] = length(other(i), me());
        sdispls[i] = sat;
        rdispls[i] = rat;
        sat += scounts[i] + 1;
        rat += rcounts[i] + 1;
        types[i] = MPI_INT;
        for (int k = 0; k < scounts[i]; k++)
            in[sdispls[i] + k] = case_value(me(), i, k, salt);
    }
    RUN_FORM(form, true, Alltoallv, Ialltoallv, in, scounts, sdispls, MPI_INT, out, rcounts, rdispls, MPI_INT, comm);
    for (int i = 0; i < others; i++)
        for (int k = 0; k < rcounts[i]; k++)
            CHECK(out[rdispls[i] + k] == case_value(other(i), rank, k, salt), "alltoallv %d from %d", k, i);
    for (int i = 0; i < others; i++) {
        sdispls[i] *= (int)sizeof(int);
        rdispls[i] *= (int)sizeof(int);
    }
    memset(out, 0, sizeof out);
    RUN_FORM(form, true, Alltoallw, Ialltoallw, in, scounts, sdispls, types, out, rcounts, rdispls, types, comm);
    for (int i = 0; i < others; i++)
        for (int k = 0; k < rcounts[i]; k++)
            CHECK(out[rdispls[i] / 4 + k] == case_value(other(i), rank, k, salt), "alltoallw %d from %d", k, i);
    for (int i = 0; i < others; i++) {
        rcounts[i] = other(i) % 4;
        rdispls[i] = i * 5;
    }
    for (int k = 0; k < 4; k++)
        in[k] = case_value(me(), 0, k, salt);
    RUN_FORM(form, true, Allgatherv, Iallgatherv, in, me() % 4, MPI_INT, out, rcounts, rdispls, MPI_INT, comm);
    for (int i = 0; i < others; i++)
        for (int k = 0; k < rcounts[i]; k++)
            CHECK(out[rdispls[i] + k] == case_value(other(i), 0, k, salt), "allgatherv %d from %d", k, i);
}

/* x -> 2x + y: ordered, so that the remote group's rank order shows. */
static void chain(void *in, void *inout, int *len, MPI_Datatype *type)
{
    uint64_t *x = in, *y = inout; /* pairs: factor, sum */

    (void)type;
    for (int i = 0; i < *len; i++, x += 2, y += 2) {
        y[1] = x[1] * y[0] + y[1];
        y[0] = x[0] * y[0];
    }
}

static void chain_of(uint64_t *v, bool of_left, int n)
{
    uint64_t factor = 1, sum = 0;

    for (int r = 0; r < n; r++) {
        uint64_t f = (uint64_t)id(of_left, r) * 2 + 1, a = (uint64_t)id(of_left, r) * 77;

        sum = sum * f + a;
        factor *= f;
    }
    v[0] = factor;
    v[1] = sum;
}

static void reductions(int form, MPI_Op op, MPI_Datatype pair)
{
    long in = me(), out = 0, want = 0, sums[64], parts[64];
    uint64_t mine[2] = {(uint64_t)me() * 2 + 1, (uint64_t)me() * 77}, result[2], expected[2];
    int counts[16], total = size * others, at = 0;

    for (int i = 0; i < others; i++)
        want += other(i);
    RUN_FORM(form, true, Allreduce, Iallreduce, &in, &out, 1, MPI_LONG, MPI_SUM, comm);
    CHECK(out == want, "allreduce: %ld, expected %ld", out, want);
    chain_of(expected, !left, others);
    RUN_FORM(form, true, Allreduce, Iallreduce, mine, result, 1, pair, op, comm);
    CHECK(result[0] == expected[0] && result[1] == expected[1], "ordered allreduce");
    for (int side = 0; side < 2; side++)
        for (int root = 0; root < (side == left ? size : others); root++) {
            int name = named(side, root);

            result[0] = result[1] = 0;
            RUN_FORM(form, true, Reduce, Ireduce, mine, name == MPI_ROOT ? result : NULL, 1, pair, op, name, comm);
            if (name == MPI_ROOT)
                CHECK(result[0] == expected[0] && result[1] == expected[1], "ordered reduce to %d", root);
        }
    if (total > 64)
        return;
    for (int i = 0; i < total; i++)
        sums[i] = me() * 10 + i;
    RUN_FORM(form, true, Reduce_scatter_block, Ireduce_scatter_block, sums, parts, others, MPI_LONG, MPI_SUM, comm);
    for (int k = 0; k < others; k++)
        CHECK(parts[k] == want * 10 + (long)others * (rank * others + k), "reduce_scatter_block %d: %ld", k, parts[k]);
    for (int i = 0; i < size; i++)
        counts[i] = i == size - 1 ? total - at : (at += 1, 1);
    at = rank;
    RUN_FORM(form, true, Reduce_scatter, Ireduce_scatter, sums, parts, counts, MPI_LONG, MPI_SUM, comm);
    for (int k = 0; k < counts[rank]; k++)
        CHECK(parts[k] == want * 10 + (long)others * (at + k), "reduce_scatter %d: %ld", k, parts[k]);
}

int main(void)
{
    static const long sizes[] = {0, 1, 100, 5000};
    MPI_Datatype pair;
    MPI_Op op;

    mc_start();
    if (mc_size < 2)
        mc_skip("needs two groups");
    cases_start();
    OK(MPI_Type_contiguous(2, MPI_UINT64_T, &pair));
    OK(MPI_Type_commit(&pair));
    OK(MPI_Op_create(chain, 0, &op));
    for (int split = 1; split < mc_size; split++) {
        make(split);
        for (int form = 0; form < FORMS; form++) {
            for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++) {
                for (int side = 0; side < 2; side++)
                    for (int root = 0; root < (side == left ? size : others); root++)
                        rooted(form, sizes[s], side, root);
                everybody(form, sizes[s]);
            }
            for (int side = 0; side < 2; side++)
                rooted_uneven(form, side, 0);
            everybody_uneven(form);
            reductions(form, op, pair);
        }
        OK(MPI_Comm_free(&comm));
    }
    OK(MPI_Op_free(&op));
    OK(MPI_Type_free(&pair));
    cases_finish();
    return mc_finish();
}
