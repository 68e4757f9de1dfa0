/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A ring of cache lines from one sender to one receiver, in memory both map.
 * A message begins in a line whose first word says that it is there and how
 * long it is; its payload follows in the same line and, when longer, in the next
 * ones, so a short message costs one line handed from core to core.
 *
 * Invariants
 *  - Each side keeps its own position in private memory. The ring holds only
 *    the lines and `freed`, the number of lines the receiver has given back.
 *  - The word of the line at the sender's position is 0: the sender clears the
 *    line after a message before it publishes the message. So the receiver,
 *    which looks at one line only, never takes old payload for a message.
 *  - A message never wraps: a word of kind SKIP sends the receiver to line 0.
 *  - The receiver gives lines back in portions (RING_PORTION); what it withholds
 *    is less than the ring minus the largest message, so nobody waits for it.
 *  - Messages are numbered, as some of a sender's go by the pair's lines (peers.h).
 */
#ifndef CORE_RING_H
#define CORE_RING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/base/number.h"
#include "core/core.h"
#include "core/mem/wire.h"

enum {
    RING_LINE = 64,
    RING_WORD = 8, /* bytes of a message's word */
    RING_ALIGN = 8, /* of head and body */
    RING_BYTES = CORE_SEND_MAX + RING_ALIGN, /* largest payload with its padding */
    RING_LONGEST = (RING_WORD + RING_BYTES + RING_LINE - 1) / RING_LINE, /* lines of it */
    RING_SLOTS = CORE_CHAN_RING / RING_LINE - 1 - RING_LONGEST,
    RING_PORTION = RING_SLOTS / 4,
};

struct ring_line {
    uint64_t word;
    unsigned char payload[RING_LINE - RING_WORD];
};

struct ring {
    uint64_t freed; /* written by the receiver only */
    char pad[RING_LINE - sizeof(uint64_t)];
    struct ring_line pair[RING_LONGEST]; /* peers.h */
    struct ring_line line[RING_SLOTS];
};
_Static_assert(sizeof(struct ring) == CORE_CHAN_RING, "a ring has this size");

/* Of a receiver's area: bytes of mail of `nodes` senders, then their rings. */
static inline struct ring *ring_at(unsigned char *area, unsigned nodes, unsigned sender)
{
    return (struct ring *)(area + core_round_up(nodes, RING_LINE)) + sender;
}

/* The sender's private half. */
struct ring_out {
    struct ring *ring;
    uint64_t used;  /* lines ever used */
    uint64_t freed; /* ring->freed as last read */
    uint64_t stamp; /* of the next message */
    uint32_t slot;  /* where it goes */
};

/* The receiver's private half. */
struct ring_in {
    struct ring *ring;
    uint64_t read;  /* lines ever read */
    uint64_t freed; /* of those, given back */
    uint64_t stamp; /* of the next message */
    uint32_t slot;
};

/* What a message's word holds, lowest bits first. */
struct ring_msg {
    unsigned id, head_n, n;
    unsigned rndv; /* RING_RNDV when the body is a struct core_rndv, which says where it is */
};
enum {
    RING_VALID = 1,
    RING_SKIP = 2,
    RING_RNDV = 4,
    RING_UPPER = 8,
    RING_ID_AT = 8,
    RING_HEAD_AT = 16,
    RING_BODY_AT = 32
};

/* The rest of it is the message's stamp: that it is one, whether the upper of two
 * PEs sent it, and the low bits of its number. */
#define RING_ONE (1ul << 48) /* from one message's stamp to the next one's */
#define RING_STAMP (RING_VALID | RING_UPPER | ~(RING_ONE - 1))

static inline uint64_t ring_first_stamp(bool upper)
{
    return RING_ONE | RING_VALID | (upper ? RING_UPPER : 0);
}

/* The messages ever sent before the one of this stamp, as far as they fit a byte. */
static inline unsigned char ring_count(uint64_t stamp)
{
    return (unsigned char)(stamp / RING_ONE - 1);
}

static inline uint64_t ring_pack(struct ring_msg m, uint64_t stamp)
{
    return stamp | m.rndv | (uint64_t)m.id << RING_ID_AT | (uint64_t)m.head_n << RING_HEAD_AT |
           (uint64_t)m.n << RING_BODY_AT;
}

static inline struct ring_msg ring_unpack(uint64_t word)
{
    return (struct ring_msg){word >> RING_ID_AT & 0xff, word >> RING_HEAD_AT & 0xffff, word >> RING_BODY_AT & 0xffff,
                             word & RING_RNDV};
}

static inline size_t ring_body_at(size_t head_n)
{
    return core_round_up(head_n, RING_ALIGN);
}

static inline uint32_t ring_lines(struct ring_msg m)
{
    return (uint32_t)core_ceil_div(RING_WORD + ring_body_at(m.head_n) + m.n, RING_LINE);
}

/* Room for `lines` lines and the cleared one behind them? */
static inline bool ring_has_room(struct ring_out *o, uint32_t lines)
{
    if (MPT_LIKELY(o->used + lines + 1 - o->freed <= RING_SLOTS))
        return true;
    /* Acquire: the receiver's reads of these lines come before our next stores to them. */
    /* model: ring.room */
    o->freed = __atomic_load_n(&o->ring->freed, __ATOMIC_ACQUIRE);
    return o->used + lines + 1 - o->freed <= RING_SLOTS;
}

/* Publish a word at the sender's position; the next position is `next`. */
static inline void ring_publish(struct ring_out *o, uint64_t word, uint32_t lines, uint32_t next)
{
    /* model: ring.clear */
    __atomic_store_n(&o->ring->line[next].word, 0, __ATOMIC_RELAXED);
    /* Release: payload and the cleared word come before it. */
    /* model: ring.publish */
    __atomic_store_n(&o->ring->line[o->slot].word, word, __ATOMIC_RELEASE);
    o->used += lines;
    o->slot = next;
}

/* Payload first, then the word that says it is there. */
static inline void ring_fill(struct ring_line *to, struct ring_msg m, const void *head, const void *body)
{
    core_copy(to->payload, head, m.head_n);
    core_copy(to->payload + ring_body_at(m.head_n), body, m.n);
}

/* Send one message, or return false when the ring is full. */
static inline bool ring_push(struct ring_out *o, struct ring_msg m, const void *head, const void *body)
{
    uint32_t lines = ring_lines(m);
    uint32_t skip = o->slot + lines > RING_SLOTS ? RING_SLOTS - o->slot : 0;

    if (MPT_UNLIKELY(!ring_has_room(o, skip + lines)))
        return false;
    if (MPT_UNLIKELY(skip))
        ring_publish(o, RING_SKIP, skip, 0);
    ring_fill(&o->ring->line[o->slot], m, head, body);
    ring_publish(o, ring_pack(m, o->stamp), lines, o->slot + lines < RING_SLOTS ? o->slot + lines : 0);
    o->stamp += RING_ONE;
    return true;
}

/* Step over `lines` lines that have been read. Returns true when a portion was given back. */
static inline bool ring_release(struct ring_in *i, uint32_t lines)
{
    i->read += lines;
    i->slot = i->slot + lines < RING_SLOTS ? i->slot + lines : 0;
    if (MPT_LIKELY(i->read - i->freed < RING_PORTION))
        return false;
    i->freed = i->read;
    /* Release: our reads of the lines come before the sender's next stores to them. */
    /* model: ring.release */
    __atomic_store_n(&i->ring->freed, i->freed, __ATOMIC_RELEASE);
    return true;
}

/* Is there something at the receiver's position? */
static inline uint64_t ring_peek(const struct ring_in *i)
{
    /* Acquire: the payload is read after the word. */
    /* model: ring.peek */
    return __atomic_load_n(&i->ring->line[i->slot].word, __ATOMIC_ACQUIRE);
}

/* The same, past the end. Sets *freed when lines were given back. */
static inline uint64_t ring_look(struct ring_in *i, bool *freed)
{
    uint64_t word = ring_peek(i);

    if (MPT_LIKELY(word != RING_SKIP))
        return word;
    *freed |= ring_release(i, RING_SLOTS - i->slot);
    return ring_peek(i);
}

#endif
