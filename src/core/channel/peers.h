/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The PEs of this node as the channel sees them: to each leads a ring (ring.h),
 * from each comes one, and each two share the pair's lines, which are a message
 * long. The PE that has these lines may put a message there; with it they become the
 * receiver's, which may answer in them. So question and answer pass the same line to
 * and fro, and no core has to ask for a line that the other is looking at: in
 * alternation that takes half the time of two rings.
 *
 * Invariants
 *  - `ours` is true at one of both at most; the lower PE begins with it. It
 *    becomes false with a message put there, true when one was taken.
 *  - Messages are handled by number. Of a pair one message at most is in the
 *    pair's lines; the word of the ring's next one shows whether that comes first.
 *  - The pair's word is the last message's. It is the next one's only when its stamp
 *    (sender and number) is the one expected.
 */
#ifndef CORE_PEERS_H
#define CORE_PEERS_H

#include <pthread.h>

#include "core/channel/ring.h"

/* So many are looked at one by one; of more the mail bytes say which (channel.c), and what is kept of
 * a peer costs memory only from the first message to or from it. */
enum { CORE_PEERS_FEW = 4 };

struct core_peer {
    _Alignas(64) struct ring_out out; /* under `lock`, unless there is one thread only */
    struct ring_line *pair;
    const struct mpt_bell *bell; /* NULL: the rest, too, is zero; core_peer_meet sets it up */
    unsigned char *mail; /* our byte at the receiver; NULL: few */
    _Alignas(64) struct ring_in in; /* the draining thread's */
    bool ours;
    bool shut;     /* its process has gone: `out` is full, and `pair` not the pair's, ... */
    uint32_t uses; /* ... until another one stands there (channel.c) */
    int pe;
    unsigned slice;
    pthread_mutex_t lock; /* among this PE's threads */
};

static struct core_peers *const core_peers = &core_state.channel.peers;

/* The peer has been met. Acquire: the rest of it was set up before. */
static inline bool core_peer_met(const struct core_peer *p)
{
    /* model: publish.see */
    return MPT_LIKELY(__atomic_load_n(&p->bell, __ATOMIC_ACQUIRE) != NULL);
}
void core_peer_meet(struct core_peer *p);

void core_ring_bell(unsigned slice);

static inline void core_peer_wake(const struct core_peer *p)
{
    if (MPT_UNLIKELY(core_sleeps(p->bell)))
        core_ring_bell(p->slice);
}

static inline void core_pair_put(struct core_peer *p, struct ring_msg m, const void *head, const void *body,
                                 bool threads)
{
    if (MPT_UNLIKELY(threads)) /* the draining thread may look from here on */
        /* model: pair.clear */
        __atomic_store_n(&p->pair->word, 0, __ATOMIC_RELAXED);
    /* model: pair.give */
    __atomic_store_n(&p->ours, false, __ATOMIC_RELEASE);
    ring_fill(p->pair, m, head, body);
    /* Release: the payload comes before it. */
    /* model: pair.publish */
    __atomic_store_n(&p->pair->word, ring_pack(m, p->out.stamp), __ATOMIC_RELEASE);
    p->out.stamp += RING_ONE;
}

/* False when there is no room. */
static inline bool core_peer_put(struct core_peer *p, struct ring_msg m, const void *head, const void *body,
                                 bool threads)
{
    /* Acquire: its last message has been read. */
    /* model: pair.has */
    if (__atomic_load_n(&p->ours, __ATOMIC_ACQUIRE))
        core_pair_put(p, m, head, body, threads);
    else if (MPT_UNLIKELY(!ring_push(&p->out, m, head, body)))
        return false;
    if (p->mail)
        __atomic_store_n(p->mail, ring_count(p->out.stamp), __ATOMIC_RELAXED);
    return true;
}

static inline bool core_is_next(const struct core_peer *p, uint64_t word)
{
    return (word & RING_STAMP) == p->in.stamp;
}

/* The line where the next message of `p` begins, and its word; NULL: none is there.
 * Sets *freed when lines were given back. */
static inline struct ring_line *core_peer_look(struct core_peer *p, uint64_t *word, bool *freed)
{
    /* Acquire: of a message that another thread is putting there the old word has been cleared. */
    /* model: pair.look_whose */
    if (!__atomic_load_n(&p->ours, __ATOMIC_ACQUIRE)) {
        /* Acquire, here and below: the payload is read after the word. */
        /* model: pair.look */
        *word = __atomic_load_n(&p->pair->word, __ATOMIC_ACQUIRE);
        if (core_is_next(p, *word))
            return p->pair;
    }
    *word = ring_look(&p->in, freed);
    if (!*word)
        return NULL;
    if (MPT_LIKELY(core_is_next(p, *word)))
        return &p->in.ring->line[p->in.slot];
    /* model: pair.look_again */
    *word = __atomic_load_n(&p->pair->word, __ATOMIC_ACQUIRE); /* sent before it, so it is there */
    if (!core_is_next(p, *word))
        core_fatal("a message ring holds rubbish: some PE wrote outside its memory");
    return p->pair;
}

/* What has just been looked at was read. True when lines were given back. */
static inline bool core_peer_took(struct core_peer *p, const struct ring_line *line, uint32_t lines)
{
    p->in.stamp += RING_ONE;
    if (line != p->pair)
        return ring_release(&p->in, lines);
    /* Release: our reads come before our next message there. */
    /* model: pair.take */
    __atomic_store_n(&p->ours, true, __ATOMIC_RELEASE);
    return false;
}

#endif
