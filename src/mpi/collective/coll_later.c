/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Nonblocking and persistent collectives on one node: the blocking body on a fiber,
 * so that all are one algorithm and equally fast. It begins in the call and goes on
 * as a progress hook. Short ones have two halves instead, and need no fiber
 * (coll/block_half.h; where PEs are tasks, coll/meet.h): the first one is in the call,
 * the second one the hook's or the wait's.
 *
 * The block that members share serves one collective at a time, so those of a
 * communicator wait for their turn. That holds nobody up for ever: all members
 * start the same ones in the same order, and one that all have started needs
 * nothing more than progress. Tags are taken in the call, not when the turn comes:
 * other collectives by messages may start in between.
 *
 * Persistent ones may be started in any order, each member its own, so each has a
 * block of its own, made when it is first started.
 */
#include <stdlib.h>
#include <string.h>

#include "coll/block_half.h"
#include "coll/meet.h"
#include "core/base/number.h"
#include "core/wait/fiber.h"
#include "mpi/collective/coll_node.h"
#include "mpi/ft/ft.h"

enum {
    LOOKS = 32, /* by who waits, before it makes progress; as often as blocking ones */
    TAGS = 2, /* making the block, and messages beside it */
    SPARES = 16,
    OWN_BLOCK_MEMBERS = 64, /* who makes a block touches 8 KiB for each member */
};

struct mpii_coll_later {
    struct mpii_hook hook;
    struct mpii_coll_later *next; /* of its communicator; spare */
    struct mpii_request *request; /* NULL: nobody wants to know */
    mpii_coll_done *done;
    struct core_fiber *fiber; /* NULL: not needed yet */
    bool holds;  /* types or an operation */
    bool halved; /* its first half has been done, and no fiber runs it */
    bool meets;  /* the same of a meeting (coll/meet.h) */
    struct coll_block_half half;
    uint64_t meeting;
    struct mpii_coll_call call;
    void *arrays; /* counts, displacements and types, which are the user's again */
    uint32_t tags;
    void *block; /* a persistent one's own */
    int error;
};

static struct mpii_coll_later *spares; /* with their fibers */
static int nspares;

bool mpii_coll_later_serves(const struct mpii_coll_call *c, bool persistent)
{
    return c->comm->size > 1 && mpii_node_serves(c) && !(persistent && c->comm->size > OWN_BLOCK_MEMBERS);
}

/* ---- what it keeps of its arguments ---- */

static size_t entries_of(const struct mpii_coll_call *c, const void *array, size_t entry)
{
    return array ? (size_t)c->comm->size * entry : 0;
}

static const void *keep(char **room, const void *array, size_t bytes)
{
    char *kept = *room;

    if (!array)
        return NULL;
    memcpy(kept, array, bytes);
    *room += core_round_up(bytes, 16);
    return kept;
}

static bool keep_arrays(struct mpii_coll_later *l)
{
    struct mpii_coll_call *c = &l->call;
    struct coll_side *sides[] = {&c->data.send, &c->data.recv};
    size_t number = c->wide ? sizeof(MPI_Count) : sizeof(int), all = 0;
    char *room;

    l->arrays = NULL;
    if (!c->data.uneven)
        return true;
    for (int i = 0; i < 2; i++)
        all += entries_of(c, sides[i]->counts, number) + entries_of(c, sides[i]->displs, sizeof(MPI_Count)) +
               entries_of(c, sides[i]->types, sizeof(MPI_Datatype)) + 48;
    l->arrays = room = malloc(all);
    if (!room)
        return false;
    for (int i = 0; i < 2; i++) {
        struct coll_side *s = sides[i];
        size_t displ = c->wide || c->wide_displs ? sizeof(MPI_Count) : sizeof(int);

        s->counts = keep(&room, s->counts, entries_of(c, s->counts, number));
        s->displs = keep(&room, s->displs, entries_of(c, s->displs, displ));
        s->types = keep(&room, s->types, entries_of(c, s->types, sizeof(MPI_Datatype)));
    }
    return true;
}

/* Its types and its operation stay until it is done, whatever the user does. */
static void refer(const struct coll_side *s, int n, void (*what)(struct mpii_type *))
{
    struct mpii_type *t = mpii_side_type(s);
    const MPI_Datatype *types = s->types;

    if (t && !t->basic)
        what(t);
    for (int i = 0; types && i < n; i++)
        if (!mpii_type_of(types[i])->basic)
            what(mpii_type_of(types[i]));
}

static bool is_basic(const struct coll_side *s)
{
    const struct mpii_type *t = mpii_side_type(s);

    return !s->types && (!t || t->basic);
}

static void hold(struct mpii_coll_later *l)
{
    const struct mpii_coll_call *c = &l->call;

    l->holds = !is_basic(&c->data.send) || !is_basic(&c->data.recv) || (c->op && c->op->function);
    if (MPT_LIKELY(!l->holds))
        return;
    refer(&c->data.send, c->comm->size, mpii_type_hold);
    refer(&c->data.recv, c->comm->size, mpii_type_hold);
    if (c->op && c->op->function)
        c->op->object.refs++;
}

static void release(const struct mpii_coll_later *l)
{
    const struct mpii_coll_call *c = &l->call;

    if (MPT_LIKELY(!l->holds))
        return;
    refer(&c->data.send, c->comm->size, mpii_type_release);
    refer(&c->data.recv, c->comm->size, mpii_type_release);
    if (c->op && c->op->function)
        mpii_op_release(c->op);
}

/* ---- its life ---- */

static void run(void *arg)
{
    struct mpii_coll_later *l = arg;

    l->error = mpii_coll_body(&l->call);
}

static struct mpii_coll_later *new_one(void)
{
    struct mpii_coll_later *l = spares;

    if (MPT_UNLIKELY(!l))
        return calloc(1, sizeof *l);
    spares = l->next;
    nspares--;
    return l;
}

static void make_spare(struct mpii_coll_later *l)
{
    if (MPT_UNLIKELY(nspares == SPARES)) {
        core_fiber_free(l->fiber);
        free(l);
        return;
    }
    l->next = spares;
    spares = l;
    nspares++;
}

static void free_one(struct mpii_coll_later *l)
{
    release(l);
    if (l->arrays)
        free(l->arrays);
    make_spare(l);
}

static void report(struct mpii_coll_later *l)
{
    struct coll_unlike *u = l->error == MPI_SUCCESS ? NULL : mpii_node_unlike(&l->call);

    if (l->request)
        l->done(l->request, l->error, u && u->found ? u : NULL);
    if (u)
        u->found = false;
}

/* The first of its communicator has ended. */
static void end(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    comm->later = l->next;
    report(l);
    free_one(l);
    if (MPT_LIKELY(comm->anchor.object.refs > 1))
        comm->anchor.object.refs--;
    else
        mpii_comm_release(comm);
}

/* A call that began by a shorter way has none yet. */
static void set_fiber(struct mpii_coll_later *l)
{
    if (!l->fiber && !(l->fiber = core_fiber_new()))
        core_fatal("%s: out of memory", l->call.data.where); /* the other ranks would wait for ever */
    core_fiber_set(l->fiber, run, l);
}

/* Its first half is done, and the second one can come: `looks` times it is looked whether the others have posted. */
static bool end_half(struct mpii_coll_later *l, int looks)
{
    struct mpii_comm *comm = l->call.comm;
    struct coll_block *n = comm->coll;
    int err = 0;

    if (!coll_block_half_ready(n, &l->call.data, &l->half, looks)) {
        if (MPT_LIKELY(comm->trouble == 0))
            return false;
        coll_block_break(n);
    } else if (MPT_UNLIKELY(!coll_block_half_end(n, &l->call.data, &l->half, &err))) {
        l->halved = false;
        set_fiber(l);
        return core_fiber_resume(l->fiber);
    }
    l->error = MPT_UNLIKELY(n->broken) ? mpii_node_trouble(comm) : mpii_node_class(err);
    return true;
}

static void begin_on_block(struct mpii_coll_later *l)
{
    struct coll_block *n = mpii_node_made(&l->call);

    l->halved = !l->call.block && n && n->shared && l->call.comm->trouble == 0;
    if (l->halved) {
        mpii_node_enter(n, &l->call, mpii_coll_what(&l->call));
        l->halved = coll_block_half_begin(n, &l->call.data, &l->half);
    }
    if (!l->halved)
        set_fiber(l);
}

/* True: the call is over. If the meeting was no use, the block serves. */
static bool met(struct mpii_coll_later *l)
{
    enum coll_met how = mpii_coll_meet_end(&l->call, l->meeting);

    if (how == COLL_MET_LATER)
        return false;
    l->meets = false;
    l->error = how == COLL_MET_IN_VAIN ? mpii_ft_error(l->call.comm) : MPI_SUCCESS;
    if (how != COLL_MET_ELSEWHERE)
        return true;
    begin_on_block(l);
    return false;
}

static bool go_on(struct mpii_coll_later *l, int looks)
{
    if (l->meets && met(l))
        return true;
    if (l->meets)
        return false;
    return l->halved ? end_half(l, looks) : core_fiber_resume(l->fiber);
}

/* It has come to its turn. */
static void begin(struct mpii_coll_later *l)
{
    l->meets = mpii_coll_meets(&l->call);
    if (l->meets)
        l->meeting = mpii_coll_meet_begin(&l->call);
    else
        begin_on_block(l);
}

/* As far as it goes, and those that come behind it. */
static void go_on_all(struct mpii_coll_later *l, int looks)
{
    while (go_on(l, looks)) {
        struct mpii_coll_later *next = l->next;

        mpii_hook_remove(&l->hook);
        end(l);
        if (!next)
            return;
        l = next;
        mpii_hook_add(&l->hook);
        begin(l);
    }
}

static void step(struct mpii_hook *hook)
{
    go_on_all((struct mpii_coll_later *)(void *)hook, 1);
}

/* It waits as a blocking one does: its hook, which would ask for progress, is not needed meanwhile. */
static void await_meeting(struct mpii_coll_later *l)
{
    mpii_hook_remove(&l->hook);
    mpii_coll_meet_await(&l->call, l->meeting);
    mpii_hook_add(&l->hook);
    go_on_all(l, 1);
}

void mpii_coll_later_look(struct mpii_coll_later *l)
{
    const struct coll_block *n = l->call.comm->coll;

    if (l->call.comm->later != l)
        return;
    if (MPT_UNLIKELY(l->meets))
        await_meeting(l);
    else if (l->halved)
        go_on_all(l, n->oversubscribed ? 1 : LOOKS);
}

static void step_persistent(struct mpii_hook *hook)
{
    struct mpii_coll_later *l = (struct mpii_coll_later *)(void *)hook;

    if (!core_fiber_resume(l->fiber))
        return;
    mpii_hook_remove(&l->hook);
    report(l);
}

struct mpii_coll_later *mpii_coll_later_new(const struct mpii_coll_call *c, struct mpii_request *r, bool persistent,
                                            mpii_coll_done *done)
{
    struct mpii_coll_later *l = new_one();

    if (!l)
        return NULL;
    if (!l->fiber && !(l->fiber = core_fiber_new())) {
        free(l);
        return NULL;
    }
    l->halved = l->meets = false;
    l->call = *c;
    l->call.tags = &l->tags;
    l->call.block = persistent ? &l->block : NULL;
    l->block = NULL;
    l->request = r;
    l->done = done;
    l->next = NULL;
    if (!keep_arrays(l)) {
        core_fiber_free(l->fiber);
        free(l);
        return NULL;
    }
    hold(l);
    mpii_comm_hold(c->comm);
    if (persistent)
        l->tags = (uint32_t)mpii_coll_tag(c->comm, true);
    l->hook = (struct mpii_hook){.step = persistent ? step_persistent : step};
    return l;
}

static void queue(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    l->tags = comm->coll_count;
    comm->coll_count += TAGS;
    comm->coll_calls++;
    if (comm->later)
        comm->latest->next = l;
    else
        comm->later = l;
    comm->latest = l;
}

void mpii_coll_later_start(struct mpii_coll_later *l)
{
    if (!l->call.block)
        queue(l);
    if (!l->call.block && l->call.comm->later != l)
        return;
    begin(l);
    mpii_hook_add(&l->hook);
    l->hook.step(&l->hook);
}

static struct mpii_coll_later *meet_short(const struct mpii_coll_call *c)
{
    struct mpii_coll_later *l = new_one();

    if (!l)
        return NULL;
    l->meets = true;
    l->meeting = mpii_coll_meet_begin(c);
    c->comm->coll_count += TAGS;
    c->comm->coll_calls++;
    return l;
}

struct mpii_coll_later *mpii_coll_later_short(const struct mpii_coll_call *c)
{
    struct mpii_comm *comm = c->comm;
    struct coll_block *n = comm->coll;
    struct mpii_coll_later *l;

    if (comm->later || comm->trouble != 0)
        return NULL;
    if (MPT_UNLIKELY(comm->meets) && mpii_coll_meets(c))
        return meet_short(c);
    if (!n || !n->shared || !(l = new_one()))
        return NULL;
    mpii_node_enter(n, c, mpii_coll_what(c) + MPII_WHAT_NONBLOCKING);
    if (MPT_LIKELY(coll_block_half_begin(n, &c->data, &l->half))) {
        l->meets = false;
        comm->coll_count += TAGS;
        comm->coll_calls++;
        return l;
    }
    make_spare(l);
    return NULL;
}

/* The others have posted before: the second half is done at once. (It cannot go wrong, or it has its turn later.) */
static bool half_is_last(const struct mpii_coll_call *c, const struct coll_block_half *h, int *err)
{
    struct coll_block *n = c->comm->coll;

    if (c->data.kind == COLL_BROADCAST && h->from == COLL_BLOCK_NONE) { /* this rank's data is on its way */
        *err = MPI_SUCCESS;
        return true;
    }
    if (!coll_block_half_ready(n, &c->data, h, 1) || !coll_block_half_alike(n, &c->data, h))
        return false;
    coll_block_half_end(n, &c->data, h, err);
    *err = mpii_node_class(*err);
    return true;
}

static bool meeting_is_last(const struct mpii_coll_call *c, uint64_t meeting, int *err)
{
    *err = MPI_SUCCESS;
    return mpii_coll_meet_end(c, meeting) == COLL_MET;
}

bool mpii_coll_later_short_ended(struct mpii_coll_later *l, const struct mpii_coll_call *c, int *err)
{
    if (!(l->meets ? meeting_is_last(c, l->meeting, err) : half_is_last(c, &l->half, err)))
        return false;
    make_spare(l);
    return true;
}

bool mpii_coll_later_short_on(struct mpii_coll_later *l, const struct mpii_coll_call *c, struct mpii_request *r,
                              mpii_coll_done *done, int *err)
{
    struct mpii_comm *comm = c->comm;

    if (mpii_coll_later_short_ended(l, c, err))
        return false;
    l->halved = !l->meets;
    l->call = *c;
    l->call.tags = &l->tags;
    l->tags = comm->coll_count - TAGS;
    l->arrays = NULL;
    l->request = r;
    l->done = done;
    l->next = NULL;
    l->hook = (struct mpii_hook){.step = step};
    hold(l);
    mpii_comm_hold(comm);
    if (comm->coll)
        ((struct coll_block *)comm->coll)->call = &l->call.data;
    comm->later = comm->latest = l;
    mpii_hook_add(&l->hook);
    return true;
}

/* A nonblocking one ends later. So a persistent one would, that is under way; its request cannot be freed. */
void mpii_coll_later_free(struct mpii_coll_later *l)
{
    struct mpii_comm *comm = l->call.comm;

    l->request = NULL;
    if (!l->call.block || l->hook.at)
        return;
    mpii_node_forget(l->block);
    free_one(l);
    mpii_comm_release(comm);
}

void mpii_coll_later_drain(struct mpii_comm *c, const char *where)
{
    struct core_waiter w;

    mpii_wait_begin(&w, where);
    while (c->later)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
}
