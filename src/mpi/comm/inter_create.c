/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Intercommunicators from two intracommunicators, and back (MPI-5.0, 7.6.2). The
 * leaders tell each other their groups and what they found wrong; each tells its
 * group what to do, so that all members fail or all succeed.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/comm/comm.h"

/* What a leader tells: the other leader (err, n, context), and its own group. */
struct news {
    int err, n;
    uint64_t context;
    bool first;
};

struct leading {
    struct mpii_comm *local, *peer;
    int remote_leader, tag;
    const char *call;
};

/* Arguments that count on the leader only. */
static int check_leading(struct leading *l, MPI_Comm peer_comm)
{
    MPII_TRY(mpii_check_comm(peer_comm, &l->peer, l->call));
    MPII_TRY(mpii_check_tag(l->local, l->tag, false, l->call));
    if (l->remote_leader < 0 || l->remote_leader >= l->peer->nprocs)
        return mpii_error(l->local, MPI_ERR_RANK, l->call,
                          "remote_leader is %d, not a rank of peer_comm, which has %d processes", l->remote_leader,
                          l->peer->nprocs);
    if (!l->peer->inter && l->remote_leader == l->peer->rank)
        return mpii_error(l->local, MPI_ERR_RANK, l->call, "remote_leader is %d, which is the local leader itself",
                          l->remote_leader);
    return MPI_SUCCESS;
}

/* The leaders' exchange: *records becomes the other group, malloc'ed. An error class.
 * Numbers of processes would not do: members may be of other jobs. */
static int leaders_meet(const struct leading *l, struct news *news, void **records)
{
    struct news theirs;
    void *mine;
    int err;

    MPII_TRY(mpii_swap(l->peer, l->remote_leader, l->tag, news, sizeof *news, &theirs, sizeof theirs));
    MPII_TRY(theirs.err);
    *records = malloc((size_t)theirs.n * MPII_PROC_BYTES);
    mine = malloc((size_t)l->local->size * MPII_PROC_BYTES);
    if (!*records || !mine) {
        free(mine);
        return MPI_ERR_NO_MEM;
    }
    mpii_procs_out(l->local->procs, l->local->size, mine);
    err = mpii_swap(l->peer, l->remote_leader, l->tag, mine, (size_t)l->local->size * MPII_PROC_BYTES, *records,
                    (size_t)theirs.n * MPII_PROC_BYTES);
    free(mine);
    MPII_TRY(err);
    news->first = l->peer->inter ? l->peer->first : l->peer->rank < l->remote_leader;
    news->n = theirs.n;
    if (!news->first)
        news->context = theirs.context;
    return MPI_SUCCESS;
}

/* The group of n records that the leader has; NULL: *err. */
static struct mpii_group *group_of(struct mpii_comm *local, int leader, void *records, int n, int *err)
{
    int *procs = malloc((size_t)n * sizeof *procs);
    struct mpii_group *g = NULL;

    *err = mpii_coll_bcast(local, records, (size_t)n * MPII_PROC_BYTES, leader);
    if (*err == MPI_SUCCESS)
        *err = procs ? mpii_procs_in(records, n, procs) : MPI_ERR_NO_MEM;
    if (*err == MPI_SUCCESS)
        g = mpii_group_new(n, procs);
    free(procs);
    return g;
}

/* All members learn the other group: *remote. An error class, the same on all of this side. */
static int tell_group(struct mpii_comm *local, int leader, struct news *news, void *records, struct mpii_group **remote)
{
    void *copy;
    int err;

    MPII_TRY(mpii_coll_bcast(local, news, sizeof *news, leader));
    MPII_TRY(news->err);
    copy = records ? records : malloc((size_t)news->n * MPII_PROC_BYTES);
    if (!copy)
        return MPI_ERR_NO_MEM;
    *remote = group_of(local, leader, copy, news->n, &err);
    if (!records)
        free(copy);
    MPII_TRY(err);
    if (!*remote)
        return MPI_ERR_NO_MEM;
    err = mpii_group_disjoint(local->group, *remote);
    if (err == MPI_SUCCESS)
        return err;
    mpii_group_release(*remote);
    return err == MPI_ERR_GROUP ? MPI_ERR_COMM : err;
}

static int check_local(MPI_Comm local_comm, int local_leader, MPI_Comm *newcomm, struct mpii_comm **c, const char *call)
{
    MPII_TRY(mpii_comm_begin(local_comm, newcomm, c, call));
    if ((*c)->inter)
        return mpii_error(*c, MPI_ERR_COMM, call, "local_comm is an intercommunicator");
    if (local_leader < 0 || local_leader >= (*c)->size)
        return mpii_error(*c, MPI_ERR_RANK, call,
                          "local_leader is %d, not a rank of local_comm, which has %d processes", local_leader,
                          (*c)->size);
    return MPI_SUCCESS;
}

int mpii_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm *newintercomm)
{
    struct leading l = {.remote_leader = remote_leader, .tag = tag, .call = __func__};
    struct news news = {0};
    struct mpii_group *remote = NULL;
    void *records = NULL;
    int raised = MPI_SUCCESS, err;

    MPII_TRY(check_local(local_comm, local_leader, newintercomm, &l.local, __func__));
    if (l.local->rank == local_leader) {
        raised = check_leading(&l, peer_comm);
        news = (struct news){.err = raised, .n = l.local->size, .context = mpii_context_new()};
        if (raised == MPI_SUCCESS)
            news.err = leaders_meet(&l, &news, &records);
    }
    err = tell_group(l.local, local_leader, &news, records, &remote);
    free(records);
    if (raised != MPI_SUCCESS)
        return raised;
    if (err == MPI_ERR_COMM)
        return mpii_error(l.local, err, __func__, "the groups of both sides have a process in common");
    if (err != MPI_SUCCESS)
        return mpii_error(l.local, err, __func__, "the leaders could not agree on an intercommunicator");
    l.local->group->object.refs++;
    return mpii_comm_give(l.local, mpii_intercomm_make(l.local->group, remote, news.context, news.first), newintercomm,
                          __func__);
}

/* -------------------------------------------------------------- and back -- */

struct half {
    uint64_t context;
    bool high, agreed; /* agreed: all of the group say the same */
};

static int halves(struct mpii_comm *c, int high, struct half *mine, struct half *theirs)
{
    int64_t high_low[2] = {high != 0, high == 0};

    MPII_TRY(mpii_coll_allreduce(c->local, high_low, 2, MPI_MAX));
    *mine = (struct half){.high = high != 0, .agreed = !(high_low[0] && high_low[1])};
    if (c->rank == 0)
        mine->context = mpii_context_new();
    return mpii_inter_exchange(c, mine, theirs, sizeof *mine);
}

int mpii_Intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm *newintracomm)
{
    struct mpii_comm *c;
    struct half mine, theirs;
    struct mpii_group *low, *up, *all;
    int *procs, err;

    MPII_TRY(mpii_comm_begin(intercomm, newintracomm, &c, __func__));
    if (!c->inter)
        return mpii_error(c, MPI_ERR_COMM, __func__, "intercomm is an intracommunicator");
    err = halves(c, high, &mine, &theirs);
    if (err != MPI_SUCCESS)
        return mpii_error(c, err, __func__, "the groups could not agree on a communicator");
    if (!mine.agreed || !theirs.agreed)
        return mpii_error(c, MPI_ERR_ARG, __func__, "high is %d here, and not the same on all processes of %s group",
                          high, mine.agreed ? "the remote" : "the local");
    low = (mine.high == theirs.high ? c->first : !mine.high) ? c->group : c->remote;
    up = low == c->group ? c->remote : c->group;
    procs = malloc(((size_t)low->size + (size_t)up->size) * sizeof *procs);
    if (!procs)
        return mpii_error(c, MPI_ERR_NO_MEM, __func__, "no memory for a communicator");
    memcpy(procs, low->procs, (size_t)low->size * sizeof *procs);
    memcpy(procs + low->size, up->procs, (size_t)up->size * sizeof *procs);
    all = mpii_group_new(low->size + up->size, procs);
    free(procs);
    return mpii_comm_give(c, mpii_comm_make(all, c->first ? mine.context : theirs.context), newintracomm, __func__);
}
