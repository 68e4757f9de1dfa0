/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bodies that stay at their sender until the receiver knows where to. How a body
 * is read, the best way first:
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

#include "core/channel/channel.h"
#include "core/internal.h"
#include "core/live/dead.h"
#include "core/rma/transport.h"

/* ------------------------------------------------- sender: bodies that are out -- */

struct entry {
    struct core_sending *sending; /* NULL: free */
    const char *body;
    uint64_t n;
    uint32_t uses;
    uint32_t next_free;
    bool pinned;
};

enum { INDEX_BITS = 20, USES_BITS = 11, INDEX_MASK = (1 << INDEX_BITS) - 1, USES_MASK = (1 << USES_BITS) - 1, NONE = INDEX_MASK };
#define TOKEN_PULL 0x80000000u /* only messages bring this body */

static struct {
    pthread_mutex_t lock;
    struct entry *entry;
    uint32_t n, free;
} out = {.lock = PTHREAD_MUTEX_INITIALIZER, .free = NONE};

static int grow(void)
{
    uint32_t more = out.n ? out.n * 2 : 64;
    struct entry *bigger;

    if (more > NONE)
        more = NONE;
    if (more == out.n || !(bigger = realloc(out.entry, more * sizeof *bigger)))
        return -ENOMEM;
    out.entry = bigger;
    for (uint32_t i = more; i-- > out.n;) {
        out.entry[i] = (struct entry){.next_free = out.free};
        out.free = i;
    }
    out.n = more;
    return 0;
}

static int take_entry(struct core_sending *s, const void *body, size_t n)
{
    int err = 0;

    pthread_mutex_lock(&out.lock);
    if (out.free == NONE)
        err = grow();
    if (!err) {
        uint32_t i = out.free;
        struct entry *e = &out.entry[i];

        out.free = e->next_free;
        *e = (struct entry){.sending = s, .body = body, .n = n, .uses = (e->uses + 1) & USES_MASK};
        s->token = e->uses << INDEX_BITS | i;
    }
    pthread_mutex_unlock(&out.lock);
    return err;
}

/* Call with the lock held. NULL: no such body. */
static struct entry *find(uint32_t token)
{
    uint32_t i = token & INDEX_MASK;
    struct entry *e = i < out.n ? &out.entry[i] : NULL;

    return e && e->sending && e->uses == (token >> INDEX_BITS & USES_MASK) ? e : NULL;
}

/* Take the body back; false when it was not out. */
static bool take_back(uint32_t token)
{
    struct core_sending *s = NULL;
    struct entry *e;
    void (*ended)(struct core_sending *);
    void *pin = NULL;

    pthread_mutex_lock(&out.lock);
    e = find(token);
    if (e) {
        s = e->sending;
        pin = e->pinned ? s->pin : NULL;
        e->sending = NULL;
        e->next_free = out.free;
        out.free = token & INDEX_MASK;
    }
    pthread_mutex_unlock(&out.lock);
    if (!s)
        return false;
    if (pin)
        core_net->unpin(pin);
    ended = s->ended;
    /* The last touch, unless somebody wants to be called: the owner may use the
     * memory anew. Release: all reads of the body came before. */
    __atomic_store_n(&s->state, 0, __ATOMIC_RELEASE);
    if (ended)
        ended(s);
    return true;
}

void core_sending_drop(struct core_sending *s)
{
    s->ended = NULL;
    if (__atomic_load_n(&s->state, __ATOMIC_ACQUIRE) != 0)
        take_back(s->token);
}

static void end_body(uint32_t token, int pe)
{
    if (!take_back(token))
        core_fatal("PE %d on host %s ends a message body that is not there (core_fetch_end called twice?)", pe, core_host(pe));
}

void core_far_on_end(const struct core_mail *m)
{
    uint32_t token = CORE_TOKEN_PUSHED; /* no body's */

    if (m->head_n == sizeof token)
        memcpy(&token, m->head, sizeof token);
    end_body(token, m->from);
}

const void *core_far_body(uint32_t token, uint64_t offset, uint64_t n, int asking_pe)
{
    const char *at = NULL;
    struct entry *e;

    pthread_mutex_lock(&out.lock);
    e = find(token);
    if (e && offset <= e->n && n <= e->n - offset)
        at = e->body + offset;
    pthread_mutex_unlock(&out.lock);
    if (!at)
        core_fatal("PE %d on host %s fetches %llu bytes at %llu of a message body that is not there (core_fetch after core_fetch_end?)",
                   asking_pe, core_host(asking_pe), (unsigned long long)n, (unsigned long long)offset);
    return at;
}

/* ------------------------------------------------------------- ways to read -- */

/* For tests a way can be forced where it is possible. */
enum way { AUTO, CMA, PULL, WAYS };
static const char *const way_names[WAYS] = {[AUTO] = "auto", [CMA] = "cma", [PULL] = "pull"};

static enum way way_wanted(void)
{
    static int known = -1; /* every thread finds the same */
    int way = __atomic_load_n(&known, __ATOMIC_RELAXED);

    if (way >= 0)
        return (enum way)way;
    for (way = AUTO; way < WAYS && strcmp(core_params.far, way_names[way]) != 0;)
        way++;
    if (way == WAYS)
        core_fatal("MPT_FAR=%s: expected auto, cma or pull", core_params.far);
    __atomic_store_n(&known, way, __ATOMIC_RELAXED);
    return (enum way)way;
}

static char *slice_of(int pe)
{
    return core_seg.slices + core_slice_of(pe) * core_seg.header->stride;
}

/* key 0: addr is an offset in the sender's slice; else: an address of the sender,
 * and key lets peers reach its memory. */
static void place_on_node(const void *body, size_t n, struct core_far *far)
{
    const char *place = way_wanted() == AUTO ? core_own_place(body, n) : NULL;

    if (place) {
        far->addr = (uint64_t)(place - core_seg.own);
        far->key = 0;
        return;
    }
    far->addr = (uintptr_t)body;
    far->key = core_reach_key();
}

static int place_on_network(const void *body, size_t n, struct core_far *far, struct core_sending *s)
{
    int err = core_net->pin(body, n, far, &s->pin);

    if (err == 0) {
        pthread_mutex_lock(&out.lock);
        find(far->token)->pinned = true;
        pthread_mutex_unlock(&out.lock);
    }
    return err;
}

static int place(int pe, const void *body, size_t n, struct core_far *far, struct core_sending *s)
{
    int err = 0;

    if (way_wanted() == PULL)
        far->token |= TOKEN_PULL;
    else if (core_on_node(pe))
        place_on_node(body, n, far);
    else if ((err = core_net ? place_on_network(body, n, far, s) : -ENOTCONN) == -ENOTSUP) {
        far->token |= TOKEN_PULL;
        err = 0;
    }
    return err;
}

static int send_far(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n, struct core_sending *s,
                    int channel_post(const struct core_post *p))
{
    struct core_far far = {.pe = core_me(), .n = n};
    struct core_post post = {pe, id, head, body, head_n, n, NULL};
    int err;

    s->state = 0;
    s->pin = NULL;
    if ((unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX - sizeof far || (!body && n) || !core_channel_is_open(id))
        return -EINVAL;
    if (n <= CORE_SEND_MAX - head_n)
        return channel_post(&post);
    if ((err = take_entry(s, body, n)) != 0)
        return err;
    far.token = s->token;
    if ((err = place(pe, body, n, &far, s)) == 0) {
        __atomic_store_n(&s->state, 1, __ATOMIC_RELAXED); /* the post publishes it */
        post.body = NULL;
        post.n = 0;
        post.far = &far;
        err = channel_post(&post);
    }
    if (err != 0) {
        s->ended = NULL;
        take_back(s->token);
    }
    return err;
}

bool core_far_loads(int pe, const void *body, size_t n)
{
    return way_wanted() == AUTO && core_on_node(pe) && core_own_place(body, n);
}

int core_send_far(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n, struct core_sending *s)
{
    s->ended = NULL;
    return send_far(pe, id, head, head_n, body, n, s, core_channel_post);
}

int core_send_far_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                      struct core_sending *s, void (*ended)(struct core_sending *s))
{
    s->ended = ended;
    return send_far(pe, id, head, head_n, body, n, s, core_channel_try);
}

/* ------------------------------------------------------------------ receiver -- */

/* False: what is there must be pulled. */
static bool read_on_node(void *to, const struct core_far *far, size_t offset, size_t n)
{
    const char *from;

    if (far->key && far->pe != core_me())
        return core_reach_may(far->pe, far->key) && core_reach_read(far->pe, to, far->addr + offset, n);
    from = (far->key ? (const char *)(uintptr_t)far->addr : slice_of(far->pe) + far->addr) + offset;
    if (from != to)
        core_copy(to, from, n);
    return true;
}

void core_fetch(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n)
{
    if (offset > far->n || n > far->n - offset)
        core_fatal("a fetch of %zu bytes at %zu of a message body of %llu bytes from PE %d", n, offset, (unsigned long long)far->n,
                   far->pe);
    if (n == 0)
        return;
    if (core_push_is(far))
        core_push_fetch(f, to, far, offset, n);
    else if (far->token & TOKEN_PULL)
        core_pull_start(f, to, far, offset, n);
    else if (!core_on_node(far->pe))
        core_net->fetch(f, to, far, offset, n);
    else if (!read_on_node(to, far, offset, n))
        core_pull_start(f, to, far, offset, n);
}

const void *core_far_here(const struct core_far *far)
{
    if (MPT_UNLIKELY(core_push_is(far)))
        return core_push_here(far);
    if (far->token & TOKEN_PULL || !core_on_node(far->pe) || (far->key && far->pe != core_me()))
        return NULL;
    return far->key ? (const void *)(uintptr_t)far->addr : slice_of(far->pe) + far->addr;
}

/* Nobody else is to be told, or not now. */
static bool end_here(const struct core_far *far)
{
    if (core_push_is(far))
        core_push_end(far);
    else if (far->pe == core_me())
        end_body(far->token, far->pe);
    else
        return false;
    return true;
}

bool core_fetch_end_try(const struct core_far *far)
{
    struct core_post post = {far->pe, CORE_CHANNEL_END, &far->token, NULL, sizeof far->token, 0, NULL};
    int err;

    if (end_here(far))
        return true;
    if ((err = core_channel_try(&post)) == 0)
        return true;
    if (err == -EPIPE) /* the body's owner has gone */
        return true;
    if (err != -EAGAIN)
        core_fatal("cannot tell PE %d on host %s that its message has been taken: %s", far->pe, core_host(far->pe), strerror(-err));
    return false;
}

void core_fetch_end(const struct core_far *far)
{
    struct core_post post = {far->pe, CORE_CHANNEL_END, &far->token, NULL, sizeof far->token, 0, NULL};
    int err;

    if (end_here(far))
        return;
    if ((err = core_channel_post(&post)) != 0 && err != -EPIPE)
        core_fatal("cannot tell PE %d on host %s that its message has been taken: %s", far->pe, core_host(far->pe), strerror(-err));
}
