/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies of which nothing but messages can bring a copy: the receiver asks for
 * stretches, the sender's progress answers each with some messages. A few asks
 * are under way at a time, no more than a ring takes, so the answering handler
 * seldom waits. A piece names the pull it is for by a slot in a table and how often
 * it has been used, so nothing that comes is taken for an address.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"
#include "core/channel/internal.h"
#include "core/core.h"

struct ask {
    uint64_t pull; /* the receiver's name for it, which comes back with the pieces */
    uint64_t offset;
    uint32_t n, token;
};

struct piece {
    uint64_t pull, offset;
};

enum { PIECE = CORE_SEND_MAX - sizeof(struct piece), STRETCH = 6 * PIECE, WINDOW = 2 * STRETCH };

struct pull {
    struct core_flow *flow;
    char *to;
    int pe;
    uint32_t token;
    uint64_t start, end; /* of the body: what is wanted */
    uint64_t asked;      /* up to here */
    uint64_t got;        /* bytes */
    uint64_t name;       /* uses of the slot in the table, its number from 1 on below */
};

struct core_pull_slot {
    struct pull *pull; /* NULL: free */
    uint32_t uses, next_free;
};

static struct core_pulls *const table = &core_state.channel.pulls;

static void post(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    struct core_post p = {pe, id, head, body, head_n, n, NULL};
    int err = core_channel_post(&p);

    if (err != 0 && err != -EPIPE) /* a dead one needs no more */
        core_fatal("a piece of a message cannot be sent to PE %d on host %s: %s", pe, core_host(pe), strerror(-err));
}

/* False: no memory. */
static bool grow(void)
{
    uint32_t more = table->n ? 2 * table->n : 16;
    struct core_pull_slot *bigger = realloc(table->slot, more * sizeof *bigger);

    if (!bigger)
        return false;
    table->slot = bigger;
    while (table->n < more) {
        bigger[table->n] = (struct core_pull_slot){NULL, 0, table->free};
        table->free = ++table->n;
    }
    return true;
}

static bool enter(struct pull *p)
{
    struct core_pull_slot *at;
    bool there;

    pthread_mutex_lock(&table->lock);
    there = table->free || grow();
    if (there) {
        at = &table->slot[table->free - 1];
        p->name = (uint64_t)++at->uses << 32 | table->free;
        at->pull = p;
        table->free = at->next_free;
    }
    pthread_mutex_unlock(&table->lock);
    return there;
}

static void leave(const struct pull *p)
{
    uint32_t number = (uint32_t)p->name;

    pthread_mutex_lock(&table->lock);
    table->slot[number - 1].pull = NULL;
    table->slot[number - 1].next_free = table->free;
    table->free = number;
    pthread_mutex_unlock(&table->lock);
}

/* NULL: this PE has asked `pe` for nothing under this name. */
static struct pull *find(uint64_t name, int pe)
{
    uint32_t i = (uint32_t)name - 1;
    struct pull *p = NULL;

    pthread_mutex_lock(&table->lock);
    if (i < table->n)
        p = table->slot[i].pull;
    if (p && (p->name != name || p->pe != pe))
        p = NULL;
    pthread_mutex_unlock(&table->lock);
    return p;
}

static struct ask ask_of(const struct pull *p, uint64_t from, uint64_t end)
{
    return (struct ask){p->name, from, (uint32_t)(end - from), p->token};
}

void core_pull_start(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n)
{
    struct pull *p = malloc(sizeof *p);
    uint64_t end = offset + n, middle = core_min(offset + STRETCH, end), asked = core_min(offset + WINDOW, end);
    struct ask first, second;

    if (!p)
        core_fatal("out of memory for a message of %zu bytes from PE %d", n, rndv->pe);
    __atomic_fetch_add(&f->pulls, 1, __ATOMIC_RELAXED);
    *p = (struct pull){f, to, rndv->pe, rndv->token, offset, end, asked, 0, 0};
    if (!enter(p))
        core_fatal("out of memory for a message of %zu bytes from PE %d", n, rndv->pe);
    first = ask_of(p, offset, middle);
    second = ask_of(p, middle, asked);
    /* From the first ask on it is the handler's, perhaps in another thread. The way
     * through the sender orders the two; release tells it to tools that cannot see that. */
    /* model: publish.set */
    __atomic_store_n(&p->got, 0, __ATOMIC_RELEASE);
    post(rndv->pe, CORE_CHANNEL_PULL, &first, sizeof first, NULL, 0);
    if (second.n > 0)
        post(rndv->pe, CORE_CHANNEL_PULL, &second, sizeof second, NULL, 0);
}

/* At the sender. */
void core_pull_on_ask(const struct core_mail *m)
{
    struct ask a = {0};
    const char *from;

    if (m->head_n == sizeof a)
        memcpy(&a, m->head, sizeof a);
    from = core_rndv_body(a.token, a.offset, a.n, m->from);
    for (uint32_t at = 0; at < a.n; at += PIECE) {
        struct piece piece = {a.pull, a.offset + at};

        post(m->from, CORE_CHANNEL_PIECE, &piece, sizeof piece, from + at, core_min(PIECE, a.n - at));
    }
}

/* At the receiver. Pieces of one ask come in order, those of two may not. */
void core_pull_on_piece(const struct core_mail *m)
{
    struct piece piece = {0};
    struct pull *p;
    uint64_t got;

    if (m->head_n == sizeof piece)
        memcpy(&piece, m->head, sizeof piece);
    p = find(piece.pull, m->from);
    if (!p || piece.offset < p->start || piece.offset > p->asked || m->n > p->asked - piece.offset)
        core_fatal("PE %d on host %s sends %zu bytes of a message body that it was not asked for", m->from,
                   core_host(m->from), m->n);
    /* model: publish.see */
    got = __atomic_load_n(&p->got, __ATOMIC_ACQUIRE) + m->n;
    memcpy(p->to + (piece.offset - p->start), m->body, m->n);
    /* model: publish.set */
    __atomic_store_n(&p->got, got, __ATOMIC_RELEASE);
    if (got == p->end - p->start) {
        /* Release: the data comes before. The flow may be gone at once. */
        leave(p);
        /* model: pull.done */
        __atomic_fetch_sub(&p->flow->pulls, 1, __ATOMIC_RELEASE);
        free(p);
    } else if (p->asked < p->end && p->asked - p->start - got <= WINDOW - STRETCH) {
        struct ask next = ask_of(p, p->asked, core_min(p->asked + STRETCH, p->end));

        p->asked += next.n;
        post(p->pe, CORE_CHANNEL_PULL, &next, sizeof next, NULL, 0);
    }
}
