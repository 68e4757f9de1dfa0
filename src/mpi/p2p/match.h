/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The matching engine: receives that were posted and messages that arrived, of
 * one context. It knows nothing of requests, types or channels, so that a test
 * can drive it alone.
 *
 * Invariants
 *  - A receive with a known source and tag, and every message, stands in the bin
 *    of (source, tag), oldest first. Receives with a wildcard stand in `order`;
 *    messages stand there too, in order of arrival.
 *  - A message matches the oldest receive: of the first that fits in its bin and
 *    the first that fits among the wildcards the one with the lower number. A
 *    receive without a wildcard looks in one bin; with one, along `order`.
 */
#ifndef MPI_MATCH_H
#define MPI_MATCH_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct match_node;
struct match_link {
    struct match_node *next, *prev;
};
enum match_which { MATCH_BIN, MATCH_ORDER, MATCH_LINKS };
struct match_node {
    struct match_link link[MATCH_LINKS];
    uint64_t number;
    int source, tag;
};
struct match_list {
    struct match_node *first, *last;
};
enum { MATCH_BINS_FIRST = 4, MATCH_BINS_MOST = 1 << 16 };
struct match_side {
    struct match_list order;
    struct match_list *bin; /* NULL: `few` */
    unsigned shift;         /* 32 - log2(bins) */
    unsigned n;             /* nodes in bins */
    struct match_list few[MATCH_BINS_FIRST];
};
struct match_queue {
    uint64_t number; /* of the next receive */
    struct match_side posted, arrived;
};

static inline void match_append(struct match_list *l, struct match_node *n, enum match_which w)
{
    n->link[w].next = NULL;
    n->link[w].prev = l->last;
    if (l->last)
        l->last->link[w].next = n;
    else
        l->first = n;
    l->last = n;
}

static inline void match_unlink(struct match_list *l, struct match_node *n, enum match_which w)
{
    struct match_node *next = n->link[w].next, *prev = n->link[w].prev;

    if (prev)
        prev->link[w].next = next;
    else
        l->first = next;
    if (next)
        next->link[w].prev = prev;
    else
        l->last = prev;
}

static inline struct match_list *match_bin(struct match_side *s, int source, int tag)
{
    uint32_t mixed = (uint32_t)source * 0x9e3779b1u + (uint32_t)tag * 0x85ebca77u;

    return (s->bin ? s->bin : s->few) + (mixed >> s->shift);
}

static inline void match_init(struct match_queue *q)
{
    *q = (struct match_queue){.posted.shift = 30, .arrived.shift = 30};
}

static inline void match_finish(struct match_queue *q)
{
    free(q->posted.bin);
    free(q->arrived.bin);
}

/* More bins; without memory the bins grow long instead. */
__attribute__((cold, noinline)) static void match_grow(struct match_side *s)
{
    unsigned bins = 1u << (32 - s->shift);
    struct match_list *old = s->bin ? s->bin : s->few, *more = calloc(4 * (size_t)bins, sizeof *more), *heap = s->bin;

    if (!more)
        return;
    s->bin = more;
    s->shift -= 2;
    for (unsigned i = 0; i < bins; i++)
        for (struct match_node *n = old[i].first, *next; n; n = next) {
            next = n->link[MATCH_BIN].next;
            match_append(match_bin(s, n->source, n->tag), n, MATCH_BIN);
        }
    free(heap);
}

static inline void match_into_bin(struct match_side *s, struct match_node *n)
{
    if (__builtin_expect(++s->n >> 2 >= 1u << (32 - s->shift), 0) && 1u << (32 - s->shift) < MATCH_BINS_MOST)
        match_grow(s);
    match_append(match_bin(s, n->source, n->tag), n, MATCH_BIN);
}

static inline void match_out_of_bin(struct match_side *s, struct match_node *n)
{
    s->n--;
    match_unlink(match_bin(s, n->source, n->tag), n, MATCH_BIN);
}

static inline bool match_is_wild(int source, int tag)
{
    return source == MPI_ANY_SOURCE || tag == MPI_ANY_TAG;
}

/* A receive begins to wait; its source and tag are set. */
static inline void match_post(struct match_queue *q, struct match_node *n)
{
    n->number = q->number++;
    if (__builtin_expect(match_is_wild(n->source, n->tag), 0))
        match_append(&q->posted.order, n, MATCH_ORDER);
    else
        match_into_bin(&q->posted, n);
}

/* A receive that waits no longer. */
static inline void match_withdraw(struct match_queue *q, struct match_node *n)
{
    if (__builtin_expect(match_is_wild(n->source, n->tag), 0))
        match_unlink(&q->posted.order, n, MATCH_ORDER);
    else
        match_out_of_bin(&q->posted, n);
}

/* The receive that a message of (source, tag) is for, which waits no longer; NULL: hold the message. */
static inline struct match_node *match_arrive(struct match_queue *q, int source, int tag)
{
    struct match_node *n = match_bin(&q->posted, source, tag)->first, *wild = q->posted.order.first;

    while (n && (n->source != source || n->tag != tag))
        n = n->link[MATCH_BIN].next;
    for (; wild; wild = wild->link[MATCH_ORDER].next)
        if ((wild->source == source || wild->source == MPI_ANY_SOURCE) &&
            (wild->tag == tag || wild->tag == MPI_ANY_TAG))
            break;
    if (wild && (!n || wild->number < n->number))
        n = wild;
    if (n)
        match_withdraw(q, n);
    return n;
}

/* A message that nobody waits for; its source and tag are set. */
static inline void match_hold(struct match_queue *q, struct match_node *n)
{
    match_append(&q->arrived.order, n, MATCH_ORDER);
    match_into_bin(&q->arrived, n);
}

/* The oldest message held that fits; it stays. */
static inline struct match_node *match_find(struct match_queue *q, int source, int tag)
{
    struct match_node *n;

    if (__builtin_expect(!match_is_wild(source, tag), 1)) {
        for (n = match_bin(&q->arrived, source, tag)->first; n; n = n->link[MATCH_BIN].next)
            if (n->source == source && n->tag == tag)
                break;
        return n;
    }
    for (n = q->arrived.order.first; n; n = n->link[MATCH_ORDER].next)
        if ((source == MPI_ANY_SOURCE || n->source == source) && (tag == MPI_ANY_TAG || n->tag == tag))
            break;
    return n;
}

/* A message held goes to its receive. */
static inline void match_take(struct match_queue *q, struct match_node *n)
{
    match_unlink(&q->arrived.order, n, MATCH_ORDER);
    match_out_of_bin(&q->arrived, n);
}

#endif
