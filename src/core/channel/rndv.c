/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that stay at their sender until the receiver knows where to. How a body
 * is read, the best method first:
 *   slice  it lies in symmetric memory that the receiver maps: a copy
 *   cma    process_vm_readv, where the kernel lets PEs of a node do that
 *   net    a read by the network transport, which has registered the body
 *   pull   the sender sends pieces as messages (pull.c)
 * Middle sizes set out for other nodes before they are asked for (push.c).
 *
 * The sender keeps a table of the bodies that are out. A token names an entry and
 * counts its uses, so a receiver that ends a body twice is found out.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/channel/internal.h"
#include "core/internal.h"
#include "core/live/dead.h"
#include "core/rma/transport.h"

/* ------------------------------------------------- sender: bodies that are out -- */

struct core_body {
    struct core_sending *sending; /* NULL: free */
    const char *body;
    uint64_t n;
    uint32_t uses;
    uint32_t next_free;
    bool registered;
};

enum {
    INDEX_BITS = CORE_BODY_INDEX_BITS,
    USES_BITS = 11,
    INDEX_MASK = (1 << INDEX_BITS) - 1,
    USES_MASK = (1 << USES_BITS) - 1,
    NONE = CORE_BODY_NONE
};
#define TOKEN_PULL 0x80000000u /* only messages bring this body */

static struct core_bodies *const out = &core_state.channel.bodies;

static int grow(void)
{
    uint32_t more = out->n ? out->n * 2 : 64;
    struct core_body *bigger;

    if (more > NONE)
        more = NONE;
    if (more == out->n || !(bigger = realloc(out->entry, more * sizeof *bigger)))
        return -ENOMEM;
    out->entry = bigger;
    for (uint32_t i = more; i-- > out->n;) {
        out->entry[i] = (struct core_body){.next_free = out->free};
        out->free = i;
    }
    out->n = more;
    return 0;
}

static int take_entry(struct core_sending *s, const void *body, size_t n)
{
    int err = 0;

    pthread_mutex_lock(&out->lock);
    if (out->free == NONE)
        err = grow();
    if (!err) {
        uint32_t i = out->free;
        struct core_body *e = &out->entry[i];

        out->free = e->next_free;
        *e = (struct core_body){.sending = s, .body = body, .n = n, .uses = (e->uses + 1) & USES_MASK};
        s->token = e->uses << INDEX_BITS | i;
    }
    pthread_mutex_unlock(&out->lock);
    return err;
}

/* Call with the lock held. NULL: no such body. */
static struct core_body *find(uint32_t token)
{
    uint32_t i = token & INDEX_MASK;
    struct core_body *e = i < out->n ? &out->entry[i] : NULL;

    return e && e->sending && e->uses == (token >> INDEX_BITS & USES_MASK) ? e : NULL;
}

/* Take the body back; false when it was not out. */
static bool take_back(uint32_t token)
{
    struct core_sending *s = NULL;
    struct core_body *e;
    void (*ended)(struct core_sending *);
    void *registration = NULL;

    pthread_mutex_lock(&out->lock);
    e = find(token);
    if (e) {
        s = e->sending;
        registration = e->registered ? s->registration : NULL;
        e->sending = NULL;
        e->next_free = out->free;
        out->free = token & INDEX_MASK;
    }
    pthread_mutex_unlock(&out->lock);
    if (!s)
        return false;
    if (registration)
        core_state.rma.net->unpin(registration);
    ended = s->ended;
    /* The last touch, unless somebody wants to be called: the owner may use the
     * memory anew. Release: all reads of the body came before. */
    /* model: rndv.end */
    __atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
    if (ended)
        ended(s);
    return true;
}

void core_sending_drop(struct core_sending *s)
{
    s->ended = NULL;
    /* model: rndv.ended */
    if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) != 0)
        take_back(s->token);
}

static void end_body(uint32_t token, int pe)
{
    if (!take_back(token))
        core_fatal("PE %d on host %s ends a message body that is not there (core_fetch_end called twice?)", pe,
                   core_host(pe));
}

void core_rndv_on_end(const struct core_mail *m)
{
    uint32_t token = CORE_TOKEN_PUSHED; /* no body's */

    if (m->head_n == sizeof token)
        memcpy(&token, m->head, sizeof token);
    end_body(token, m->from);
}

const void *core_rndv_body(uint32_t token, uint64_t offset, uint64_t n, int asking_pe)
{
    const char *at = NULL;
    struct core_body *e;

    pthread_mutex_lock(&out->lock);
    e = find(token);
    if (e && offset <= e->n && n <= e->n - offset)
        at = e->body + offset;
    pthread_mutex_unlock(&out->lock);
    if (!at)
        core_fatal("PE %d on host %s fetches %llu bytes at %llu of a message body that is not there (core_fetch after "
                   "core_fetch_end?)",
                   asking_pe, core_host(asking_pe), (unsigned long long)n, (unsigned long long)offset);
    return at;
}

/* ---------------------------------------------------------- methods to read -- */

static char *slice_of(int pe)
{
    return core_seg->slices + core_slice_of(pe) * core_seg->header->stride;
}

static int locate_on_network(const void *body, size_t n, struct core_rndv *rndv, struct core_sending *s)
{
    int err = core_state.rma.net ? core_state.rma.net->registration(body, n, rndv, &s->registration) : -ENOTCONN;

    if (err == 0) {
        pthread_mutex_lock(&out->lock);
        find(rndv->token)->registered = true;
        pthread_mutex_unlock(&out->lock);
    } else if (err == -ENOTSUP) {
        rndv->token |= TOKEN_PULL;
        err = 0;
    }
    return err;
}

/* Where `pe` finds the body. On a node, key 0: addr is an offset in this PE's slice; else: an address of this PE, and
 * key lets peers reach its memory. */
static int locate(int pe, const void *body, size_t n, struct core_rndv *rndv, struct core_sending *s)
{
    const enum core_word method = core_params.rndv;
    const char *own;

    if (method == CORE_RNDV_PULL) {
        rndv->token |= TOKEN_PULL;
        return 0;
    }
    if (!core_on_node(pe))
        return locate_on_network(body, n, rndv, s);
    own = method == CORE_RNDV_AUTO ? core_own_address(body, n) : NULL;
    rndv->addr = own ? (uint64_t)(own - core_seg->own) : (uintptr_t)body;
    rndv->key = own ? 0 : core_cma_key();
    return 0;
}

static int send_rndv(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                     struct core_sending *s, int channel_post(const struct core_post *p))
{
    struct core_rndv rndv = {.pe = core_me(), .n = n};
    struct core_post post = {pe, id, head, body, head_n, n, NULL};
    int err;

    s->state = 0;
    s->registration = NULL;
    if ((unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX - sizeof rndv || (!body && n) ||
        !core_channel_is_open(id))
        return -EINVAL;
    if (n <= CORE_SEND_MAX - head_n)
        return channel_post(&post);
    if ((err = take_entry(s, body, n)) != 0)
        return err;
    rndv.token = s->token;
    if ((err = locate(pe, body, n, &rndv, s)) == 0) {
        __atomic_store_n(&s->state, 1, __ATOMIC_RELAXED); /* the post publishes it */
        post.body = NULL;
        post.n = 0;
        post.rndv = &rndv;
        err = channel_post(&post);
    }
    if (err != 0) {
        s->ended = NULL;
        take_back(s->token);
    }
    return err;
}

bool core_rndv_loads(int pe, const void *body, size_t n)
{
    return core_params.rndv == CORE_RNDV_AUTO && core_on_node(pe) && core_own_address(body, n);
}

int core_send_rndv(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                   struct core_sending *s)
{
    s->ended = NULL;
    return send_rndv(pe, id, head, head_n, body, n, s, core_channel_post);
}

int core_send_rndv_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                       struct core_sending *s, void (*ended)(struct core_sending *s))
{
    s->ended = ended;
    return send_rndv(pe, id, head, head_n, body, n, s, core_channel_try);
}

/* ------------------------------------------------------------------ receiver -- */

/* False: what is there must be pulled. */
static bool read_on_node(void *to, const struct core_rndv *rndv, size_t offset, size_t n)
{
    const char *from;

    if (rndv->key && rndv->pe != core_me())
        return core_cma_may(rndv->pe, rndv->key) && core_cma_read(rndv->pe, to, rndv->addr + offset, n);
    from = (rndv->key ? (const char *)(uintptr_t)rndv->addr : slice_of(rndv->pe) + rndv->addr) + offset;
    if (from != to)
        core_copy(to, from, n);
    return true;
}

void core_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n)
{
    if (offset > rndv->n || n > rndv->n - offset)
        core_fatal("a fetch of %zu bytes at %zu of a message body of %llu bytes from PE %d", n, offset,
                   (unsigned long long)rndv->n, rndv->pe);
    if (n == 0)
        return;
    if (core_push_is(rndv))
        core_push_fetch(f, to, rndv, offset, n);
    else if (rndv->token & TOKEN_PULL)
        core_pull_start(f, to, rndv, offset, n);
    else if (!core_on_node(rndv->pe))
        core_state.rma.net->fetch(f, to, rndv, offset, n);
    else if (!read_on_node(to, rndv, offset, n))
        core_pull_start(f, to, rndv, offset, n);
}

const void *core_rndv_here(const struct core_rndv *rndv)
{
    if (MPT_UNLIKELY(core_push_is(rndv)))
        return core_push_here(rndv);
    if (rndv->token & TOKEN_PULL || !core_on_node(rndv->pe) || (rndv->key && rndv->pe != core_me()))
        return NULL;
    return rndv->key ? (const void *)(uintptr_t)rndv->addr : slice_of(rndv->pe) + rndv->addr;
}

/* Nobody else is to be told, or not now. */
static bool end_here(const struct core_rndv *rndv)
{
    if (core_push_is(rndv))
        core_push_end(rndv);
    else if (rndv->pe == core_me())
        end_body(rndv->token, rndv->pe);
    else
        return false;
    return true;
}

bool core_fetch_end_try(const struct core_rndv *rndv)
{
    struct core_post post = {rndv->pe, CORE_CHANNEL_END, &rndv->token, NULL, sizeof rndv->token, 0, NULL};
    int err;

    if (end_here(rndv))
        return true;
    if ((err = core_channel_try(&post)) == 0)
        return true;
    if (err == -EPIPE) /* the body's owner has gone */
        return true;
    if (err != -EAGAIN)
        core_fatal("cannot tell PE %d on host %s that its message has been taken: %s", rndv->pe, core_host(rndv->pe),
                   strerror(-err));
    return false;
}

void core_fetch_end(const struct core_rndv *rndv)
{
    struct core_post post = {rndv->pe, CORE_CHANNEL_END, &rndv->token, NULL, sizeof rndv->token, 0, NULL};
    int err;

    if (end_here(rndv))
        return;
    if ((err = core_channel_post(&post)) != 0 && err != -EPIPE)
        core_fatal("cannot tell PE %d on host %s that its message has been taken: %s", rndv->pe, core_host(rndv->pe),
                   strerror(-err));
}
