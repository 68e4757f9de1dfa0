/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies of a middle size that set out for another node before anybody asked: a
 * remote read would cost a round trip more than the message. They stay where the
 * transport has received them until they are fetched and ended like any far body.
 * What a sender may have at a receiver is limited; beyond that its bodies wait at
 * home (far.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/channel.h"
#include "core/internal.h"
#include "core/transport.h"

enum {
    LEAST = 16 << 10,     /* what a body counts at least: it keeps a buffer of the transport */
    BUDGET = 1 << 20,     /* bytes that one sender may have at a receiver ... */
    BUDGET_ALL = 64 << 20 /* ... and all senders together, however many */
};

struct body {
    struct body *next;
    uint64_t id, n;
    const void *data;
    void *landing; /* the transport's */
};

struct peer {
    struct body *first, **last; /* of this sender */
    uint64_t taken;     /* bytes that it may send again and was not told so yet */
    uint64_t out, next; /* to this receiver: bytes, and the next body's id */
};

static struct {
    pthread_mutex_t lock;
    struct peer *peer;
    uint64_t budget;
} push = {.lock = PTHREAD_MUTEX_INITIALIZER};

int core_push_start(void)
{
    uint64_t n = (uint64_t)core_size();

    push.peer = calloc(n, sizeof *push.peer);
    if (!push.peer) {
        core_error("no memory for what %d PEs may push", core_size());
        return -ENOMEM;
    }
    for (uint64_t i = 0; i < n; i++)
        push.peer[i].last = &push.peer[i].first;
    push.budget = BUDGET_ALL / n < BUDGET ? BUDGET_ALL / n : BUDGET;
    return 0;
}

/* What lies there goes with the transport's buffers. */
void core_push_stop(void)
{
    for (int pe = 0; push.peer && pe < core_size(); pe++)
        for (struct body *b = push.peer[pe].first, *next; b; b = next) {
            next = b->next;
            free(b);
        }
    free(push.peer);
    push.peer = NULL;
}

static uint64_t cost(uint64_t n)
{
    return n < LEAST ? LEAST : n;
}

/* ---------------------------------------------------------------- sender -- */

size_t core_push_most(int pe)
{
    size_t most;

    if (MPT_LIKELY(!core_net_on) || !core_net->push || core_on_node(pe))
        return 0;
    most = core_net->push_most();
    return most < core_params.push_max ? most : core_params.push_max;
}

static bool take_budget(struct peer *p, size_t n, uint64_t *id)
{
    bool enough;

    pthread_mutex_lock(&push.lock);
    enough = p->out + cost(n) <= push.budget;
    if (enough) {
        p->out += cost(n);
        *id = p->next++;
    }
    pthread_mutex_unlock(&push.lock);
    return enough;
}

void core_push_granted(int from, uint64_t n)
{
    struct peer *p = &push.peer[from];
    bool rubbish;

    pthread_mutex_lock(&push.lock);
    rubbish = n > p->out;
    p->out -= rubbish ? 0 : n;
    pthread_mutex_unlock(&push.lock);
    if (rubbish)
        core_fatal("PE %d on host %s has taken %llu bytes more than were sent to it", from, core_host(from), (unsigned long long)n);
}

int core_push_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    struct core_far far = {.pe = core_me(), .token = CORE_TOKEN_PUSHED, .n = n};
    int err;

    if ((unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX - sizeof far || !n || !core_channel_is_open(id))
        return -EINVAL;
    if (n > core_push_most(pe) || !take_budget(&push.peer[pe], n, &far.addr))
        return -ENOBUFS;
    if ((err = core_net->push(pe, id, head, head_n, body, &far)) != 0)
        core_push_granted(pe, cost(n));
    return err;
}

/* -------------------------------------------------------------- receiver -- */

void core_push_arrived(const struct core_far *far, const void *data, size_t n, void *landing)
{
    struct peer *p = &push.peer[far->pe];
    struct body *b = malloc(sizeof *b);

    if (!b)
        core_fatal("out of memory for a message of %zu bytes that came over the network", n);
    if (!core_push_is(far) || far->n != n)
        core_fatal("PE %d on host %s pushes %zu bytes of a body of %llu bytes", far->pe, core_host(far->pe), n,
                   (unsigned long long)far->n);
    *b = (struct body){NULL, far->addr, n, data, landing};
    pthread_mutex_lock(&push.lock);
    *p->last = b;
    p->last = &b->next;
    pthread_mutex_unlock(&push.lock);
}

/* With the lock. */
static struct body **find(const struct core_far *far)
{
    struct body **at = &push.peer[far->pe].first;

    while (*at && (*at)->id != far->addr)
        at = &(*at)->next;
    if (!*at)
        core_fatal("a message body of %llu bytes from PE %d is wanted that is not there (core_fetch_end called twice?)",
                   (unsigned long long)far->n, far->pe);
    return at;
}

const void *core_push_here(const struct core_far *far)
{
    const void *data;

    pthread_mutex_lock(&push.lock);
    data = (*find(far))->data;
    pthread_mutex_unlock(&push.lock);
    return data;
}

/* The sender is told of much at a time. */
void core_push_end(const struct core_far *far)
{
    struct peer *p = &push.peer[far->pe];
    struct body **at, *b;
    uint64_t told = 0;

    pthread_mutex_lock(&push.lock);
    at = find(far);
    b = *at;
    *at = b->next;
    if (!b->next)
        p->last = at;
    p->taken += cost(b->n);
    if (p->taken >= push.budget / 2) {
        told = p->taken;
        p->taken = 0;
    }
    pthread_mutex_unlock(&push.lock);
    core_net->land(b->landing);
    if (told > 0)
        core_net->grant(far->pe, told);
    free(b);
}
