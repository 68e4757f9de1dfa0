/* SPDX-License-Identifier: BSD-3-Clause
 *
 * MPI_Comm_create (MPI-5.0, 7.4.2). All members of the old communicator agree on
 * one context: groups that are different are disjoint, so it serves them all.
 * Who finds its group wrong takes part in the exchange all the same, that nobody
 * waits for it.
 */
#include <stdlib.h>

#include "mpi/comm/comm.h"

/* Ranks in `of` of the members of g, malloc'ed; NULL: one is no member (*err MPI_ERR_GROUP), or no memory. */
static int *ranks_in(const struct mpii_group *of, const struct mpii_group *g, int *err)
{
    struct mpii_group_ranks ranks;
    int *list = malloc((size_t)g->size * sizeof *list + 1);

    *err = list ? mpii_group_ranks_make(&ranks, of) : MPI_ERR_NO_MEM;
    if (*err != MPI_SUCCESS) {
        free(list);
        return NULL;
    }
    for (int i = 0; i < g->size; i++) {
        list[i] = mpii_group_ranks_at(&ranks, g->procs[i]);
        if (list[i] == MPI_UNDEFINED)
            *err = MPI_ERR_GROUP;
    }
    mpii_group_ranks_drop(&ranks);
    if (*err == MPI_SUCCESS)
        return list;
    free(list);
    return NULL;
}

static int complain(struct mpii_comm *c, int err, const char *call)
{
    if (err == MPI_ERR_GROUP)
        return mpii_error(c, err, call,
                          "group has a member that is not in the (local) group of comm, which has %d processes",
                          c->size);
    if (err == MPI_ERR_NO_MEM)
        return mpii_error(c, err, call, "no memory for a communicator");
    return mpii_error(c, err, call, "the processes could not agree on a communicator");
}

static int create_intra(struct mpii_comm *c, struct mpii_group *g, MPI_Comm *newcomm, const char *call)
{
    uint64_t context;
    int err, agreed = mpii_context_agree(c, &context);

    free(ranks_in(c->group, g, &err));
    if (err != MPI_SUCCESS || agreed != MPI_SUCCESS)
        return complain(c, err != MPI_SUCCESS ? err : agreed, call);
    if (g->rank == MPI_UNDEFINED)
        return MPI_SUCCESS;
    return mpii_comm_give(c, mpii_comm_make(mpii_group_new(g->size, g->procs), context), newcomm, call);
}

/* The remote group is what its rank 0 says: ranks of the old remote group. */
static int create_inter(struct mpii_comm *c, struct mpii_group *g, MPI_Comm *newcomm, const char *call)
{
    uint64_t context;
    int err, *theirs = NULL, their_n, *mine = ranks_in(c->group, g, &err);
    int agreed = mpii_inter_exchange_ints(c, mine, mine ? g->size : 0, &theirs, &their_n);
    struct mpii_group *remote;

    if (agreed == MPI_SUCCESS)
        agreed = mpii_context_agree(c, &context);
    if (err == MPI_SUCCESS)
        err = agreed;
    free(mine);
    if (err != MPI_SUCCESS || g->rank == MPI_UNDEFINED || their_n == 0) {
        free(theirs);
        return err == MPI_SUCCESS ? err : complain(c, err, call);
    }
    for (int i = 0; i < their_n; i++)
        theirs[i] = c->remote->procs[theirs[i]];
    remote = mpii_group_new(their_n, theirs);
    free(theirs);
    return mpii_comm_give(c, mpii_intercomm_make(mpii_group_new(g->size, g->procs), remote, context, c->first), newcomm,
                          call);
}

int mpii_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm *newcomm)
{
    struct mpii_comm *c;
    struct mpii_group *g;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    MPII_TRY(mpii_check_together(c, __func__, 0, NULL));
    g = mpii_group_of(group);
    if (!g)
        return mpii_error(c, MPI_ERR_GROUP, __func__, "group is %s",
                          group == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "not a group (freed?)");
    return c->inter ? create_inter(c, g, newcomm, __func__) : create_intra(c, g, newcomm, __func__);
}

/* Only the members of the group call: they meet, apart from comm's other traffic. */
int mpii_Comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *newcomm)
{
    struct mpii_comm *c, *meeting;
    struct mpii_group *g;
    uint64_t context;
    int err, *ranks;

    MPII_TRY(mpii_comm_begin(comm, newcomm, &c, __func__));
    g = mpii_group_of(group);
    if (!g)
        return mpii_error(c, MPI_ERR_GROUP, __func__, "group is %s",
                          group == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "not a group (freed?)");
    MPII_TRY(mpii_check_tag(c, tag, false, __func__));
    if (c->inter)
        return mpii_error(c, MPI_ERR_COMM, __func__, "comm is an intercommunicator");
    ranks = ranks_in(c->group, g, &err);
    if (err != MPI_SUCCESS)
        return complain(c, err, __func__);
    meeting = g->rank == MPI_UNDEFINED ? NULL : mpii_meeting(g, ranks, c->context, &tag, sizeof tag);
    free(ranks);
    if (g->rank == MPI_UNDEFINED)
        return MPI_SUCCESS;
    err = meeting ? mpii_check_together(meeting, __func__, 0, NULL) : MPI_ERR_NO_MEM;
    if (err == MPI_SUCCESS)
        err = mpii_context_agree(meeting, &context);
    mpii_comm_release(meeting);
    if (err != MPI_SUCCESS)
        return complain(c, err, __func__);
    return mpii_comm_give(c, mpii_comm_make(mpii_group_new(g->size, g->procs), context), newcomm, __func__);
}
