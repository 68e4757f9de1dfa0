/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The channel without calls, for layers whose users would feel them: to send a
 * short message to a PE of this node, and to look at the next one that came from
 * it, where it lies. For a process of one thread; whoever is told NULL or false
 * uses core_send_try and core_progress.
 */
#ifndef CORE_QUICK_H
#define CORE_QUICK_H

#include "core/channel/channel.h"
#include "core/channel/peers.h"

struct core_quick_head {
    uint64_t word[2];
};

/* NULL: not now, not the first time, or not to this PE. */
static inline struct core_peer *core_quick_to(int pe)
{
    unsigned i = mpt_idx(pe);
    struct core_peer *p = &core_peers.at[i + core_peers.first];

    return MPT_LIKELY(core_one_thread() && i < mpt_fast.node_n) && core_peer_met(p) ? p : NULL;
}

/* The channel is open on both sides; n <= CORE_SEND_MAX - sizeof(struct core_quick_head). */
static inline __attribute__((always_inline)) bool core_quick_send(struct core_peer *p, unsigned id, struct core_quick_head head,
                                                                 const void *body, size_t n)
{
    struct ring_msg m = {id, sizeof head, (unsigned)n, 0};

    if (MPT_UNLIKELY(!core_peer_put(p, m, &head, body, false)))
        return false;
    core_peer_look_up(p);
    return true;
}

/* A message written where it is sent from: `payload` has room for the n bytes behind
 * the head. Nothing may be sent to this peer until it is committed; false then: something
 * was, and what was written is lost. */
struct core_quick_place {
    struct ring_line *line;
    uint64_t stamp;
    unsigned char *payload;
};
static inline bool core_quick_prepare(struct core_peer *p, size_t n, struct core_quick_place *at)
{
    uint32_t lines = ring_lines((struct ring_msg){0, sizeof(struct core_quick_head), (unsigned)n, 0});
    struct ring_out *o = &p->out;

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
    at->payload = at->line->payload + sizeof(struct core_quick_head);
    return true;
}

static inline bool core_quick_commit(struct core_peer *p, const struct core_quick_place *at, unsigned id, struct core_quick_head head,
                                     size_t n)
{
    struct ring_msg m = {id, sizeof head, (unsigned)n, 0};
    struct ring_out *o = &p->out;
    uint32_t lines = ring_lines(m);

    if (o->stamp != at->stamp)
        return false;
    __builtin_memcpy(at->line->payload, &head, sizeof head);
    if (at->line == p->pair) {
        __atomic_store_n(&p->ours, false, __ATOMIC_RELEASE);
        /* Release: the payload comes before it. */
        __atomic_store_n(&p->pair->word, ring_pack(m, o->stamp), __ATOMIC_RELEASE);
    } else {
        ring_publish(o, ring_pack(m, o->stamp), lines, o->slot + lines < RING_SLOTS ? o->slot + lines : 0);
    }
    o->stamp += RING_ONE;
    if (p->mail)
        __atomic_store_n(p->mail, ring_count(o->stamp), __ATOMIC_RELAXED);
    core_peer_look_up(p);
    return true;
}

/* As core_quick_to, of one from whom messages may be taken without core_progress: nobody is
 * handling messages, and no network is to be served. */
static inline struct core_peer *core_quick_from(int pe)
{
    struct core_peer *p = core_quick_to(pe);

    return MPT_LIKELY(p && !core_peers.draining && !core_net_on) ? p : NULL;
}

struct core_quick_mail {
    struct core_quick_head head;
    const void *body;
    size_t n;
    const struct ring_line *line;
};

/* What the look at a sender's next message found. */
enum core_quick_look { CORE_QUICK_NONE, CORE_QUICK_MAIL, CORE_QUICK_OTHER }; /* other: not of this id and shape */
static inline __attribute__((always_inline)) enum core_quick_look core_quick_look(struct core_peer *p, unsigned id,
                                                                                  struct core_quick_mail *m)
{
    const uint64_t shape = (uint64_t)id << RING_ID_AT | (uint64_t)sizeof m->head << RING_HEAD_AT;
    bool freed = false;
    uint64_t word;
    const struct ring_line *line = core_peer_look(p, &word, &freed);

    if (MPT_UNLIKELY(freed))
        core_ring_slice(p->slice);
    if (!line)
        return CORE_QUICK_NONE;
    m->n = word >> RING_BODY_AT & 0xffff;
    if (MPT_UNLIKELY((word & (0xfffffful << RING_ID_AT | RING_FAR)) != shape || m->n > RING_BYTES - sizeof m->head))
        return CORE_QUICK_OTHER;
    __builtin_memcpy(&m->head, line->payload, sizeof m->head);
    m->body = line->payload + sizeof m->head;
    m->line = line;
    return CORE_QUICK_MAIL;
}

/* It was read. */
static inline __attribute__((always_inline)) void core_quick_took(struct core_peer *p, const struct core_quick_mail *m)
{
    uint32_t lines = (uint32_t)((RING_WORD + sizeof m->head + m->n + RING_LINE - 1) / RING_LINE);

    if (MPT_UNLIKELY(core_peer_took(p, m->line, lines)))
        core_ring_slice(p->slice);
    if (MPT_UNLIKELY(p->mail != NULL))
        core_channel_seen(p);
}

/* Between two looks: an answer in the pair's lines comes sooner to who does not snatch
 * at the line all the time. */
static inline void core_relax(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#endif
}

#endif
