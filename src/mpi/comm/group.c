/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Groups (MPI-5.0, 7.3): the objects and what can be asked of one or two. A
 * group never changes after it was made; every handle of the user is an object
 * of its own, so that a freed handle is found out.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/comm/comm.h"

/* The one group without members: all operations that end empty give its handle. */
struct mpii_group mpii_group_empty = {.object = {MPII_GROUP, 1}, .rank = MPI_UNDEFINED};

struct mpii_group *mpii_group_of(MPI_Group handle)
{
    if ((uintptr_t)handle < MPII_PREDEFINED_MAX)
        return handle == MPI_GROUP_EMPTY && mpii_started() ? &mpii_group_empty : NULL;
    struct mpii_group *g = mpii_object_of(handle, MPII_GROUP);
    return g && g->handles > 0 ? g : NULL; /* communicators hold it, too */
}

MPI_Group mpii_group_handle(struct mpii_group *g)
{
    if (g == &mpii_group_empty)
        return MPI_GROUP_EMPTY;
    g->handles++;
    return (MPI_Group)(void *)g;
}

int mpii_group_find(const struct mpii_group *g, int proc)
{
    for (int i = 0; i < g->size; i++)
        if (g->procs[i] == proc)
            return i;
    return MPI_UNDEFINED;
}

struct mpii_group *mpii_group_new(int size, const int *procs)
{
    struct mpii_group *g;

    if (size == 0)
        return &mpii_group_empty;
    g = mpii_object_new(MPII_GROUP, sizeof *g);
    if (!g)
        return NULL;
    g->procs = malloc((size_t)size * sizeof *procs);
    if (!g->procs) {
        mpii_object_free(g);
        return NULL;
    }
    memcpy(g->procs, procs, (size_t)size * sizeof *procs);
    g->size = size;
    g->rank = mpii_group_find(g, core_me());
    return g;
}

void mpii_group_release(struct mpii_group *g)
{
    if (!g || g == &mpii_group_empty || --g->object.refs > 0)
        return;
    free(g->procs);
    mpii_object_free(g);
}

int mpii_group_ranks_make(struct mpii_group_ranks *ranks, const struct mpii_group *g)
{
    ranks->limit = 0;
    for (int i = 0; i < g->size; i++)
        if (g->procs[i] >= ranks->limit)
            ranks->limit = g->procs[i] + 1;
    ranks->rank = malloc((size_t)ranks->limit * sizeof *ranks->rank + 1);
    if (!ranks->rank)
        return MPI_ERR_NO_MEM;
    for (int p = 0; p < ranks->limit; p++)
        ranks->rank[p] = MPI_UNDEFINED;
    for (int i = 0; i < g->size; i++)
        ranks->rank[g->procs[i]] = i;
    return MPI_SUCCESS;
}

void mpii_group_ranks_drop(struct mpii_group_ranks *ranks)
{
    free(ranks->rank);
}

int mpii_group_give(int size, const int *procs, MPI_Session session, MPI_Group *handle, const char *call)
{
    struct mpii_group *g = mpii_group_new(size, procs);

    if (!g)
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a group of %d processes", size);
    if (g != &mpii_group_empty)
        g->session = session;
    *handle = mpii_group_handle(g);
    return MPI_SUCCESS;
}

int mpii_check_group_slow(MPI_Group handle, const char *arg, const char *call)
{
    MPII_TRY(mpii_check_started(call));
    if (handle == MPI_GROUP_NULL)
        return mpii_error(NULL, MPI_ERR_GROUP, call, "%s is MPI_GROUP_NULL", arg);
    return mpii_error(NULL, MPI_ERR_GROUP, call, "%s is %p, which is not a group (freed?)", arg,
                      mpii_bad_handle(MPII_GROUP, handle));
}

int mpii_group_relation(const struct mpii_group *a, const struct mpii_group *b)
{
    struct mpii_group_ranks ranks;
    int result = MPI_SIMILAR;

    if (a->size != b->size)
        return MPI_UNEQUAL;
    if (a->size == 0 || memcmp(a->procs, b->procs, (size_t)a->size * sizeof *a->procs) == 0)
        return MPI_IDENT;
    if (mpii_group_ranks_make(&ranks, a) != MPI_SUCCESS)
        return -1;
    for (int i = 0; i < b->size; i++)
        if (mpii_group_ranks_at(&ranks, b->procs[i]) == MPI_UNDEFINED)
            result = MPI_UNEQUAL;
    mpii_group_ranks_drop(&ranks);
    return result;
}

int mpii_group_disjoint(const struct mpii_group *a, const struct mpii_group *b)
{
    struct mpii_group_ranks ranks;
    int err = MPI_SUCCESS;

    MPII_TRY(mpii_group_ranks_make(&ranks, a));
    for (int i = 0; i < b->size; i++)
        if (mpii_group_ranks_at(&ranks, b->procs[i]) != MPI_UNDEFINED)
            err = MPI_ERR_GROUP;
    mpii_group_ranks_drop(&ranks);
    return err;
}

/* ------------------------------------------------------------- the calls -- */

static int tell(MPI_Group group, size_t member, int *to, const char *arg, const char *call)
{
    struct mpii_group *g;

    MPII_TRY(mpii_check_group(group, &g, "group", call));
    MPII_TRY(mpii_check_pointer(NULL, to, arg, call));
    memcpy(to, (const char *)g + member, sizeof *to);
    return MPI_SUCCESS;
}

int mpii_Group_size(MPI_Group group, int *size)
{
    return tell(group, offsetof(struct mpii_group, size), size, "size", __func__);
}

int mpii_Group_rank(MPI_Group group, int *rank)
{
    return tell(group, offsetof(struct mpii_group, rank), rank, "rank", __func__);
}

int mpii_Group_free(MPI_Group *group)
{
    struct mpii_group *g;

    MPII_TRY(mpii_check_started(__func__));
    MPII_TRY(mpii_check_pointer(NULL, group, "group", __func__));
    MPII_TRY(mpii_check_group(*group, &g, "group", __func__));
    g->handles--;
    mpii_group_release(g);
    *group = MPI_GROUP_NULL;
    return MPI_SUCCESS;
}

int mpii_Group_compare(MPI_Group group1, MPI_Group group2, int *result)
{
    struct mpii_group *a, *b;
    int relation;

    MPII_TRY(mpii_check_group(group1, &a, "group1", __func__));
    MPII_TRY(mpii_check_group(group2, &b, "group2", __func__));
    MPII_TRY(mpii_check_pointer(NULL, result, "result", __func__));
    relation = mpii_group_relation(a, b);
    if (relation < 0)
        return mpii_error(NULL, MPI_ERR_NO_MEM, __func__, "no memory to compare groups of %d processes", a->size);
    *result = relation;
    return MPI_SUCCESS;
}

static int translate(const struct mpii_group *from, int n, const int ranks1[], const struct mpii_group *to,
                     int ranks2[], const char *call)
{
    struct mpii_group_ranks ranks = {0, NULL};
    const bool table = n > 4; /* few: a search costs less than the table */

    for (int i = 0; i < n; i++)
        if (ranks1[i] != MPI_PROC_NULL && (ranks1[i] < 0 || ranks1[i] >= from->size))
            return mpii_error(NULL, MPI_ERR_RANK, call,
                              "ranks1[%d] is %d, not a rank of group1, which has %d processes", i, ranks1[i],
                              from->size);
    if (table && mpii_group_ranks_make(&ranks, to) != MPI_SUCCESS)
        return mpii_error(NULL, MPI_ERR_NO_MEM, call, "no memory for a table of ranks");
    for (int i = 0; i < n; i++) {
        if (ranks1[i] == MPI_PROC_NULL)
            ranks2[i] = MPI_PROC_NULL;
        else if (table)
            ranks2[i] = mpii_group_ranks_at(&ranks, from->procs[ranks1[i]]);
        else
            ranks2[i] = mpii_group_find(to, from->procs[ranks1[i]]);
    }
    mpii_group_ranks_drop(&ranks);
    return MPI_SUCCESS;
}

int mpii_Group_translate_ranks(MPI_Group group1, int n, const int ranks1[], MPI_Group group2, int ranks2[])
{
    struct mpii_group *a, *b;

    MPII_TRY(mpii_check_group(group1, &a, "group1", __func__));
    MPII_TRY(mpii_check_group(group2, &b, "group2", __func__));
    if (n < 0)
        return mpii_error(NULL, MPI_ERR_ARG, __func__, "n is %d, less than 0", n);
    if (n == 0)
        return MPI_SUCCESS;
    MPII_TRY(mpii_check_pointer(NULL, ranks1, "ranks1", __func__));
    MPII_TRY(mpii_check_pointer(NULL, ranks2, "ranks2", __func__));
    return translate(a, n, ranks1, b, ranks2, __func__);
}

int mpii_Comm_group(MPI_Comm comm, MPI_Group *group)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, group, "group", __func__));
    return mpii_group_give(c->group->size, c->group->procs, c->session, group, __func__);
}

int mpii_Comm_remote_group(MPI_Comm comm, MPI_Group *group)
{
    struct mpii_comm *c;

    MPII_TRY(mpii_comm_asked(comm, &c, group, "group", __func__));
    if (!c->inter)
        return mpii_error(c, MPI_ERR_COMM, __func__, "comm is an intracommunicator: it has no remote group");
    return mpii_group_give(c->remote->size, c->remote->procs, c->session, group, __func__);
}

int mpii_Group_from_session_pset(MPI_Session session, const char *pset_name, MPI_Group *newgroup)
{
    struct mpii_session *s;
    struct mpii_group *g;

    MPII_TRY(mpii_check_session(session, &s, __func__));
    MPII_TRY(mpii_check_pointer(s, pset_name, "pset_name", __func__));
    MPII_TRY(mpii_check_pointer(s, newgroup, "newgroup", __func__));
    *newgroup = MPI_GROUP_NULL;
    g = mpii_pset_group(pset_name);
    if (!g)
        return mpii_error(s, MPI_ERR_ARG, __func__, "pset_name is \"%s\", which is not a process set", pset_name);
    if (g != &mpii_group_empty)
        g->session = session;
    *newgroup = mpii_group_handle(g);
    return MPI_SUCCESS;
}
