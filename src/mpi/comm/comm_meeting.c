/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communicators of processes that have none in common (MPI-5.0, 7.4.2 and 7.6.2:
 * from groups, as sessions need them). Members of a group that call with the same
 * string compute the same context from it, meet there, and agree on the context
 * that stays.
 */
#include <stdlib.h>
#include <string.h>

#include "mpi/comm/comm.h"

static struct mpii_meetings *const met = &mpii_state.comm.meetings;

/* How often this process has met under each context: all members count alike. A
 * meeting that follows one of the same data gets a context of its own, for what
 * has arrived for it must outlive the one before. */
struct mpii_met {
    uint64_t context; /* 0: free */
    uint64_t count;
};

static struct mpii_met *slot_of(struct mpii_met *slots, size_t size, uint64_t context)
{
    size_t at = (size_t)(context >> 3) & (size - 1);

    while (slots[at].context != 0 && slots[at].context != context)
        at = (at + 1) & (size - 1);
    return &slots[at];
}

static bool grow(void)
{
    size_t size = met->size ? 2 * met->size : 16;
    struct mpii_met *slots = calloc(size, sizeof *slots);

    if (!slots)
        return false;
    for (size_t i = 0; i < met->size; i++)
        if (met->slots[i].context != 0)
            *slot_of(slots, size, met->slots[i].context) = met->slots[i];
    free(met->slots);
    met->slots = slots;
    met->size = size;
    return true;
}

struct mpii_comm *mpii_meeting(const struct mpii_group *g, const int *ids, uint64_t seed, const void *data, size_t n)
{
    uint64_t context = mpii_context_meeting(seed, data, n);
    struct mpii_met *m;

    if (2 * met->used >= met->size && !grow())
        return NULL;
    context = ids == g->procs ? mpii_procs_hash(context, ids, g->size)
                              : mpii_context_meeting(context, ids, (size_t)g->size * sizeof *ids);
    m = slot_of(met->slots, met->size, context);
    if (m->context == 0) {
        m->context = context;
        met->used++;
    }
    context = mpii_context_meeting(context, &m->count, sizeof m->count);
    m->count++;
    return mpii_comm_make(mpii_group_new(g->size, g->procs), context);
}

/* What both calls have in common: checked arguments, and where the members meet. */
struct meeting {
    struct mpii_comm *local; /* errors are raised on it: it has the caller's handler */
    const char *string;
    MPI_Info info;
    MPI_Comm *newcomm;
    const char *call;
};

enum { SEED_LOCAL = 1, SEED_LEADERS = 2 };

static int check_string(struct mpii_comm *c, const char *string, const char *call)
{
    MPII_TRY(mpii_check_pointer(c, string, "stringtag", call));
    if (strlen(string) >= MPI_MAX_STRINGTAG_LEN)
        return mpii_error(c, MPI_ERR_ARG, call,
                          "stringtag has %zu characters; MPI_MAX_STRINGTAG_LEN leaves room for %d", strlen(string),
                          MPI_MAX_STRINGTAG_LEN - 1);
    return MPI_SUCCESS;
}

/* m->local NULL: this process has nothing to do (it is not in the group). */
static int meeting_begin(struct meeting *m, MPI_Group group, MPI_Errhandler errhandler)
{
    struct mpii_group *g, *where;
    struct mpii_errhandler *handler;
    int err;

    MPII_TRY(mpii_check_started(m->call));
    handler = mpii_errhandler_of(errhandler);
    if (!handler || (handler->for_kind != MPII_NONE && handler->for_kind != MPII_COMM))
        return mpii_error(NULL, MPI_ERR_ERRHANDLER, m->call,
                          "errhandler is %p, which is not an error handler of communicators", (void *)errhandler);
    g = mpii_group_of(group);
    where = g ? g : mpii_state.comm.self->group; /* to raise errors on */
    m->local =
        mpii_meeting(where, where->procs, SEED_LOCAL, m->string ? m->string : "", m->string ? strlen(m->string) : 0);
    if (!m->local)
        return mpii_error(NULL, MPI_ERR_NO_MEM, m->call, "no memory for a communicator");
    mpii_comm_set_handler(m->local, handler);
    mpii_comm_name_call(m->local, m->call);
    m->local->session = g ? g->session : NULL;
    if (!g)
        err = mpii_error(m->local, MPI_ERR_GROUP, m->call, "group is %s",
                         group == MPI_GROUP_NULL ? "MPI_GROUP_NULL" : "not a group (freed?)");
    else
        err = mpii_check_pointer(m->local, m->newcomm, "newcomm", m->call);
    if (err == MPI_SUCCESS)
        err = check_string(m->local, m->string, m->call);
    if (err == MPI_SUCCESS)
        err = mpii_check_info(m->local, m->info, m->call);
    if (err == MPI_SUCCESS) {
        *m->newcomm = MPI_COMM_NULL;
        if (g->rank != MPI_UNDEFINED)
            return err;
    }
    mpii_comm_release(m->local);
    m->local = NULL;
    return err;
}

/* Raises err if there is one, else hands over what was made (NULL: no memory). */
static int meeting_end(struct meeting *m, int err, struct mpii_comm *made)
{
    if (err != MPI_SUCCESS)
        mpii_error(m->local, err, m->call, "the processes of stringtag \"%s\" could not agree on a communicator",
                   m->string);
    else
        err = mpii_comm_give(m->local, made, m->newcomm, m->call);
    if (err == MPI_SUCCESS)
        err = mpii_comm_hints(made, m->info, m->call);
    mpii_comm_release(m->local);
    return err;
}

int mpii_Comm_create_from_group(MPI_Group group, const char *stringtag, MPI_Info info, MPI_Errhandler errhandler,
                                MPI_Comm *newcomm)
{
    struct meeting m = {.string = stringtag, .info = info, .newcomm = newcomm, .call = __func__};
    uint64_t context = 0;
    int err;

    MPII_TRY(meeting_begin(&m, group, errhandler));
    if (!m.local)
        return MPI_SUCCESS;
    err = mpii_context_agree(m.local, &context);
    m.local->group->object.refs++;
    return meeting_end(&m, err, mpii_comm_make(m.local->group, context));
}

/* The leaders meet by themselves; each then tells its group. */
struct news {
    int err, n; /* of the leader; size of the other group */
    uint64_t context;
    bool first;
};

static int leaders_meet(const struct meeting *m, const struct mpii_group *remote, int remote_leader, struct news *news,
                        int **procs)
{
    const int me = core_me(), other = remote->procs[remote_leader], low = mpii_proc_before(me, other) ? me : other;
    const int pair[2] = {low, low == me ? other : me};
    struct mpii_group *two = mpii_group_new(2, pair);
    struct mpii_comm *leaders = two ? mpii_meeting(two, two->procs, SEED_LEADERS, m->string, strlen(m->string)) : NULL;
    struct news theirs = {.err = MPI_ERR_NO_MEM};
    int err;

    mpii_group_release(two);
    if (!leaders)
        return MPI_ERR_NO_MEM;
    err = mpii_swap(leaders, 1 - leaders->rank, 0, news, sizeof *news, &theirs, sizeof theirs);
    news->first = leaders->rank == 0;
    mpii_comm_release(leaders);
    MPII_TRY(err);
    MPII_TRY(theirs.err);
    if (theirs.n != remote->size)
        return MPI_ERR_GROUP;
    if (!news->first)
        news->context = theirs.context;
    news->n = remote->size;
    *procs = remote->procs;
    return MPI_SUCCESS;
}

static int check_leader(const struct meeting *m, int local_leader)
{
    if (local_leader >= 0 && local_leader < m->local->size)
        return MPI_SUCCESS;
    return mpii_error(m->local, MPI_ERR_RANK, m->call,
                      "local_leader is %d, not a rank of local_group, which has %d processes", local_leader,
                      m->local->size);
}

/* On the leader: what it can find wrong, raised by all of its group when told. */
static int check_remote(const struct meeting *m, const struct mpii_group *remote, int remote_leader)
{
    if (!remote || remote->size == 0)
        return MPI_ERR_GROUP;
    if (remote_leader < 0 || remote_leader >= remote->size)
        return MPI_ERR_RANK;
    return mpii_group_disjoint(m->local->group, remote);
}

int mpii_Intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                      int remote_leader, const char *stringtag, MPI_Info info,
                                      MPI_Errhandler errhandler, MPI_Comm *newintercomm)
{
    struct meeting m = {.string = stringtag, .info = info, .newcomm = newintercomm, .call = __func__};
    struct news news = {0};
    int *procs = NULL, *copy, err;

    MPII_TRY(meeting_begin(&m, local_group, errhandler));
    if (!m.local)
        return MPI_SUCCESS;
    err = check_leader(&m, local_leader);
    if (err != MPI_SUCCESS) {
        mpii_comm_release(m.local);
        return err;
    }
    if (m.local->rank == local_leader) {
        struct mpii_group *remote = mpii_group_of(remote_group);

        news = (struct news){.n = m.local->size, .context = mpii_context_new()};
        news.err = check_remote(&m, remote, remote_leader);
        if (news.err == MPI_SUCCESS)
            news.err = leaders_meet(&m, remote, remote_leader, &news, &procs);
    }
    err = mpii_coll_bcast(m.local, &news, sizeof news, local_leader);
    if (err != MPI_SUCCESS || news.err != MPI_SUCCESS)
        return meeting_end(&m, err != MPI_SUCCESS ? err : news.err, NULL);
    copy = malloc((size_t)news.n * sizeof *copy);
    if (!copy)
        return meeting_end(&m, MPI_ERR_NO_MEM, NULL);
    if (procs)
        memcpy(copy, procs, (size_t)news.n * sizeof *copy);
    err = mpii_coll_bcast(m.local, copy, (size_t)news.n * sizeof *copy, local_leader);
    m.local->group->object.refs++;
    err = meeting_end(&m, err,
                      mpii_intercomm_make(m.local->group, mpii_group_new(news.n, copy), news.context, news.first));
    free(copy);
    return err;
}
