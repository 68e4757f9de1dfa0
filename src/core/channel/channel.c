/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between PEs: opening and sending; progress.c takes them out. Each PE
 * has in its slice one ring per sender of its node (ring.h, peers.h) and, before
 * the rings, one "mail" byte per sender: where PEs are many, the sender stores the
 * low byte of its message count there, so a receiver finds the rings that hold
 * something by comparing eight bytes at a time with its own counts. Every byte has
 * one writer and no order is needed: a byte that arrives before its message only
 * makes the receiver look again. PEs of other nodes are the network transport's.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/channel/internal.h"
#include "core/channel/peers.h"
#include "core/internal.h"
#include "core/live/dead.h"
#include "core/rma/transport.h"
#include "core/wait/brief.h"

/* The pair's lines are the upper one's, in the ring from the lower. */
static struct ring_line *pair_of(unsigned nodes, int pe, unsigned index, unsigned me)
{
    unsigned char *area = core_chan_area(index < me ? core_me() : pe);

    return ring_at(area, nodes, index < me ? index : me)->pair;
}

/* All but its lock, which zero bytes are, as PTHREAD_MUTEX_INITIALIZER is. */
static void set_up_peer(struct core_peer *p, int pe, unsigned nodes, unsigned index, unsigned me)
{
    unsigned char *area = core_chan_area(pe);

    p->pe = pe;
    p->slice = core_slice_of(pe);
    p->pair = pair_of(nodes, pe, index, me);
    p->ours = me < index;
    p->shut = false;
    p->uses = 0;
    p->out = (struct ring_out){.ring = ring_at(area, nodes, me), .stamp = ring_first_stamp(me > index)};
    p->in = (struct ring_in){.ring = ring_at(core_chan_area(core_me()), nodes, index),
                             .stamp = ring_first_stamp(index > me)};
    p->mail = nodes > CORE_PEERS_FEW ? area + me : NULL;
    /* Release: see core_peer_met. */
    /* model: publish.set */
    __atomic_store_n(&p->bell, &core_ctrl_of(p->slice)->bell, __ATOMIC_RELEASE);
}

void __attribute__((noinline)) core_peer_meet(struct core_peer *p)
{
    unsigned index = (unsigned)(p - core_peers->at), first = core_slice_of(core_node_pe(0));

    pthread_mutex_lock(&p->lock);
    if (!p->bell) /* by another thread meanwhile */
        set_up_peer(p, core_node_pe(index), core_node_size(), index, core_seg->idx - first);
    pthread_mutex_unlock(&p->lock);
}

/* Full, and without a message: nobody writes to it. */
static const struct ring nowhere;

/* Of a ring whose messages have all been read: a line is only touched when its turn comes. */
static size_t dirty_bytes(const struct ring_in *in)
{
    uint64_t lines = in->read + 1; /* the one behind has been cleared */

    return offsetof(struct ring, line) + (lines < RING_SLOTS ? lines : RING_SLOTS) * sizeof(struct ring_line);
}

void core_channel_retire(unsigned index)
{
    unsigned nodes = core_node_size(), me = core_seg->idx;
    struct core_peer *p = &core_peers->at[index];
    unsigned char *area = core_chan_area(core_me());

    if (index >= core_peers->n)
        return;
    if (p->in.stamp != ring_first_stamp(index > me) || p->out.stamp != ring_first_stamp(me > index))
        memset(p->in.ring, 0, dirty_bytes(&p->in)); /* the pair's lines may be there, too */
    if (nodes > CORE_PEERS_FEW)
        area[index] = 0;
    core_channel_unsee(index);
    set_up_peer(p, p->pe, nodes, index, me);
    p->shut = true;
    p->uses = __atomic_load_n(&core_ctrl_of(p->slice)->uses, __ATOMIC_RELAXED);
    p->ours = false;
    p->out.ring = (struct ring *)(uintptr_t)&nowhere;
    p->out.used = RING_SLOTS;
    if (me < index)
        p->pair = p->out.ring->line;
}

/* Does somebody else stand there? Then it begins as this one did. What it has sent is in `in`. */
static bool open_again(struct core_peer *p)
{
    const struct core_ctrl *c = core_ctrl_of(p->slice);
    unsigned index = (unsigned)(p - core_peers->at), me = core_seg->idx;
    uint32_t state = __atomic_load_n(&c->state, __ATOMIC_ACQUIRE);

    if (c->uses == p->uses || (state != CORE_PE_NEW && state != CORE_PE_RUNNING))
        return false;
    p->shut = false;
    p->pair = pair_of(core_node_size(), p->pe, index, me);
    p->out = (struct ring_out){.ring = ring_at(core_chan_area(p->pe), core_node_size(), me),
                               .stamp = ring_first_stamp(me > index)};
    p->ours = me < index;
    return true;
}

/* Of the n PEs of this node those that are there, or soon: in an open job
 * (open.c) processes come one by one. */
static unsigned known(unsigned n)
{
    unsigned used = core_seg->open ? (core_job_high() + 63) / 64 * 64 : n;

    return used < n ? used : n;
}

static size_t table_bytes(unsigned n)
{
    return n * sizeof(struct core_peer);
}

/* Of the channels that core sends to itself on. */
static void open_own(void)
{
    core_handler **handlers = core_state.channel.handlers;

    handlers[CORE_CHANNEL_END] = core_rndv_on_end;
    handlers[CORE_CHANNEL_PULL] = core_pull_on_ask;
    handlers[CORE_CHANNEL_PIECE] = core_pull_on_piece;
}

static int set_up(void)
{
    unsigned n = core_node_size(), now = known(n), first, me;
    struct core_peer *at;
    int err;

    if (!n)
        return -ENOTCONN;
    first = core_slice_of(core_node_pe(0));
    me = core_seg->idx - first;
    at = mmap(NULL, table_bytes(n), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED)
        return -ENOMEM;
    for (unsigned i = 0; i < now; i++)
        if (core_seg->open || n <= CORE_PEERS_FEW || i == me)
            set_up_peer(&at[i], core_node_pe(i), n, i, me);
    if ((err = core_channel_listen(n, now, me)) != 0) {
        munmap(at, table_bytes(n));
        return err;
    }
    open_own();
    core_peers->at = at;
    core_peers->first = core_slice_of((int)mpt_fast.node_first) - first;
    core_peers->n = now;
    return 0;
}

void core_channel_grow(void)
{
    unsigned n = core_node_size(), now = known(n);

    if (core_peers->n >= now)
        return;
    pthread_mutex_lock(&core_state.channel.open_lock);
    for (unsigned i = core_peers->n; core_peers->n && i < now; i++)
        set_up_peer(&core_peers->at[i], core_node_pe(i), n, i, core_seg->idx);
    if (core_peers->n && core_peers->n < now)
        core_peers->n = now;
    pthread_mutex_unlock(&core_state.channel.open_lock);
}

int core_channel_restart(void)
{
    int err = 0;

    pthread_mutex_lock(&core_state.channel.open_lock);
    if (core_peers->n) {
        munmap(core_peers->at, table_bytes(core_node_size()));
        core_peers->n = 0;
        core_channel_stop_listening();
        err = set_up();
    }
    pthread_mutex_unlock(&core_state.channel.open_lock);
    return err;
}

int core_channel_open(unsigned id, core_handler *handler)
{
    int err = 0;

    if ((id >= CORE_CHANNEL_MAX && id != CORE_CHANNEL_CLOCK) || !handler)
        return -EINVAL;
    pthread_mutex_lock(&core_state.channel.open_lock);
    if (core_state.channel.handlers[id] && core_state.channel.handlers[id] != handler)
        err = -EBUSY;
    if (!err && !core_peers->n)
        err = set_up();
    if (!err) {
        /* Release: a thread that sees the handler sees the peers. */
        /* model: publish.set */
        __atomic_store_n(&core_state.channel.handlers[id], handler, __ATOMIC_RELEASE);
        core_channel_start();
    }
    pthread_mutex_unlock(&core_state.channel.open_lock);
    if (MPT_UNLIKELY(core_channel_has_early()))
        core_progress(); /* before anybody looks at the lines by himself (fastpath.h) */
    return err;
}

/* ------------------------------------------------------------------ send -- */

/* Index of a PE on this node, or >= core_peers->n. */
static unsigned index_of(int pe)
{
    unsigned i = mpt_idx(pe);

    if (MPT_LIKELY(i < mpt_fast.node_n))
        return i + core_peers->first;
    return core_on_node_slow(pe) ? core_slice_of(pe) : UINT_MAX; /* slow: then all slices are in use */
}

static inline int post_on_node(struct core_peer *peer, const struct core_post *p)
{
    struct ring_msg m = {p->id, (unsigned)p->head_n, (unsigned)p->n, 0};
    const void *body = p->body;
    bool threads = !core_one_thread();
    bool sent;

    if (MPT_UNLIKELY(p->rndv)) {
        m.rndv = RING_RNDV;
        m.n = sizeof *p->rndv;
        body = p->rndv;
    }
    if (!core_peer_met(peer))
        core_peer_meet(peer);
    if (threads)
        pthread_mutex_lock(&peer->lock);
    sent = core_peer_put(peer, m, p->head, body, threads);
    if (threads)
        pthread_mutex_unlock(&peer->lock);
    if (!sent)
        return -EAGAIN;
    core_peer_wake(peer);
    return 0;
}

static int __attribute__((noinline)) post_to_newcomer(const struct core_post *p, unsigned index)
{
    core_channel_grow();
    return index < core_peers->n ? post_on_node(&core_peers->at[index], p) : -EPIPE;
}

static int __attribute__((noinline)) post_to_another(const struct core_post *p, struct core_peer *peer)
{
    return open_again(peer) ? post_on_node(peer, p) : -EPIPE;
}

static inline int post_try(const struct core_post *p)
{
    unsigned index = index_of(p->pe);

    if (MPT_LIKELY(index < core_peers->n)) {
        int err = post_on_node(&core_peers->at[index], p);

        return MPT_LIKELY(err == 0 || !core_peers->at[index].shut) ? err : post_to_another(p, &core_peers->at[index]);
    }
    if (!core_state.rma.net)
        return core_seg->open ? post_to_newcomer(p, index) : -ENOTCONN;
    core_acted();
    return core_state.rma.net->send(p->pe, p->id, p->head, p->head_n, p->body, p->n, p->rndv);
}

static int __attribute__((noinline)) post_when_there_is_room(const struct core_post *p)
{
    struct core_waiter w;
    int err;

    core_wait_begin(&w, "a send: the receiver does not take its messages");
    while ((err = post_try(p)) == -EAGAIN) {
        core_wait_pause(&w); /* makes progress */
        if ((core_seg->open && core_wait_slept(&w) && core_job_gone(p->pe)) || core_pe_dead(p->pe)) {
            err = -EPIPE;
            break;
        }
    }
    core_wait_end(&w);
    return err;
}

/* A dead PE will never take its messages. */
static int if_alive(int pe, int err)
{
    return MPT_UNLIKELY(err == -EAGAIN) && core_pe_dead(pe) ? -EPIPE : err;
}

int core_channel_try(const struct core_post *p)
{
    return if_alive(p->pe, post_try(p));
}

int core_channel_post(const struct core_post *p)
{
    int err = post_try(p);

    return MPT_LIKELY(err != -EAGAIN) ? err : post_when_there_is_room(p);
}

static bool bad(int pe, unsigned id, size_t head_n, size_t n)
{
    return (unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX || !core_channel_is_open(id) ||
           (MPT_UNLIKELY(n > CORE_SEND_MAX - head_n) && n > core_send_most(pe) - head_n);
}

size_t core_send_most(int pe)
{
    return !core_state.rma.net || core_on_node(pe) ? CORE_SEND_MAX : core_state.rma.net->send_most;
}

int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    if (MPT_UNLIKELY(bad(pe, id, head_n, n)))
        return -EINVAL;
    return if_alive(pe, post_try(&(struct core_post){pe, id, head, body, head_n, n, NULL}));
}

int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    int err = core_send_try(pe, id, head, head_n, body, n);

    return MPT_LIKELY(err != -EAGAIN)
               ? err
               : post_when_there_is_room(&(struct core_post){pe, id, head, body, head_n, n, NULL});
}

uint64_t core_channel_traffic(void)
{
    uint64_t sum = 0;

    for (unsigned i = 0; i < core_peers->n; i++)
        sum += core_peers->at[i].in.stamp + 3 * core_peers->at[i].out.stamp;
    return sum;
}

/* Nothing is taken, and nothing given back. */
static bool has_come(const struct core_peer *p)
{
    return (!__atomic_load_n(&p->ours, __ATOMIC_RELAXED) &&
            /* model: pair.look */
            core_is_next(p, __atomic_load_n(&p->pair->word, __ATOMIC_ACQUIRE))) ||
           ring_peek(&p->in) != 0;
}

bool core_fast_await(const struct core_peer *p, const char *where)
{
    if (!core_brief_tell())
        return false;
    if (!has_come(p))
        return core_brief_block(where);
    core_brief_untell();
    return true;
}
