/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking and persistent collectives: a request that owns the blocking body on
 * a fiber (coll_later.c), where all members are on one node, or a schedule, which
 * is a progress hook while it is under way. A persistent one keeps both and its tag: members
 * may start several in any order (6.13).
 */
#include "mpi/check/own.h"
#include "mpi/collective/coll_node.h"
#include "mpi/collective/follow.h"
#include "mpi/ft/ft.h"

struct own {
    struct mpii_hook hook; /* first */
    struct mpii_request *request;
    struct mpii_sched *sched;      /* or NULL */
    struct mpii_coll_later *later; /* or NULL; until it is done */
    const struct mpt_hooks *hooks; /* or NULL */
    void *hooks_arg;
    const char *call; /* that made it; a literal */
    bool reduces;
    uint32_t met; /* for the race checker: the number of the meeting */
    struct coll_unlike unlike; /* of a reduction that has failed */
};
_Static_assert(sizeof(struct own) <= sizeof((struct mpii_request *)0)->own, "no room in a request");

static struct own *own_of(struct mpii_request *r)
{
    return (struct own *)(void *)r->own;
}

static void done(struct mpii_request *r, int error, const struct coll_unlike *u)
{
    struct own *own = own_of(r);

    if (!r->persistent)
        own->later = NULL;
    if (MPT_UNLIKELY(u != NULL))
        own->unlike = *u;
    if (own->hooks)
        own->hooks->done(own->hooks_arg);
    if (MPT_UNLIKELY(core_race_on()))
        mpii_coll_race_learn_all(r->comm, own->met);
    if (mpii_watch_has(r))
        mpii_watch_arrives(r);
    mpii_request_done(r, error);
}

static void step(struct mpii_hook *hook)
{
    struct own *own = (struct own *)(void *)hook;

    if (!mpii_sched_step(own->sched))
        return;
    mpii_hook_remove(hook);
    done(own->request, mpii_sched_error(own->sched), NULL);
}

static void prepare(struct mpii_request *r)
{
    const struct own *own = own_of(r);

    if (own->hooks)
        own->hooks->start(own->hooks_arg);
}

static int start(struct mpii_request *r)
{
    struct own *own = own_of(r);

    r->done = false;
    r->active = true;
    r->error = MPI_SUCCESS;
    if (MPT_UNLIKELY(core_race_on()))
        own->met = mpii_coll_race_come(r->comm);
    if (MPT_UNLIKELY(core_trace_on()) && r->persistent)
        mpii_trace_started(r, r->ops->what);
    if (own->later) {
        mpii_coll_later_start(own->later);
        return MPI_SUCCESS;
    }
    mpii_sched_rewind(own->sched);
    mpii_hook_add(&own->hook);
    step(&own->hook);
    return MPI_SUCCESS;
}

static void free_own(struct mpii_request *r)
{
    struct own *own = own_of(r);

    if (own->sched) {
        mpii_hook_remove(&own->hook);
        mpii_sched_free(own->sched);
        own->sched = NULL;
    }
    if (own->later)
        mpii_coll_later_free(own->later);
    own->later = NULL;
    if (own->hooks)
        own->hooks->free(own->hooks_arg);
    own->hooks = NULL;
}

/* Before a wait of it begins. */
static void look(struct mpii_request *r)
{
    struct own *own = own_of(r);

    if (own->later)
        mpii_coll_later_look(own->later);
}

static int say_unlike(struct mpii_comm *comm, int err, const char *call, const char *of, const struct coll_unlike *u)
{
    char theirs[32] = "more";

    if (!u->more || u->bytes > 0)
        snprintf(theirs, sizeof theirs, "%lld", (long long)u->bytes);
    return mpii_error(comm, err, call,
                      "%sthis rank gives %lld bytes, but rank %d gives %s: counts or types differ among the ranks", of,
                      (long long)u->own, u->rank, theirs);
}

/* A collective's error. call: who reports it; of: "", or which collective it is of and a colon. u: or NULL. */
static int say(struct mpii_comm *comm, int err, const char *call, const char *of, bool reduces,
               const struct coll_unlike *u)
{
    if (u && u->found && (err == MPI_ERR_COUNT || err == MPI_ERR_TRUNCATE))
        return say_unlike(comm, err, call, of, u);
    if (err == MPI_ERR_TRUNCATE && reduces)
        return mpii_error(comm, err, call,
                          "%sanother rank gives more than this one: counts or types differ among the ranks", of);
    if (err == MPI_ERR_TRUNCATE)
        return mpii_error(comm, err, call,
                          "%smore data came than the receive side takes: counts or types differ among the ranks", of);
    if (err == MPI_ERR_NO_MEM)
        return mpii_error(comm, err, call, "%sout of memory", of);
    if (mpii_ft_class(err))
        return mpii_ft_raise(comm, err, call);
    return mpii_error(comm, err, call, "%sa message of the collective failed", of);
}

static int raise_later(const struct mpii_request *r, int err, const char *call)
{
    const struct own *own = (const struct own *)(const void *)r->own;
    char of[64];

    snprintf(of, sizeof of, "%s: ", own->call);
    return say(r->comm, err, call, of, own->reduces, &own->unlike);
}

static const struct mpii_request_ops methods[COLL_KINDS] = {
#define ROW(kind, what_)          \
    [kind] = {.what = what_,      \
              .shared = true,     \
              .prepare = prepare, \
              .start = start,     \
              .look = look,       \
              .free = free_own,   \
              .raise = raise_later}
    ROW(COLL_BARRIER, "barrier"),
    ROW(COLL_BROADCAST, "broadcast"),
    ROW(COLL_GATHER, "gather"),
    ROW(COLL_SCATTER, "scatter"),
    ROW(COLL_ALLGATHER, "allgather"),
    ROW(COLL_ALLTOALL, "alltoall"),
    ROW(COLL_REDUCE, "reduce"),
    ROW(COLL_ALLREDUCE, "allreduce"),
    ROW(COLL_REDUCE_SCATTER, "reduce_scatter"),
    ROW(COLL_INSCAN, "scan"),
    ROW(COLL_EXSCAN, "exscan"),
    ROW(COLL_NEIGHBOR_ALLGATHER, "neighbor_allgather"),
    ROW(COLL_NEIGHBOR_ALLTOALL, "neighbor_alltoall"),
#undef ROW
};

static void set_up(struct own *own, struct mpii_request *r, const struct mpii_coll_call *c)
{
    own->hook = (struct mpii_hook){.step = step};
    own->request = r;
    own->sched = NULL;
    own->later = NULL;
    own->hooks = NULL;
    own->call = c->data.where;
    own->reduces = c->op != NULL;
    own->unlike.found = false;
    r->traced.collective = false; /* a request made before has left it there */
}

/* By its body, or by a schedule. False: out of memory. */
static bool make_ready(struct mpii_request *r, const struct mpii_coll_call *c, bool persistent)
{
    struct own *own = own_of(r);

    set_up(own, r, c);
    if (!core_params.check && mpii_coll_later_serves(c, persistent)) {
        own->later = mpii_coll_later_new(c, r, persistent, done);
        return own->later != NULL;
    }
    own->sched = mpii_coll_schedule(c, mpii_coll_tag(c->comm, persistent), core_params.check);
    if (own->sched)
        mpii_sched_hold(own->sched);
    if (own->sched && core_params.check)
        mpii_sched_watch(own->sched, r);
    return own->sched != NULL;
}

static const struct mpii_request_ops ended_ops = {.what = "collective", .shared = true};

int mpii_coll_init(void)
{
    struct mpii_request *ended = mpii_request_new(&ended_ops, NULL);

    if (!ended)
        return MPI_ERR_NO_MEM;
    ended->done = true;
    mpii_state.request.ended = ended;
    return MPI_SUCCESS;
}

void mpii_coll_finish(void)
{
    struct mpii_request *ended = mpii_state.request.ended;

    mpii_state.request.ended = NULL;
    mpii_request_end(ended);
}

/* A short one, at once. NULL: it is none, or something is in the way. */
static struct mpii_request *start_short(const struct mpii_coll_call *c)
{
    struct mpii_coll_later *l;
    struct mpii_request *r;
    int err;
    bool goes_on;

    if (MPT_UNLIKELY(core_params.check || core_race_on()) || !mpii_object_is_free(MPII_REQUEST) ||
        !(l = mpii_coll_later_short(c)))
        return NULL;
    goes_on = !mpii_coll_later_short_ended(l, c, &err);
    if (!goes_on && MPT_LIKELY(err == MPI_SUCCESS && !core_trace_on()))
        return mpii_state.request.ended;
    r = mpii_request_new_unset(&methods[c->data.kind], c->comm);
    set_up(own_of(r), r, c);
    goes_on = goes_on && mpii_coll_later_short_on(l, c, r, done, &err);
    if (goes_on) {
        own_of(r)->later = l;
    } else {
        r->error = err;
        r->done = true;
    }
    return r;
}

int mpii_coll_follow(MPI_Request request, const struct mpt_hooks *hooks, void *arg)
{
    struct mpii_request *r = mpii_request_of(request);

    if (r && r == mpii_state.request.ended) {
        hooks->done(arg);
        hooks->free(arg);
        return MPI_SUCCESS;
    }
    if (!r || r->ops < methods || r->ops >= methods + COLL_KINDS)
        return mpii_error(NULL, MPI_ERR_REQUEST, __func__, "request is not of a collective");
    own_of(r)->hooks = hooks;
    own_of(r)->hooks_arg = arg;
    if (r->active && r->done)
        hooks->done(arg);
    return MPI_SUCCESS;
}

static int raise(const struct mpii_coll_call *c, int err)
{
    struct coll_unlike *u, said = {.found = false};

    if (MPT_LIKELY(err == MPI_SUCCESS))
        return MPI_SUCCESS;
    u = c->op ? mpii_node_unlike(c) : NULL;
    if (u) {
        said = *u;
        u->found = false;
    }
    return say(c->comm, err, c->data.where, "", c->op != NULL, &said);
}

static bool has_root(enum coll_kind kind)
{
    return kind == COLL_BROADCAST || kind == COLL_GATHER || kind == COLL_SCATTER || kind == COLL_REDUCE;
}

int mpii_coll_go(const struct mpii_coll_call *c, enum mpii_coll_form form, MPI_Request *request)
{
    struct mpii_request *r;
    int err;

    mpii_state.counters.collectives++;
    if (MPT_LIKELY(form == MPII_COLL_NOW)) {
        if (MPT_UNLIKELY(core_params.check)) {
            mpii_coll_watch_now(c);
            MPII_TRY(mpii_coll_check_now(c));
        }
        err = mpii_coll_run(c);
        mpii_own_landed();
        return raise(c, err);
    }
    if (MPT_LIKELY(form == MPII_COLL_STARTED) && (r = start_short(c)) != NULL) {
        *request = mpii_request_handle(r);
        return MPI_SUCCESS;
    }
    r = mpii_request_new_unset(&methods[c->data.kind], c->comm);
    if (!r)
        return raise(c, MPI_ERR_NO_MEM);
    r->persistent = form == MPII_COLL_PERSISTENT;
    if (!make_ready(r, c, r->persistent)) {
        mpii_request_end(r);
        return raise(c, MPI_ERR_NO_MEM);
    }
    *request = mpii_request_handle(r);
    if (MPT_UNLIKELY(core_params.check))
        mpii_coll_watch(r, c);
    if (MPT_UNLIKELY(core_trace_on()) && r->persistent)
        mpii_trace_made(r, has_root(c->data.kind) ? c->data.root : MPI_PROC_NULL);
    if (form == MPII_COLL_STARTED) {
        if (mpii_watch_has(r))
            mpii_watch_start(r, 0);
        return start(r);
    }
    r->done = true;
    r->active = false;
    return MPI_SUCCESS;
}
