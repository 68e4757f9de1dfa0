/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies of a middle size that set out for another node before anybody asked: a
 * remote read would cost a round trip more than the message. They stay where the
 * transport has received them until they are fetched and ended like any rendezvous body.
 * A transport that hands on the head while the body is still on its way asks where
 * the body is to go: straight to where it is fetched to, when somebody has asked for
 * all of it by then, else to memory that is taken for it.
 * What a sender may have at a receiver is limited; beyond that its bodies wait at
 * home (rndv.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/channel/internal.h"
#include "core/internal.h"
#include "core/rma/transport.h"

enum {
    LEAST = 16 << 10,     /* what a body counts at least: it keeps a buffer of the transport */
    BUDGET = 2 << 20,     /* bytes that one sender may have at a receiver ... */
    BUDGET_ALL = 64 << 20 /* ... and all senders together, however many */
};

/* A part of a body that was asked for before it came. */
struct wish {
    struct wish *next;
    struct core_flow *flow;
    void *to;
    size_t offset, n;
};

struct core_pushed {
    struct core_pushed *next;
    uint64_t id, n;
    const void *data; /* NULL: it is coming */
    void *landing;    /* the transport's */
    void *memory;     /* taken for it */
    void *destination; /* where its bytes go while it is coming; NULL: not decided */
    struct wish *wishes;
    int from;
    bool ended;       /* nobody wants it any more, but it is coming */
};

struct core_push_peer {
    struct core_pushed *first, **last; /* of this sender */
    uint64_t taken;     /* bytes that it may send again and was not told so yet */
    uint64_t out, next; /* to this receiver: bytes, and the next body's id */
};

static struct core_pushes *const push = &core_state.channel.pushes;

/* The first of a body's wishes, fulfilled or not, is gone. */
static void wish_end(struct core_pushed *b)
{
    struct wish *w = b->wishes;

    b->wishes = w->next;
    /* model: pull.done */
    __atomic_fetch_sub(&w->flow->pulls, 1, __ATOMIC_RELEASE);
    free(w);
}

int core_push_start(void)
{
    uint64_t n = (uint64_t)core_size();

    push->peer = calloc(n, sizeof *push->peer);
    if (!push->peer) {
        core_error("no memory for what %d PEs may push", core_size());
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < n; i++)
        push->peer[i].last = &push->peer[i].first;
    push->budget = BUDGET_ALL / n < BUDGET ? BUDGET_ALL / n : BUDGET;
    return 0;
}

/* What lies there goes with the transport's buffers. */
void core_push_stop(void)
{
    for (int pe = 0; push->peer && pe < core_size(); pe++)
        for (struct core_pushed *b = push->peer[pe].first, *next; b; b = next) {
            next = b->next;
            while (b->wishes)
                wish_end(b);
            free(b->memory);
            free(b);
        }
    free(push->peer);
    push->peer = NULL;
}

static uint64_t cost(uint64_t n)
{
    return n < LEAST ? LEAST : n;
}

/* ---------------------------------------------------------------- sender -- */

size_t core_push_most(int pe)
{
    size_t most;

    if (MPT_LIKELY(!core_state.rma.net_on) || !core_state.rma.net->push || core_on_node(pe))
        return 0;
    most = core_state.rma.net->push_most();
    return most < core_params.push_max ? most : core_params.push_max;
}

static bool take_budget(struct core_push_peer *p, size_t n, uint64_t *id)
{
    bool enough;

    pthread_mutex_lock(&push->lock);
    enough = p->out + cost(n) <= push->budget;
    if (enough) {
        p->out += cost(n);
        *id = p->next++;
    }
    pthread_mutex_unlock(&push->lock);
    return enough;
}

void core_push_granted(int from, uint64_t n)
{
    struct core_push_peer *p = &push->peer[from];
    bool rubbish;

    pthread_mutex_lock(&push->lock);
    rubbish = n > p->out;
    p->out -= rubbish ? 0 : n;
    pthread_mutex_unlock(&push->lock);
    if (rubbish)
        core_fatal("PE %d on host %s has taken %llu bytes more than were sent to it", from, core_host(from),
                   (unsigned long long)n);
}

int core_push_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    struct core_rndv rndv = {.pe = core_me(), .token = CORE_TOKEN_PUSHED, .n = n};
    int err;

    if ((unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX - sizeof rndv || !n ||
        !core_channel_is_open(id))
        return -EINVAL;
    if (n > core_push_most(pe) || !take_budget(&push->peer[pe], n, &rndv.addr))
        return -ENOBUFS;
    if ((err = core_state.rma.net->push(pe, id, head, head_n, body, &rndv)) != 0)
        core_push_granted(pe, cost(n));
    return err;
}

/* -------------------------------------------------------------- receiver -- */

static struct core_pushed *add(const struct core_rndv *rndv, struct core_pushed b)
{
    struct core_push_peer *p = &push->peer[rndv->pe];
    struct core_pushed *added = malloc(sizeof *added);

    if (!added)
        core_fatal("out of memory for a message of %llu bytes that came over the network", (unsigned long long)rndv->n);
    if (!core_push_is(rndv) || rndv->n != b.n)
        core_fatal("PE %d on host %s pushes %llu bytes of a body of %llu bytes", rndv->pe, core_host(rndv->pe),
                   (unsigned long long)b.n, (unsigned long long)rndv->n);
    b.id = rndv->addr;
    b.from = rndv->pe;
    *added = b;
    pthread_mutex_lock(&push->lock);
    *p->last = added;
    p->last = &added->next;
    pthread_mutex_unlock(&push->lock);
    return added;
}

void core_push_arrived(const struct core_rndv *rndv, const void *data, size_t n, void *landing)
{
    add(rndv, (struct core_pushed){.n = n, .data = data, .landing = landing});
}

struct core_pushed *core_push_coming(const struct core_rndv *rndv, size_t n)
{
    return add(rndv, (struct core_pushed){.n = n});
}

/* Straight to where it is wanted, if one caller alone wants all of it. */
void *core_push_destination(struct core_pushed *b)
{
    void *destination;

    pthread_mutex_lock(&push->lock);
    if (!b->destination) {
        const struct wish *w = b->wishes;

        if (w && !w->next && w->n == b->n)
            b->destination = w->to;
        else if (!(b->destination = b->memory = malloc(b->n)))
            core_fatal("out of memory for a message of %llu bytes that came over the network",
                       (unsigned long long)b->n);
    }
    destination = b->destination;
    pthread_mutex_unlock(&push->lock);
    return destination;
}

/* With the lock. */
static struct core_pushed **find(const struct core_rndv *rndv)
{
    struct core_pushed **at = &push->peer[rndv->pe].first;

    while (*at && (*at)->id != rndv->addr)
        at = &(*at)->next;
    if (!*at || (*at)->ended)
        core_fatal("a message body of %llu bytes from PE %d is wanted that is not there (core_fetch_end called twice?)",
                   (unsigned long long)rndv->n, rndv->pe);
    return at;
}

/* With the lock. */
static void fulfil(const struct core_pushed *b, const struct wish *w)
{
    if (w->to != b->data)
        core_copy(w->to, (const char *)b->data + w->offset, w->n);
}

const void *core_push_here(const struct core_rndv *rndv)
{
    const void *data;

    pthread_mutex_lock(&push->lock);
    data = (*find(rndv))->data;
    pthread_mutex_unlock(&push->lock);
    return data;
}

void core_push_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n)
{
    struct wish *w = malloc(sizeof *w), now = {NULL, f, to, offset, n};
    struct core_pushed *b;

    if (!w)
        core_fatal("out of memory for a message of %zu bytes from PE %d", n, rndv->pe);
    *w = now;
    pthread_mutex_lock(&push->lock);
    b = *find(rndv);
    if (b->data) {
        pthread_mutex_unlock(&push->lock);
        fulfil(b, &now);
        free(w);
        return;
    }
    __atomic_fetch_add(&f->pulls, 1, __ATOMIC_RELAXED);
    w->next = b->wishes;
    b->wishes = w;
    pthread_mutex_unlock(&push->lock);
}

/* With the lock: out of its sender's list; how many bytes that is to be told of. */
static uint64_t take_out(struct core_pushed **at)
{
    struct core_pushed *b = *at;
    struct core_push_peer *p = &push->peer[b->from];
    uint64_t told = 0;

    *at = b->next;
    if (!b->next)
        p->last = at;
    p->taken += cost(b->n);
    if (p->taken >= push->budget / 2) { /* the sender is told of much at a time */
        told = p->taken;
        p->taken = 0;
    }
    return told;
}

static void dispose(struct core_pushed *b, uint64_t told)
{
    if (b->landing)
        core_state.rma.net->land(b->landing);
    if (told > 0)
        core_state.rma.net->grant(b->from, told);
    free(b->memory);
    free(b);
}

void core_push_came(struct core_pushed *b)
{
    uint64_t told = 0;
    bool ended;

    pthread_mutex_lock(&push->lock);
    b->data = b->destination;
    for (; b->wishes; wish_end(b))
        fulfil(b, b->wishes);
    ended = b->ended;
    if (ended) {
        struct core_pushed **at = &push->peer[b->from].first;

        while (*at != b)
            at = &(*at)->next;
        told = take_out(at);
    }
    pthread_mutex_unlock(&push->lock);
    if (ended)
        dispose(b, told);
    core_wake_threads(); /* nothing else tells a thread that waits for it */
}

/* One that is still coming goes when it has come. */
void core_push_end(const struct core_rndv *rndv)
{
    struct core_pushed **at, *b;
    uint64_t told = 0;
    bool coming;

    pthread_mutex_lock(&push->lock);
    at = find(rndv);
    b = *at;
    coming = !b->data;
    if (coming)
        b->ended = true;
    else
        told = take_out(at);
    pthread_mutex_unlock(&push->lock);
    if (!coming)
        dispose(b, told);
}
