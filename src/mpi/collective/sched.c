/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The engine of schedules (sched.h): a growing array of steps and a cursor.
 * Sends and receives before `open` are complete; those between `open` and `at`
 * may be under way.
 */
#include <stdlib.h>

#include "mpi/collective/coll.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/watched.h"

enum what { SEND, RECV, COPY, REDUCE, WAIT, CALL };

enum form { ONLY_FORM, WHOLE, PARTS }; /* mpii_sched_in_parts */

struct step {
    enum what what;
    int peer; /* WAIT: the mark */
    struct mpii_part a, b;
    union {
        struct mpii_comm *comm;
        struct mpii_op *op;
        int (*function)(void *arg);
    } by;
    struct mpii_request *request; /* under way */
    enum form form;
};

/* Scratch memory, linked for freeing. */
struct scratch {
    _Alignas(16) struct scratch *next;
};

struct mpii_sched {
    struct mpii_comm *comm, *home; /* home: whose collective it is */
    int tag;
    bool spoiled, holds;
    enum form form; /* of the steps to come */
    int error;
    const char *where; /* of two forms: the call */
    const void *watched; /* NULL: nobody watches */
    uint64_t look_at;
    int n, room, at, open;
    struct step *steps;
    struct scratch *scratch;
    struct mpii_sched *next; /* spare */
};

enum { FIRST_STEPS = 32, SPARES = 8, SPARE_STEPS = 512 };

/* Schedules of short lives come from here, so that a call of few steps needs no allocation. */
static struct mpii_sched *spares;
static int nspares;

struct mpii_sched *mpii_sched_new(struct mpii_comm *comm, int tag)
{
    struct mpii_sched *s = spares;

    if (s) {
        spares = s->next;
        nspares--;
    } else {
        s = calloc(1, sizeof *s);
        if (!s)
            return NULL;
        s->steps = malloc(FIRST_STEPS * sizeof *s->steps);
        s->room = s->steps ? FIRST_STEPS : 0;
    }
    s->comm = s->home = comm;
    s->tag = tag;
    s->spoiled = false;
    s->watched = NULL;
    s->form = ONLY_FORM;
    s->n = s->at = s->open = 0;
    return s;
}

/* What a step refers to: its reference is taken or given back. */
static void refer(const struct step *step, bool hold)
{
    const bool typed[] = {step->what != WAIT && step->what != CALL, step->what == COPY};
    struct mpii_type *types[] = {step->a.type, step->b.type};

    for (int i = 0; i < 2; i++) {
        if (!typed[i] || types[i]->basic)
            continue;
        if (hold)
            mpii_type_hold(types[i]);
        else
            mpii_type_release(types[i]);
    }
    if (step->what != REDUCE || !step->by.op->function)
        return;
    if (hold)
        step->by.op->object.refs++;
    else
        mpii_op_release(step->by.op);
}

void mpii_sched_hold(struct mpii_sched *s)
{
    s->holds = true;
    for (int i = 0; i < s->n; i++)
        refer(&s->steps[i], true);
}

void mpii_sched_free(struct mpii_sched *s)
{
    if (!s)
        return;
    for (int i = 0; s->holds && i < s->n; i++)
        refer(&s->steps[i], false);
    s->holds = false;
    while (s->scratch) {
        struct scratch *next = s->scratch->next;

        free(s->scratch);
        s->scratch = next;
    }
    if (nspares < SPARES && s->room > 0 && s->room <= SPARE_STEPS) {
        s->next = spares;
        spares = s;
        nspares++;
        return;
    }
    free(s->steps);
    free(s);
}

void mpii_sched_over(struct mpii_sched *s, struct mpii_comm *comm)
{
    s->comm = comm;
}

void mpii_sched_watch(struct mpii_sched *s, const void *owner)
{
    s->watched = owner;
}

const void *mpii_sched_watched(const struct mpii_sched *s)
{
    return s->watched;
}

void mpii_sched_in_parts(struct mpii_sched *s, bool parts, const char *where)
{
    s->form = parts ? PARTS : WHOLE;
    s->where = where;
}

/* Of tags of persistent calls all bits count. */
static int tag_of(const struct mpii_sched *s, enum form form)
{
    return form == PARTS && !(s->tag & MPII_TAG_PERSISTENT) ? s->tag | MPII_TAG_PARTS : s->tag;
}

bool mpii_sched_spoiled(const struct mpii_sched *s)
{
    return s->spoiled;
}

/* ---- building ---- */

static bool grow(struct mpii_sched *s)
{
    int room = s->room ? 2 * s->room : FIRST_STEPS;
    struct step *steps = realloc(s->steps, (size_t)room * sizeof *steps);

    if (!steps) {
        s->spoiled = true;
        return false;
    }
    s->steps = steps;
    s->room = room;
    return true;
}

static struct step *add(struct mpii_sched *s, enum what what)
{
    struct step *step;

    if (s->n == s->room && !grow(s))
        return NULL;
    step = &s->steps[s->n++];
    step->what = what;
    step->request = NULL;
    step->form = ONLY_FORM;
    return step;
}

static void add_message(struct mpii_sched *s, enum what what, struct mpii_part p, int peer)
{
    struct step *step = add(s, what);

    if (!step)
        return;
    step->peer = peer;
    step->a = p;
    step->by.comm = s->comm;
    step->form = s->form;
}

void mpii_sched_send(struct mpii_sched *s, struct mpii_part p, int to)
{
    add_message(s, SEND, p, to);
}

void mpii_sched_recv(struct mpii_sched *s, struct mpii_part p, int from)
{
    add_message(s, RECV, p, from);
}

void mpii_sched_copy(struct mpii_sched *s, struct mpii_part to, struct mpii_part from)
{
    struct step *step;

    if (to.at == from.at && to.type == from.type)
        return;
    step = add(s, COPY);
    if (!step)
        return;
    step->a = to;
    step->b = from;
}

void mpii_sched_reduce(struct mpii_sched *s, struct mpii_op *op, const void *in, struct mpii_part inout)
{
    struct step *step = add(s, REDUCE);

    if (!step)
        return;
    step->a = inout;
    step->b.at = (void *)(uintptr_t)in;
    step->by.op = op;
}

int mpii_sched_mark(const struct mpii_sched *s)
{
    return s->n;
}

void mpii_sched_wait(struct mpii_sched *s, int mark)
{
    struct step *step = add(s, WAIT);

    if (step)
        step->peer = mark;
}

void mpii_sched_wait_all(struct mpii_sched *s)
{
    mpii_sched_wait(s, s->n);
}

void mpii_sched_call(struct mpii_sched *s, int (*function)(void *arg), void *arg)
{
    struct step *step = add(s, CALL);

    if (!step)
        return;
    step->a.at = arg;
    step->by.function = function;
}

void *mpii_sched_bytes(struct mpii_sched *s, MPI_Count n)
{
    struct scratch *m = malloc(sizeof *m + (size_t)n);

    if (!m) {
        s->spoiled = true;
        return NULL;
    }
    m->next = s->scratch;
    s->scratch = m;
    return m + 1;
}

struct mpii_part mpii_sched_room(struct mpii_sched *s, MPI_Count count, struct mpii_type *type)
{
    MPI_Count last = count > 0 ? (count - 1) * type->extent : 0, low = last < 0 ? last : 0, high = last > 0 ? last : 0;
    char *p = mpii_sched_bytes(s, high - low + type->true_extent);

    return (struct mpii_part){p ? p - low - type->true_lb : NULL, count, type};
}

/* ---- running ---- */

void mpii_sched_rewind(struct mpii_sched *s)
{
    s->at = s->open = 0;
    s->error = s->spoiled ? MPI_ERR_NO_MEM : MPI_SUCCESS;
}

int mpii_sched_error(const struct mpii_sched *s)
{
    return s->error;
}

static void note(struct mpii_sched *s, int error)
{
    if (MPT_UNLIKELY(error != MPI_SUCCESS) && s->error == MPI_SUCCESS)
        s->error = error;
}

static void check_amount(const struct mpii_sched *s, const struct step *step)
{
    const struct mpii_request *r = step->request;
    MPI_Count room = mpii_part_size(step->a);

    if (r->error == MPI_ERR_TRUNCATE || (r->error == MPI_SUCCESS && r->bytes != room))
        mpii_coll_other_amount(step->peer, s->where);
}

/* Has a member that this one waits for sent its data in the other form? */
static void look_for_other_form(struct mpii_sched *s)
{
    if (mpii_state.ft.on || s->tag & MPII_TAG_PERSISTENT || !mpii_coll_look_due(&s->look_at))
        return;
    for (int i = s->open; i < s->at; i++) {
        const struct step *step = &s->steps[i];

        if (step->what == RECV && step->form != ONLY_FORM && step->request && !step->request->done &&
            mpii_p2p_has_arrived(step->by.comm, MPII_LANE_COLL, step->peer,
                                 tag_of(s, step->form == PARTS ? WHOLE : PARTS)))
            mpii_coll_other_amount(step->peer, s->where);
    }
}

/* Are the messages before step `mark` done? */
static bool settled(struct mpii_sched *s, int mark)
{
    for (; s->open < mark; s->open++) {
        struct step *step = &s->steps[s->open];

        if (!step->request)
            continue;
        if (!step->request->done) {
            if (MPT_UNLIKELY(s->form != ONLY_FORM))
                look_for_other_form(s);
            return false;
        }
        if (MPT_UNLIKELY(step->form == PARTS) && step->what == RECV && !mpii_state.ft.on)
            check_amount(s, step);
        note(s, mpii_request_end(step->request));
        step->request = NULL;
    }
    return true;
}

static int start_watched(const struct mpii_sched *s, struct step *step, int tag)
{
    const struct mpii_part *p = &step->a;

    step->request = mpii_p2p_recv_new(p->at, p->count, p->type, step->peer, tag, step->by.comm);
    if (!step->request)
        return MPI_ERR_NO_MEM;
    step->request->internal = true;
    mpii_p2p_watch_part(step->request, s->watched);
    mpii_p2p_recv_start(step->request, MPII_LANE_COLL);
    return MPI_SUCCESS;
}

static int start_message(const struct mpii_sched *s, struct step *step)
{
    const struct mpii_part *p = &step->a;
    int tag = tag_of(s, step->form);

    if (step->what == SEND)
        return mpii_isend(p->at, p->count, p->type, step->peer, tag, step->by.comm, MPII_LANE_COLL, MPII_STANDARD,
                          &step->request);
    if (MPT_UNLIKELY(s->watched != NULL))
        return start_watched(s, step, tag);
    return mpii_irecv(p->at, p->count, p->type, step->peer, tag, step->by.comm, MPII_LANE_COLL, &step->request);
}

static int run_local(const struct step *step)
{
    const struct mpii_part *a = &step->a, *b = &step->b;

    if (step->what == COPY) {
        mpii_copy(a->at, a->count, a->type, b->at, b->count, b->type);
        if (MPT_UNLIKELY(mpii_part_size(*b) > mpii_part_size(*a))) /* what a rank sends itself, and others */
            return MPI_ERR_TRUNCATE;
    } else if (step->what == REDUCE)
        mpii_op_apply(step->by.op, b->at, a->at, a->count, a->type);
    else
        return step->by.function(a->at);
    return MPI_SUCCESS;
}

static int run_watched(const struct mpii_sched *s, const struct step *step)
{
    int error;

    mpii_watch_opens(s->watched);
    error = run_local(step);
    mpii_watch_closes(s->watched);
    return error;
}

/* A member is dead, or the communicator revoked: what is under way ends, and nothing more begins. (Nobody gets data
 * of a step that was left out: it is not sent. Who waits for it learns of the trouble, too.) */
static bool give_up(struct mpii_sched *s)
{
    note(s, mpii_ft_error(s->home));
    for (int i = s->open; i < s->at; i++) {
        struct mpii_request *r = s->steps[i].request;

        if (r && !r->done && s->steps[i].what == SEND)
            mpii_p2p_send_fail(r, s->error);
        else if (r && !r->done)
            mpii_p2p_recv_fail(r, s->error);
    }
    if (!settled(s, s->at))
        return false;
    s->at = s->open = s->n;
    return true;
}

/* Messages are still ended when something has failed, so that no peer is left waiting. */
bool mpii_sched_step(struct mpii_sched *s)
{
    if (s->spoiled)
        return true;
    for (; s->at < s->n; s->at++) {
        struct step *step = &s->steps[s->at];

        /* Also when a step before has learned of it: what it did not get must not be sent on. */
        if (MPT_UNLIKELY(s->home->trouble != 0))
            return give_up(s);

        if (step->what == WAIT) {
            if (!settled(s, step->peer))
                return false;
        } else if (step->what == SEND || step->what == RECV) {
            note(s, start_message(s, step));
        } else if (s->error == MPI_SUCCESS) {
            note(s, MPT_LIKELY(!s->watched) ? run_local(step) : run_watched(s, step));
        }
    }
    return settled(s, s->n) || (MPT_UNLIKELY(s->home->trouble != 0) && give_up(s));
}

/* With MPT_CHECK: some process of the communicator can end it. */
static void any_member(const void *comm, struct core_wire_blocked_thread *b)
{
    const struct mpii_comm *c = comm;

    core_blocked_any(b);
    for (int i = 0; i < c->size; i++)
        core_blocked_pe(b, c->group->procs[i]);
    for (int i = 0; i < c->nprocs; i++)
        core_blocked_pe(b, c->procs[i]);
}

int mpii_sched_run(struct mpii_sched *s, const char *where)
{
    const struct core_blocked_by by = {any_member, NULL, s->home};
    struct core_waiter w;

    mpii_sched_rewind(s);
    if (mpii_sched_step(s))
        return s->error;
    mpii_wait_begin(&w, where);
    core_wait_by(&w, &by);
    do
        mpii_wait_pause(&w);
    while (!mpii_sched_step(s));
    mpii_wait_end(&w);
    return s->error;
}
