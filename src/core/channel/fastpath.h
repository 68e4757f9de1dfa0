/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The channel without calls, for layers whose users would feel them: to send a
 * short message to a PE of this node, and to look at the next one that came from
 * it, where it lies. For a process of one thread; a caller that gets NULL or false
 * uses core_send_try and core_progress.
 */
#ifndef CORE_FAST_H
#define CORE_FAST_H

#include "core/base/number.h"
#include "core/channel/internal.h"
#include "core/channel/peers.h"

struct core_peer; /* the sender or receiver; peers.h is not for the layers above */
enum { CORE_FAST_LINE = RING_LINE - RING_WORD }; /* head and body that travel in one cache line */

struct core_fast_head {
    uint64_t word[2];
};

/* NULL: not now, not the first time, or not to this PE. */
static inline struct core_peer *core_fast_to(int pe)
{
    unsigned i = mpt_idx(pe);
    struct core_peer *p = &core_peers->at[i + core_peers->first];

    return MPT_LIKELY(core_one_thread() && i < mpt_fast.node_n) && core_peer_met(p) ? p : NULL;
}

/* The channel is open on both sides; n <= CORE_SEND_MAX - sizeof(struct core_fast_head). */
static inline __attribute__((always_inline)) bool core_fast_send(struct core_peer *p, unsigned id,
                                                                 struct core_fast_head head, const void *body, size_t n)
{
    struct ring_msg m = {id, sizeof head, (unsigned)n, 0};

    if (MPT_UNLIKELY(!core_peer_put(p, m, &head, body, false)))
        return false;
    core_peer_wake(p);
    return true;
}

/* A message written where it is sent from: `payload` has room for the n bytes behind
 * the head. Nothing may be sent to this peer until it is committed; false then: something
 * was, and what was written is lost. */
struct core_fast_room {
    struct ring_line *line;
    uint64_t stamp;
    unsigned char *payload;
};
static inline bool core_fast_prepare(struct core_peer *p, size_t n, struct core_fast_room *at)
{
    uint32_t lines = ring_lines((struct ring_msg){0, sizeof(struct core_fast_head), (unsigned)n, 0});
    struct ring_out *o = &p->out;

    /* model: pair.has */
    if (__atomic_load_n(&p->ours, __ATOMIC_ACQUIRE)) { /* Acquire: its last message has been read */
        at->line = p->pair;
    } else {
        uint32_t skip = o->slot + lines > RING_SLOTS ? RING_SLOTS - o->slot : 0;

        if (!ring_has_room(o, skip + lines))
            return false;
        if (skip)
            ring_publish(o, RING_SKIP, skip, 0);
        at->line = &o->ring->line[o->slot];
    }
    at->stamp = o->stamp;
    at->payload = at->line->payload + sizeof(struct core_fast_head);
    return true;
}

static inline bool core_fast_commit(struct core_peer *p, const struct core_fast_room *at, unsigned id,
                                    struct core_fast_head head, size_t n)
{
    struct ring_msg m = {id, sizeof head, (unsigned)n, 0};
    struct ring_out *o = &p->out;
    uint32_t lines = ring_lines(m);

    if (o->stamp != at->stamp)
        return false;
    __builtin_memcpy(at->line->payload, &head, sizeof head);
    if (at->line == p->pair) {
        /* model: pair.give */
        __atomic_store_n(&p->ours, false, __ATOMIC_RELEASE);
        /* Release: the payload comes before it. */
        /* model: pair.publish */
        __atomic_store_n(&p->pair->word, ring_pack(m, o->stamp), __ATOMIC_RELEASE);
    } else {
        ring_publish(o, ring_pack(m, o->stamp), lines, o->slot + lines < RING_SLOTS ? o->slot + lines : 0);
    }
    o->stamp += RING_ONE;
    if (p->mail)
        __atomic_store_n(p->mail, ring_count(o->stamp), __ATOMIC_RELAXED);
    core_peer_wake(p);
    return true;
}

/* As core_fast_to, of a sender whose messages may be taken without core_progress: nobody is
 * handling messages, and no network is to be served. */
static inline struct core_peer *core_fast_from(int pe)
{
    struct core_peer *p = core_fast_to(pe);

    return MPT_LIKELY(p && !core_peers->draining && !core_state.rma.net_on) ? p : NULL;
}

/* Does the channel know this PE, which may have entered the job since? */
static inline bool core_fast_knows(int pe)
{
    return mpt_idx(pe) + core_peers->first < core_peers->n;
}

static inline int core_fast_pe(const struct core_peer *p)
{
    return p->pe;
}

/* Senders whose messages may be taken without core_progress, from *first to before *end: pe, or with -1 all where
 * they are few. False: not now, not from so many, or not the first time. */
static inline bool core_fast_senders(int pe, struct core_peer **first, struct core_peer **end)
{
    unsigned from = pe < 0 ? 0 : mpt_idx(pe) + core_peers->first, to = pe < 0 ? core_peers->n : from + 1;

    if (to > core_peers->n || (pe < 0 && to > CORE_PEERS_FEW) || !core_fast_from(core_me()))
        return false;
    *first = &core_peers->at[from];
    *end = &core_peers->at[to];
    return pe < 0 || core_peer_met(*first);
}

struct core_fast_mail {
    struct core_fast_head head;
    const void *body;
    size_t n;
    const struct ring_line *line;
};

/* What the look at a sender's next message found. */
enum core_fast_look { CORE_FAST_NONE, CORE_FAST_MAIL, CORE_FAST_OTHER }; /* other: not of this id and shape */
static inline __attribute__((always_inline)) enum core_fast_look core_fast_look(struct core_peer *p, unsigned id,
                                                                                struct core_fast_mail *m)
{
    const uint64_t shape = (uint64_t)id << RING_ID_AT | (uint64_t)sizeof m->head << RING_HEAD_AT;
    bool freed = false;
    uint64_t word;
    const struct ring_line *line = core_peer_look(p, &word, &freed);

    if (MPT_UNLIKELY(freed))
        core_ring_bell(p->slice);
    if (!line)
        return CORE_FAST_NONE;
    m->n = word >> RING_BODY_AT & 0xffff;
    if (MPT_UNLIKELY((word & (0xfffffful << RING_ID_AT | RING_RNDV)) != shape || m->n > RING_BYTES - sizeof m->head))
        return CORE_FAST_OTHER;
    __builtin_memcpy(&m->head, line->payload, sizeof m->head);
    m->body = line->payload + sizeof m->head;
    m->line = line;
    return CORE_FAST_MAIL;
}

/* After a look that found nothing: others run until something has come, if this PE is a task. True: look again, once
 * (something else may have come); false: wait as usual. where: as for core_brief_block. */
bool core_fast_await(const struct core_peer *p, const char *where);

/* It was read. */
static inline __attribute__((always_inline)) void core_fast_took(struct core_peer *p, const struct core_fast_mail *m)
{
    uint32_t lines = (uint32_t)core_ceil_div(RING_WORD + sizeof m->head + m->n, RING_LINE);

    if (MPT_UNLIKELY(core_peer_took(p, m->line, lines)))
        core_ring_bell(p->slice);
    if (MPT_UNLIKELY(p->mail != NULL))
        core_channel_seen(p);
}

#endif
