/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups made from groups (MPI-5.0, 7.3.2): set operations and lists of ranks.
 * Ranges are lists of ranks written shorter: both forms have one body.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/comm/group.h"

/* Appends the members of `from` whose being in `other` is `wanted`. Returns how many stand in procs then. */
static int append(int *procs, int n, const struct mpii_group *from, const struct mpii_group_ranks *other, bool wanted)
{
    for (int i = 0; i < from->size; i++)
        if ((mpii_group_ranks_at(other, from->procs[i]) != MPI_UNDEFINED) == wanted)
            procs[n++] = from->procs[i];
    return n;
}

enum set { UNION, INTERSECTION, DIFFERENCE };

static int combine(enum set set, MPI_Group group1, MPI_Group group2, MPI_Group *newgroup, const char *call)
{
    struct mpii_group *a, *b;
    struct mpii_group_ranks other;
    int *procs, n = 0, err;

    MPII_TRY(mpii_check_group(group1, &a, "group1", call));
    MPII_TRY(mpii_check_group(group2, &b, "group2", call));
    MPII_TRY(mpii_check_pointer(NULL, newgroup, "newgroup", call));
    if (MPT_UNLIKELY(core_params.check) && a->session && b->session && a->session != b->session)
        return mpii_error(NULL, MPI_ERR_GROUP, call, "group1 and group2 are of different sessions");
    procs = malloc(((size_t)a->size + (size_t)b->size + 1) * sizeof *procs);
    if (!procs || mpii_group_ranks_make(&other, set == UNION ? a : b) != MPI_SUCCESS) {
        free(procs);
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for groups of %d and %d processes", a->size, b->size);
    }
    if (set == UNION) {
        for (; n < a->size; n++)
            procs[n] = a->procs[n];
        n = append(procs, n, b, &other, false);
    } else {
        n = append(procs, n, a, &other, set == INTERSECTION);
    }
    err = mpii_group_give(n, procs, a->session ? a->session : b->session, newgroup, call);
    mpii_group_ranks_drop(&other);
    free(procs);
    return err;
}

int mpii_Group_union(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(UNION, group1, group2, newgroup, __func__);
}

int mpii_Group_intersection(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(INTERSECTION, group1, group2, newgroup, __func__);
}

int mpii_Group_difference(MPI_Group group1, MPI_Group group2, MPI_Group *newgroup)
{
    return combine(DIFFERENCE, group1, group2, newgroup, __func__);
}

/* A list of ranks of a group: each at most once. */
struct list {
    const struct mpii_group *group;
    const char *call;
    int n;
    int *procs; /* in the order of the list */
    bool *in;   /* by rank */
};

static int list_begin(struct list *l, MPI_Group group, int n, const void *ranks, MPI_Group *newgroup, const char *call)
{
    struct mpii_group *g;

    MPII_TRY(mpii_check_group(group, &g, "group", call));
    MPII_TRY(mpii_check_pointer(NULL, newgroup, "newgroup", call));
    if (n < 0)
        return mpii_error(NULL, MPI_ERR_ARG, call, "n is %d, less than 0", n);
    if (n > 0)
        MPII_TRY(mpii_check_pointer(NULL, ranks, "ranks", call));
    l->group = g;
    l->call = call;
    l->n = 0;
    l->procs = malloc(((size_t)g->size + 1) * sizeof *l->procs);
    l->in = calloc((size_t)g->size + 1, 1);
    if (l->procs && l->in)
        return MPI_SUCCESS;
    free(l->procs);
    free(l->in);
    return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a group of %d processes", g->size);
}

static int list_add(struct list *l, int rank, int at)
{
    if (rank < 0 || rank >= l->group->size)
        return mpii_error(NULL, MPI_ERR_RANK, l->call,
                          "ranks[%d] gives %d, not a rank of the group, which has %d processes", at, rank,
                          l->group->size);
    if (l->in[rank])
        return mpii_error(NULL, MPI_ERR_RANK, l->call, "ranks[%d] gives %d, which stands in the list already", at,
                          rank);
    l->in[rank] = true;
    l->procs[l->n++] = l->group->procs[rank];
    return MPI_SUCCESS;
}

static int list_add_ranks(struct list *l, int n, const int ranks[])
{
    for (int i = 0; i < n; i++)
        MPII_TRY(list_add(l, ranks[i], i));
    return MPI_SUCCESS;
}

static int list_add_ranges(struct list *l, int n, int ranges[][3])
{
    for (int i = 0; i < n; i++) {
        const int64_t first = ranges[i][0], last = ranges[i][1], stride = ranges[i][2];

        if (stride == 0)
            return mpii_error(NULL, MPI_ERR_ARG, l->call, "ranges[%d] has the stride 0", i);
        if (stride > 0 ? last < first : last > first)
            return mpii_error(NULL, MPI_ERR_ARG, l->call,
                              "ranges[%d] goes from %d to %d with the stride %d: it never gets there", i, ranges[i][0],
                              ranges[i][1], ranges[i][2]);
        for (int64_t rank = first; stride > 0 ? rank <= last : rank >= last; rank += stride)
            MPII_TRY(list_add(l, (int)rank, i));
    }
    return MPI_SUCCESS;
}

/* `err`: what adding gave. The new group has the listed ranks, or all others. */
static int list_end(struct list *l, int err, bool others, MPI_Group *newgroup)
{
    if (err == MPI_SUCCESS && others) {
        l->n = 0;
        for (int rank = 0; rank < l->group->size; rank++)
            if (!l->in[rank])
                l->procs[l->n++] = l->group->procs[rank];
    }
    if (err == MPI_SUCCESS)
        err = mpii_group_give(l->n, l->procs, l->group->session, newgroup, l->call);
    free(l->procs);
    free(l->in);
    return err;
}

int mpii_Group_incl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    struct list l;

    MPII_TRY(list_begin(&l, group, n, ranks, newgroup, __func__));
    return list_end(&l, list_add_ranks(&l, n, ranks), false, newgroup);
}

int mpii_Group_excl(MPI_Group group, int n, const int ranks[], MPI_Group *newgroup)
{
    struct list l;

    MPII_TRY(list_begin(&l, group, n, ranks, newgroup, __func__));
    return list_end(&l, list_add_ranks(&l, n, ranks), true, newgroup);
}

int mpii_Group_range_incl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    struct list l;

    MPII_TRY(list_begin(&l, group, n, ranges, newgroup, __func__));
    return list_end(&l, list_add_ranges(&l, n, ranges), false, newgroup);
}

int mpii_Group_range_excl(MPI_Group group, int n, int ranges[][3], MPI_Group *newgroup)
{
    struct list l;

    MPII_TRY(list_begin(&l, group, n, ranges, newgroup, __func__));
    return list_end(&l, list_add_ranges(&l, n, ranges), true, newgroup);
}
