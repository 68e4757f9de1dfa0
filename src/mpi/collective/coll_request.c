/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking and persistent collectives: a request that owns a schedule, which
 * is a task while it is under way. A persistent one keeps its schedule and its
 * tag: members may start several in any order (6.13).
 */
#include "mpi/collective/coll_node.h"
#include "mpi/front/sections.h"
#include "mpi/ft/ft.h"

struct own {
    struct mpii_task task; /* first */
    struct mpii_request *request;
    struct mpii_sched *sched;
    const struct mpt_hooks *hooks; /* or NULL */
    void *hooks_arg;
    const char *call; /* that made it; a literal */
    bool reduces;
};
_Static_assert(sizeof(struct own) <= sizeof((struct mpii_request *)0)->own, "no room in a request");

static struct own *own_of(struct mpii_request *r)
{
    return (struct own *)(void *)r->own;
}

static void step(struct mpii_task *task)
{
    struct own *own = (struct own *)(void *)task;

    if (!mpii_sched_step(own->sched))
        return;
    mpii_task_remove(task);
    if (own->hooks)
        own->hooks->done(own->hooks_arg);
    mpii_request_done(own->request, mpii_sched_error(own->sched));
}

static int start(struct mpii_request *r)
{
    struct own *own = own_of(r);

    r->done = false;
    r->active = true;
    r->error = MPI_SUCCESS;
    if (own->hooks)
        own->hooks->start(own->hooks_arg);
    mpii_sched_rewind(own->sched);
    mpii_task_add(&own->task);
    step(&own->task);
    return MPI_SUCCESS;
}

static void free_own(struct mpii_request *r)
{
    struct own *own = own_of(r);

    mpii_task_remove(&own->task);
    mpii_sched_free(own->sched);
    own->sched = NULL;
    if (own->hooks)
        own->hooks->free(own->hooks_arg);
    own->hooks = NULL;
}

/* A collective's error. call: who reports it; of: "", or which collective it is of. */
static int say(struct mpii_comm *comm, int err, const char *call, const char *of, bool reduces)
{
    const char *colon = *of ? ": " : "";

    if (err == MPI_ERR_TRUNCATE && reduces)
        return mpii_error(comm, err, call, "%s%sanother rank gives more than this one: counts or types differ among the ranks", of, colon);
    if (err == MPI_ERR_TRUNCATE)
        return mpii_error(comm, err, call, "%s%smore data came than the receive side takes: counts or types differ among the ranks", of, colon);
    if (err == MPI_ERR_NO_MEM)
        return mpii_error(comm, err, call, "%s%sout of memory", of, colon);
    if (mpii_ft_class(err))
        return mpii_ft_raise(comm, err, call);
    return mpii_error(comm, err, call, "%s%sa message of the collective failed", of, colon);
}

static int raise_later(const struct mpii_request *r, int err, const char *call)
{
    const struct own *own = (const struct own *)(const void *)r->own;

    return say(r->comm, err, call, own->call, own->reduces);
}

static const struct mpii_request_ops methods[MPII_COLL_KINDS] = {
#define ROW(kind, what_) [kind] = {.what = what_, .collective = true, .start = start, .free = free_own, .raise = raise_later}
    ROW(MPII_BARRIER, "barrier"), ROW(MPII_BCAST, "broadcast"), ROW(MPII_GATHER, "gather"), ROW(MPII_SCATTER, "scatter"),
    ROW(MPII_ALLGATHER, "allgather"), ROW(MPII_ALLTOALL, "alltoall"), ROW(MPII_REDUCE, "reduce"),
    ROW(MPII_ALLREDUCE, "allreduce"), ROW(MPII_REDUCE_SCATTER, "reduce_scatter"), ROW(MPII_SCAN, "scan"),
    ROW(MPII_EXSCAN, "exscan"), ROW(MPII_NEIGHBOR_ALLGATHER, "neighbor_allgather"),
    ROW(MPII_NEIGHBOR_ALLTOALL, "neighbor_alltoall"),
#undef ROW
};

static struct mpii_request *request_of(const struct mpii_coll_call *c, bool persistent)
{
    struct mpii_request *r = mpii_request_new(&methods[c->kind], c->comm);
    struct mpii_sched *s = mpii_coll_schedule(c, mpii_coll_tag(c->comm, persistent), core_params.check);

    if (!r || !s) {
        mpii_sched_free(s);
        if (r)
            mpii_request_end(r);
        return NULL;
    }
    mpii_sched_hold(s);
    *own_of(r) = (struct own){.task.step = step, .request = r, .sched = s, .call = c->call, .reduces = c->op != NULL};
    r->persistent = persistent;
    return r;
}

int mpii_coll_follow(MPI_Request request, const struct mpt_hooks *hooks, void *arg)
{
    struct mpii_request *r = mpii_request_of(request);

    if (!r || r->ops < methods || r->ops >= methods + MPII_COLL_KINDS)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__, "request is not of a collective");
    own_of(r)->hooks = hooks;
    own_of(r)->hooks_arg = arg;
    if (r->active && r->done)
        hooks->done(arg);
    return MPI_SUCCESS;
}

static int say_unlike(const struct mpii_coll_call *c, int err, struct mpii_unlike *u)
{
    char theirs[32] = "more";

    if (!u->more || u->bytes > 0)
        snprintf(theirs, sizeof theirs, "%lld", (long long)u->bytes);
    u->found = false;
    return mpii_error(c->comm, err, c->call, "this rank gives %lld bytes, but rank %d gives %s: counts or types differ among the ranks",
                      (long long)u->own, u->rank, theirs);
}

static int raise(const struct mpii_coll_call *c, int err)
{
    struct mpii_unlike *u;

    if (MPT_LIKELY(err == MPI_SUCCESS))
        return MPI_SUCCESS;
    u = c->op ? mpii_node_unlike(c->comm) : NULL;
    if (u && u->found && (err == MPI_ERR_COUNT || err == MPI_ERR_TRUNCATE))
        return say_unlike(c, err, u);
    return say(c->comm, err, c->call, "", c->op != NULL);
}

int mpii_coll_go(const struct mpii_coll_call *c, enum mpii_coll_form form, MPI_Request *request)
{
    struct mpii_request *r;

    mpii_counters.collectives++;
    if (MPT_LIKELY(form == MPII_COLL_NOW)) {
        if (MPT_UNLIKELY(core_params.check))
            MPII_TRY(mpii_coll_check_now(c));
        return raise(c, mpii_coll_run(c));
    }
    r = request_of(c, form == MPII_COLL_PERSISTENT);
    if (!r)
        return raise(c, MPI_ERR_NO_MEM);
    *request = mpii_request_handle(r);
    if (form == MPII_COLL_STARTED)
        return start(r);
    r->done = true;
    r->active = false;
    return MPI_SUCCESS;
}
