/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The simulation: PEs carry out their steps, each at its own clock; whatever happens is taken in the order of time, and
 * of PE numbers where times are equal, so that a program has one answer.
 *
 * A message of n bytes costs its sender send(n), then it is under way: latency, distance, n bytes at the rate that the
 * path and other messages leave it; then it costs its receiver receive(n). Up to `eager` bytes it leaves at once, a
 * longer one when its receiver asks for it, and its sender goes on when it has arrived.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "predict/queue.h"
#include "predict/request.h"
#include "predict/sim.h"
#include "predict/turn.h"

enum state { READY, WAITS_MESSAGE, WAITS_SENT, WAITS_ALL, WAITS_ONE, WAITS_QUIET, WAITS_BARRIER, DONE };

struct pe {
    const struct sim_step *step, *end; /* of its program */
    struct sim_step *inner;            /* of a collective that it is in */
    int inner_n, inner_at, inner_room;
    double clock;
    int sequence;         /* collectives so far */
    struct sim_requests requests, one_sided;
    int awaited; /* the tag that WAITS_ONE waits for */
    enum state state;
    bool queued; /* an event is to let it go on */
    int first_message, first_receive; /* what has come, or is offered; what is asked for; -1: nothing */
    int last_message, last_receive;
};

/* What a message is to do when it is there. */
enum meets {
    A_RECEIVE,  /* look for one */
    ITS_CALL,   /* which has asked for it before it left */
    ITS_REQUEST,
    NOBODY      /* one-sided */
};

struct message {
    int from, to, tag, next;
    double bytes, at; /* when it is there, or when it could leave */
    enum meets meets;
    bool waits;       /* for its receiver */
    bool request;      /* the sender's, completed by WAIT */
    struct sim_path path;
};

struct receive {
    int from, tag, next;
    double at;
    bool request;
};

struct engine {
    const struct sim_machine *m;
    struct pe *pe;
    struct message *message;
    struct receive *receive;
    int messages, receives, message_room, receive_room, *spare_message, *spare_receive, message_spares, receive_spares;
    struct sim_queue queue;
    struct sim_share *share;
    struct sim_turns turns;
    int *of_flow, flow_room; /* the message of a flow */
    int at_barrier;
    double barrier_clock;
    sim_mark *mark;
    uint64_t count;
    int emit_for;
};

static void push(struct engine *e, double when, enum sim_event_kind kind, int number)
{
    sim_queue_push(&e->queue, (struct sim_event){.when = when, .kind = kind, .number = number});
}

static void queue(struct engine *e, int pe)
{
    if (!e->pe[pe].queued)
        push(e, e->pe[pe].clock, SIM_PE_GOES_ON, pe);
    e->pe[pe].queued = true;
}

static void go_on(struct engine *e, int pe, double when)
{
    struct pe *p = &e->pe[pe];

    p->state = READY;
    p->clock = fmax(p->clock, when);
    queue(e, pe);
}

/* A request of pe's is complete at `when`. */
static void complete(struct engine *e, int pe, int tag, double when)
{
    struct pe *p = &e->pe[pe];

    sim_request_end(&p->requests, tag, when);
    if (p->state == WAITS_ONE && p->awaited == tag && sim_request_take(&p->requests, tag, &when)) {
        go_on(e, pe, when);
    } else if (p->state == WAITS_ALL && p->requests.open == 0) {
        sim_request_clear(&p->requests);
        go_on(e, pe, p->requests.latest);
    }
}

/* A put or get of pe's that nobody waits for singly. */
static void complete_one_sided(struct engine *e, int pe, double when)
{
    struct pe *p = &e->pe[pe];

    sim_request_end(&p->one_sided, 0, when);
    if (p->state == WAITS_QUIET && p->one_sided.open == 0)
        go_on(e, pe, p->one_sided.latest);
}

static void wait_one(struct pe *p, int tag)
{
    double when;

    if (sim_request_take(&p->requests, tag, &when)) {
        p->clock = fmax(p->clock, when);
    } else if (sim_request_is_open(&p->requests, tag)) {
        p->awaited = tag;
        p->state = WAITS_ONE;
    }
}

static void wait_all(struct pe *p)
{
    if (p->requests.open > 0) {
        p->state = WAITS_ALL;
        return;
    }
    sim_request_clear(&p->requests);
    p->clock = fmax(p->clock, p->requests.latest);
}

/* ------------------------------------------------------------------ messages -- */

static int new_message(struct engine *e, struct message m)
{
    int i;

    if (e->message_spares > 0) {
        i = e->spare_message[--e->message_spares];
    } else {
        if (e->messages == e->message_room) {
            e->message_room = 2 * e->message_room + 64;
            e->message = sim_grow(e->message, e->message_room, sizeof *e->message);
            e->spare_message = sim_grow(e->spare_message, e->message_room, sizeof *e->spare_message);
        }
        i = e->messages++;
    }
    e->message[i] = m;
    return i;
}

static int new_receive(struct engine *e, struct receive r)
{
    int i;

    if (e->receive_spares > 0) {
        i = e->spare_receive[--e->receive_spares];
    } else {
        if (e->receives == e->receive_room) {
            e->receive_room = 2 * e->receive_room + 64;
            e->receive = sim_grow(e->receive, e->receive_room, sizeof *e->receive);
            e->spare_receive = sim_grow(e->spare_receive, e->receive_room, sizeof *e->spare_receive);
        }
        i = e->receives++;
    }
    e->receive[i] = r;
    return i;
}

/* It is under way from `when` on. */
static void leave(struct engine *e, int number, double when)
{
    struct message *x = &e->message[number];
    double most = sim_rate(e->m, x->bytes), start = when + e->m->latency + sim_distance(e->m, &x->path);

    if (x->bytes < e->m->share_from || (x->path.n == 0 && (x->meets != NOBODY || !x->request)))
        push(e, start + (x->bytes > 0 ? x->bytes / most : 0), SIM_MESSAGE_IS_THERE, number);
    else
        push(e, start, SIM_MESSAGE_BEGINS, number);
}

static void begin_flow(struct engine *e, int number, double now)
{
    struct message *x = &e->message[number];
    int flow = sim_share_begin(e->share, now, &x->path, x->bytes, sim_rate(e->m, x->bytes));

    if (flow >= e->flow_room)
        e->of_flow = sim_grow(e->of_flow, e->flow_room = 2 * flow + 64, sizeof *e->of_flow);
    e->of_flow[flow] = number;
}

static void received(struct engine *e, const struct message *x, bool request, double when)
{
    double end = when + sim_cost(e->m->receive, x->bytes);

    if (request)
        complete(e, x->to, x->tag, end);
    else
        go_on(e, x->to, end);
}

/* The message is there and asked for. */
static void deliver(struct engine *e, int number, bool request, double asked)
{
    struct message *x = &e->message[number];

    received(e, x, request, fmax(x->at, asked));
    e->spare_message[e->message_spares++] = number;
}

static void unlink_message(struct engine *e, int pe, int before_it, int number)
{
    struct pe *p = &e->pe[pe];

    *(before_it < 0 ? &p->first_message : &e->message[before_it].next) = e->message[number].next;
    if (p->last_message == number)
        p->last_message = before_it;
}

static int take_receive(struct engine *e, int pe, int from, int tag)
{
    struct pe *p = &e->pe[pe];

    for (int i = p->first_receive, last = -1; i >= 0; last = i, i = e->receive[i].next) {
        if (e->receive[i].from != from || e->receive[i].tag != tag)
            continue;
        *(last < 0 ? &p->first_receive : &e->receive[last].next) = e->receive[i].next;
        if (p->last_receive == i)
            p->last_receive = last;
        e->spare_receive[e->receive_spares++] = i;
        return i;
    }
    return -1;
}

static void append_message(struct engine *e, int pe, int number)
{
    struct pe *p = &e->pe[pe];

    e->message[number].next = -1;
    *(p->last_message < 0 ? &p->first_message : &e->message[p->last_message].next) = number;
    p->last_message = number;
}

static void append_receive(struct engine *e, int pe, int number)
{
    struct pe *p = &e->pe[pe];

    *(p->last_receive < 0 ? &p->first_receive : &e->receive[p->last_receive].next) = number;
    p->last_receive = number;
}

/* x, which waits for its receiver, is asked for at `when`; its end completes both. */
static void answer(struct engine *e, int number, bool request, double when)
{
    struct message *x = &e->message[number];

    x->waits = false;
    x->meets = request ? ITS_REQUEST : ITS_CALL;
    leave(e, number, fmax(x->at, when));
}

static void arrive(struct engine *e, int number, double now)
{
    struct message *x = &e->message[number];
    int r;

    x->at = now;
    if (x->meets != A_RECEIVE) {
        if (x->request)
            complete(e, x->from, x->tag, now);
        else
            go_on(e, x->from, now);
        deliver(e, number, x->meets == ITS_REQUEST, now);
        return;
    }
    r = take_receive(e, x->to, x->from, x->tag);
    if (r >= 0)
        deliver(e, number, e->receive[r].request, e->receive[r].at);
    else
        append_message(e, x->to, number);
}

/* A send whose buffer is free again: there is nothing to wait for. */
static void finish_at_once(struct pe *p, int tag)
{
    double when;

    sim_request_end(&p->requests, tag, p->clock);
    sim_request_take(&p->requests, tag, &when);
}

/* True: the sender waits. */
static bool post(struct engine *e, int pe, const struct sim_step *s, bool request)
{
    struct pe *p = &e->pe[pe];
    int number =
        new_message(e, (struct message){.from = pe, .to = s->peer, .tag = s->tag, .next = -1, .request = request});
    struct message *x = &e->message[number];
    int r;

    sim_route(e->m, pe, s->peer, &x->path);
    x->bytes = (double)s->bytes;
    p->clock += sim_cost(e->m->send, x->bytes);
    x->at = p->clock;
    if (x->bytes <= e->m->eager) {
        leave(e, number, p->clock);
        if (request)
            finish_at_once(p, s->tag);
        return false;
    }
    x->waits = true;
    r = take_receive(e, s->peer, pe, s->tag);
    if (r >= 0)
        answer(e, number, e->receive[r].request, e->receive[r].at);
    else
        append_message(e, s->peer, number);
    return !request;
}

/* True: the receiver waits. */
static bool ask(struct engine *e, int pe, const struct sim_step *s, bool request)
{
    struct pe *p = &e->pe[pe];

    for (int i = p->first_message, last = -1; i >= 0; last = i, i = e->message[i].next) {
        struct message *x = &e->message[i];

        if (x->from != s->peer || x->tag != s->tag)
            continue;
        unlink_message(e, pe, last, i);
        if (x->waits) {
            answer(e, i, request, p->clock);
            return !request;
        }
        deliver(e, i, request, p->clock);
        return !request;
    }
    append_receive(e, pe, new_receive(e, (struct receive){s->peer, s->tag, -1, p->clock, request}));
    return !request;
}

/* ---------------------------------------------------------------- one-sided -- */

/* A put ends at its target; a get comes back. Both leave the other processor alone. */
static void move(struct engine *e, int pe, const struct sim_step *s)
{
    struct pe *p = &e->pe[pe];
    bool get = s->op == SIM_GET || s->op == SIM_IGET;
    int number =
        new_message(e, (struct message){.from = pe, .to = pe, .next = -1, .meets = NOBODY, .bytes = (double)s->bytes});
    struct message *x = &e->message[number];

    x->request = s->op == SIM_IPUT || s->op == SIM_IGET;
    sim_route(e->m, get ? s->peer : pe, get ? pe : s->peer, &x->path);
    if (get && e->m->get.fixed > 0 && s->bytes <= 8) { /* one word, by hardware */
        push(e, p->clock + sim_cost(e->m->get, (double)s->bytes - 8) + sim_distance(e->m, &x->path),
             SIM_MESSAGE_IS_THERE, number);
    } else {
        p->clock += e->m->onesided >= 0 ? e->m->onesided : sim_cost(e->m->send, x->bytes);
        leave(e, number, p->clock + (get ? e->m->latency + sim_distance(e->m, &x->path) : 0));
    }
}

/* ------------------------------------------------------------------- barriers -- */

static void meet(struct engine *e, int pe)
{
    struct pe *p = &e->pe[pe];
    const struct sim_machine *m = e->m;

    e->barrier_clock = fmax(e->barrier_clock, p->clock);
    p->state = WAITS_BARRIER;
    if (++e->at_barrier < m->pes)
        return;
    e->at_barrier = 0;
    double end = e->barrier_clock + m->barrier_fixed + m->barrier_log * log2(m->pes);

    e->barrier_clock = 0;
    for (int i = 0; i < m->pes; i++)
        go_on(e, i, end);
}

/* ---------------------------------------------------------------------- steps -- */

static void add_inner(void *to, struct sim_step step)
{
    struct engine *e = to;
    struct pe *p = &e->pe[e->emit_for];

    if (p->inner_n == p->inner_room)
        p->inner = sim_grow(p->inner, p->inner_room = 2 * p->inner_room + 16, sizeof *p->inner);
    p->inner[p->inner_n++] = step;
}

static void begin_collective(struct engine *e, int pe, const struct sim_step *s)
{
    struct pe *p = &e->pe[pe];

    if (s->op == SIM_BARRIER && e->m->barrier_fixed >= 0) {
        meet(e, pe);
        return;
    }
    p->inner_n = p->inner_at = 0;
    e->emit_for = pe;
    sim_collective(e->m, *s, p->sequence++, add_inner, e);
}

static void carry_out(struct engine *e, int pe, const struct sim_step *s)
{
    struct pe *p = &e->pe[pe];

    switch (s->op) {
    case SIM_COMPUTE:
        p->clock += s->seconds;
        break;
    case SIM_SEND:
        if (post(e, pe, s, false))
            p->state = WAITS_SENT;
        break;
    case SIM_RECEIVE:
        p->state = WAITS_MESSAGE;
        ask(e, pe, s, false);
        break;
    case SIM_ISEND:
        sim_request_begin(&p->requests, s->tag);
        post(e, pe, s, true);
        break;
    case SIM_IRECEIVE:
        sim_request_begin(&p->requests, s->tag);
        ask(e, pe, s, true);
        break;
    case SIM_WAIT:
        if (s->tag > 0)
            wait_one(p, s->tag);
        else
            wait_all(p);
        break;
    case SIM_IPUT:
    case SIM_IGET:
        sim_request_begin(&p->one_sided, 0);
        move(e, pe, s);
        break;
    case SIM_QUIET:
        if (p->one_sided.open > 0)
            p->state = WAITS_QUIET;
        else
            p->clock = fmax(p->clock, p->one_sided.latest);
        break;
    case SIM_PUT:
    case SIM_GET:
        move(e, pe, s);
        p->state = WAITS_SENT;
        break;
    case SIM_MARK:
        e->mark(pe, s->tag, p->clock);
        break;
    default:
        begin_collective(e, pe, s);
    }
}

static const struct sim_step *next_step(struct pe *p)
{
    if (p->inner_at < p->inner_n)
        return &p->inner[p->inner_at++];
    return p->step < p->end ? p->step++ : NULL;
}

/* Until it waits, or something else comes first. */
static void run_pe(struct engine *e, int pe)
{
    struct pe *p = &e->pe[pe];
    const struct sim_step *s;

    while (p->state == READY) {
        if (e->queue.n > 0 && p->clock > e->queue.heap[0].when) {
            queue(e, pe);
            return;
        }
        if (!(s = next_step(p))) {
            p->state = DONE;
            return;
        }
        struct sim_step now = *s; /* inner steps may move */

        e->count++;
        carry_out(e, pe, &now);
    }
}

static void happen(struct engine *e, struct sim_event x)
{
    if (x.kind == SIM_PE_GOES_ON) {
        e->pe[x.number].queued = false;
        run_pe(e, x.number);
    } else if (x.kind == SIM_MESSAGE_BEGINS) {
        const struct message *m = &e->message[x.number];

        if (m->meets != NOBODY || !m->request || sim_turn_take(&e->turns, m->from, x.number))
            begin_flow(e, x.number, x.when);
    } else if (e->message[x.number].meets == NOBODY) {
        int from = e->message[x.number].from, next = sim_turn_pass(&e->turns, from, x.number);

        if (next >= 0)
            begin_flow(e, next, x.when);
        if (e->message[x.number].request)
            complete_one_sided(e, from, x.when);
        else
            go_on(e, from, x.when);
        e->spare_message[e->message_spares++] = x.number;
    } else
        arrive(e, x.number, x.when);
}

static void run_all(struct engine *e)
{
    for (;;) {
        double when = 0;
        int flow = sim_share_next(e->share, e->queue.n > 0 ? e->queue.heap[0].when : HUGE_VAL, &when);

        if (flow >= 0) {
            int number = e->of_flow[flow];

            sim_share_end(e->share, when, flow);
            happen(e, (struct sim_event){.when = when, .kind = SIM_MESSAGE_IS_THERE, .number = number});
        } else if (e->queue.n > 0) {
            happen(e, sim_queue_pop(&e->queue));
        } else {
            return;
        }
        e->count++;
    }
}

/* -------------------------------------------------------------------- program -- */

static void hand_out(struct engine *e, const struct sim_step *steps, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct pe *p = &e->pe[steps[i].pe];

        if (!p->step)
            p->step = &steps[i];
        p->end = &steps[i + 1];
    }
}

static void finish(struct engine *e, struct sim_result *result)
{
    result->events = e->count;
    result->stuck = false;
    for (int i = 0; i < e->m->pes; i++) {
        result->clock[i] = e->pe[i].clock;
        result->stuck = result->stuck || e->pe[i].state != DONE;
        free(e->pe[i].inner);
        sim_request_free(&e->pe[i].requests);
    }
    sim_share_free(e->share);
    sim_turns_free(&e->turns);
    free(e->pe);
    free(e->message);
    free(e->receive);
    free(e->spare_message);
    free(e->spare_receive);
    free(e->queue.heap);
    free(e->of_flow);
}

bool sim_run(const struct sim_machine *m, const struct sim_step *steps, size_t n, sim_mark *mark,
             struct sim_result *result)
{
    struct engine e = {.m = m, .mark = mark};

    result->clock = sim_make((size_t)m->pes, sizeof *result->clock);
    if (!sim_steps_are_sound(m, steps, n))
        return false;
    e.pe = sim_make((size_t)m->pes, sizeof *e.pe);
    e.share = sim_share_new(m);
    sim_turns_make(&e.turns, m->pes);
    for (int i = 0; i < m->pes; i++)
        e.pe[i].first_message = e.pe[i].last_message = e.pe[i].first_receive = e.pe[i].last_receive = -1;
    hand_out(&e, steps, n);
    for (int i = 0; i < m->pes; i++)
        queue(&e, i);
    run_all(&e);
    finish(&e, result);
    return true;
}
