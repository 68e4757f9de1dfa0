/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that have arrived and were not asked for yet. A receive looks through
 * the newcomers from the first one on; each that it passes over enters an index, so
 * no receive sees it twice. There each has four keys, by source and tag, each given
 * or any, so a receive is as quick with 100,000 messages as with one; and a fifth for
 * functions of the program that look at all.
 *
 * Invariants
 *  - What is in the index arrived before all newcomers.
 *  - Of a bucket's links those with the same key are in order of arrival.
 */
#include <stdlib.h>

#include "pvm/msg/message.h"

enum { ALL = 4, KEYS, BUCKETS_MIN = 64 };
enum { NO_CONTEXT = -1 };

struct link {
    struct link *next, *prev;
    uint64_t key;
    struct pvmi_msg *m;
};

struct pvmi_spot {
    struct link link[KEYS]; /* bit 0: by source, bit 1: by tag */
};

struct pvmi_bucket {
    struct link *first, *last;
};

/* ------------------------------------------------------------------- keys -- */

static uint64_t mix(uint64_t x)
{
    x ^= x >> 31;
    x *= 0x9fb21c651e98df25u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

static uint64_t key_of(int tid, int tag, int context)
{
    return mix(mix(((uint64_t)(uint32_t)tid << 32 | (uint32_t)tag) + 0x9e3779b97f4a7c15u) + (uint32_t)context);
}

static bool fits(const struct pvmi_msg *m, int tid, int tag, int context)
{
    return m->context == context && (tid == -1 || m->src == tid) && (tag == -1 || m->tag == tag);
}

static uint64_t key_of_kind(const struct pvmi_msg *m, unsigned k)
{
    return key_of(k & 1 ? m->src : -1, k & 2 ? m->tag : -1, k == ALL ? NO_CONTEXT : m->context);
}

/* ---------------------------------------------------------------- buckets -- */

static struct pvmi_bucket *bucket_of(uint64_t key)
{
    return &pvmi.msg.index.bucket[key & (pvmi.msg.index.buckets - 1)];
}

static void append(struct link *l)
{
    struct pvmi_bucket *b = bucket_of(l->key);

    l->next = NULL;
    l->prev = b->last;
    *(b->last ? &b->last->next : &b->first) = l;
    b->last = l;
}

static void take_out(struct link *l)
{
    struct pvmi_bucket *b = bucket_of(l->key);

    *(l->prev ? &l->prev->next : &b->first) = l->next;
    *(l->next ? &l->next->prev : &b->last) = l->prev;
}

/* Each bucket's links go to two new ones, in their order. */
static void grow(void)
{
    size_t n = pvmi.msg.index.buckets ? 2 * pvmi.msg.index.buckets : BUCKETS_MIN, before = pvmi.msg.index.buckets;
    struct pvmi_bucket *old = pvmi.msg.index.bucket, *more = calloc(n, sizeof *more);

    if (!more && old)
        return; /* longer chains, then */
    if (!more)
        core_fatal("%s: no memory for the queue of messages", pvmi.call);
    pvmi.msg.index.bucket = more;
    pvmi.msg.index.buckets = n;
    for (size_t i = 0; i < before; i++)
        for (struct link *l = old[i].first, *next; l; l = next) {
            next = l->next;
            append(l);
        }
    free(old);
}

static struct pvmi_spot *spot_new(void)
{
    enum { BATCH = 64 };
    struct pvmi_spot *s = pvmi.msg.index.spare;

    if (!s) {
        if (!(s = malloc(BATCH * sizeof *s)))
            core_fatal("%s: no memory for the queue of messages (%zu wait)", pvmi.call, pvmi.msg.index.n);
        for (int i = 0; i < BATCH; i++)
            s[i].link[0].next = i + 1 < BATCH ? s[i + 1].link : NULL; /* the first member */
    }
    pvmi.msg.index.spare = (struct pvmi_spot *)(void *)s->link[0].next;
    return s;
}

static void enter(struct pvmi_msg *m)
{
    if (pvmi.msg.index.n >= pvmi.msg.index.buckets / 2)
        grow();
    m->spot = spot_new();
    for (unsigned k = 0; k < KEYS; k++) {
        struct link *l = &m->spot->link[k];

        l->m = m;
        l->key = key_of_kind(m, k);
        append(l);
    }
    pvmi.msg.index.n++;
}

void pvmi_queue_remove(struct pvmi_msg *m)
{
    struct pvmi_spot *s = m->spot;

    if (!s)
        return;
    for (unsigned k = 0; k < KEYS; k++)
        take_out(&s->link[k]);
    s->link[0].next = (struct link *)(void *)pvmi.msg.index.spare;
    pvmi.msg.index.spare = s;
    pvmi.msg.index.n--;
    m->spot = NULL;
    pvmi.msg.removals++;
}

/* -------------------------------------------------------------- the queue -- */

static struct pvmi_msg *first_newcomer(void)
{
    struct pvmi_msg *m = pvmi.msg.newcomers.first;

    if (m && !(pvmi.msg.newcomers.first = m->next))
        pvmi.msg.newcomers.last = &pvmi.msg.newcomers.first;
    return m;
}

static struct pvmi_msg *look_up(int tid, int tag, int context)
{
    uint64_t key;

    if (pvmi.msg.index.n == 0)
        return NULL;
    key = key_of(tid, tag, context);
    for (const struct link *l = bucket_of(key)->first; l; l = l->next)
        if (l->key == key && fits(l->m, tid, tag, context))
            return l->m;
    return NULL;
}

struct pvmi_msg *pvmi_queue_find(int tid, int tag, int context, bool take)
{
    struct pvmi_msg *m = look_up(tid, tag, context);

    if (m) {
        if (take)
            pvmi_queue_remove(m);
        return m;
    }
    while ((m = first_newcomer())) {
        bool it = fits(m, tid, tag, context);

        if (it && take)
            return m;
        enter(m);
        if (it)
            return m;
    }
    return NULL;
}

struct pvmi_msg *pvmi_queue_next(struct pvmi_msg *m)
{
    struct pvmi_msg *newcomer;
    const struct link *l;

    while ((newcomer = first_newcomer()))
        enter(newcomer);
    if (pvmi.msg.index.n == 0)
        return NULL;
    l = m ? m->spot->link[ALL].next : bucket_of(key_of(-1, -1, NO_CONTEXT))->first;
    while (l && l != &l->m->spot->link[ALL])
        l = l->next;
    return l ? l->m : NULL;
}

static bool nearly_fits(const struct pvmi_msg *m, int tid, int tag, int context)
{
    int others = (tid != -1 && m->src != tid) + (tag != -1 && m->tag != tag) + (m->context != context);

    return others == 1;
}

const struct pvmi_msg *pvmi_queue_near(int tid, int tag, int context)
{
    const struct link *l = NULL;

    if (pvmi.msg.index.n > 0)
        l = bucket_of(key_of(-1, -1, NO_CONTEXT))->first;
    for (; l; l = l->next)
        if (l == &l->m->spot->link[ALL] && nearly_fits(l->m, tid, tag, context))
            return l->m;
    for (const struct pvmi_msg *m = pvmi.msg.newcomers.first; m; m = m->next)
        if (nearly_fits(m, tid, tag, context))
            return m;
    return NULL;
}

void pvmi_queue_clear(void)
{
    struct pvmi_msg *m;

    while ((m = first_newcomer()))
        pvmi_msg_free(m);
    for (size_t i = 0; i < pvmi.msg.index.buckets; i++)
        while (pvmi.msg.index.bucket[i].first) {
            m = pvmi.msg.index.bucket[i].first->m;
            pvmi_queue_remove(m);
            pvmi_msg_free(m);
        }
}

int pvmi_queue_own(int owner)
{
    int rc = PvmOk;

    for (struct pvmi_msg *m = pvmi_queue_next(NULL); m && rc == PvmOk; m = pvmi_queue_next(m))
        rc = pvmi_msg_own(m, owner);
    return rc;
}
