/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between PEs: opening and sending; progress.c takes them out. Each PE
 * has in its slice one ring per sender of its node (ring.h) and, before the
 * rings, one "mail" byte per sender: the sender stores the low byte of its
 * message count there, so a receiver finds the rings that hold something by
 * comparing eight bytes at a time with its own counts. Every byte has one writer
 * and no order is needed: a byte that arrives before its message only makes the
 * receiver look again. PEs of other nodes are the network transport's.
 */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>

#include "core/channel.h"
#include "core/internal.h"
#include "core/ring.h"
#include "core/transport.h"

/* A PE of this node. */
struct destination {
    pthread_mutex_t lock; /* among this PE's threads; unused while there is one */
    struct ring_out out;
    unsigned char *mail; /* our byte at the receiver */
    const struct mpt_bell *bell;
    unsigned slice;
};

static pthread_mutex_t open_lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    unsigned n;     /* PEs of this node; 0: no channel is open */
    unsigned first; /* place of mpt_fast's first PE */
    struct destination *dest;
} peers;

static void set_up_destination(struct destination *d, int pe, unsigned nodes, unsigned me)
{
    unsigned char *area = core_chan_area(pe);

    pthread_mutex_init(&d->lock, NULL);
    d->out.ring = ring_at(area, nodes, me);
    d->mail = area + me;
    d->slice = core_slice_of(pe);
    d->bell = &core_ctrl_of(d->slice)->bell;
}

static int set_up(void)
{
    unsigned n = core_node_size(), first, me;
    struct destination *dest;
    int err;

    if (!n)
        return -ENOTCONN;
    first = core_slice_of(core_node_pe(0));
    me = core_seg.idx - first;
    dest = calloc(n, sizeof *dest);
    if (!dest)
        return -ENOMEM;
    for (unsigned i = 0; i < n; i++)
        set_up_destination(&dest[i], core_node_pe(i), n, me);
    if ((err = core_channel_listen(n, me)) != 0) {
        free(dest);
        return err;
    }
    peers.dest = dest;
    peers.first = core_slice_of((int)mpt_fast.node_first) - first;
    peers.n = n;
    return 0;
}

int core_channel_open(unsigned id, core_handler *handler)
{
    int err = 0;

    if (id >= CORE_CHANNEL_MAX || !handler)
        return -EINVAL;
    pthread_mutex_lock(&open_lock);
    if (core_channel_handlers[id] && core_channel_handlers[id] != handler)
        err = -EBUSY;
    if (!err && !peers.n)
        err = set_up();
    if (!err) {
        /* Release: who sees the handler sees the peers. */
        __atomic_store_n(&core_channel_handlers[id], handler, __ATOMIC_RELEASE);
        core_channel_start();
    }
    pthread_mutex_unlock(&open_lock);
    return err;
}

/* ------------------------------------------------------------------ send -- */

/* Place of a PE on this node, or >= peers.n. */
static unsigned place_of(int pe)
{
    unsigned i = mpt_idx(pe);

    if (MPT_LIKELY(i < mpt_fast.node_n))
        return i + peers.first;
    return core_on_node_slow(pe) ? core_slice_of(pe) : UINT_MAX; /* slow: then all slices are in use */
}

static inline int post_on_node(struct destination *d, const struct core_post *p)
{
    struct ring_msg m = {p->id, (unsigned)p->head_n, (unsigned)p->n, 0};
    const void *body = p->body;
    bool threads = !core_one_thread();
    bool sent;

    if (MPT_UNLIKELY(p->far)) {
        m.far = RING_FAR;
        m.n = sizeof *p->far;
        body = p->far;
    }
    if (threads)
        pthread_mutex_lock(&d->lock);
    sent = ring_push(&d->out, m, p->head, body);
    if (sent)
        __atomic_store_n(d->mail, (unsigned char)d->out.count, __ATOMIC_RELAXED);
    if (threads)
        pthread_mutex_unlock(&d->lock);
    if (!sent)
        return -EAGAIN;
    __asm__ volatile("" : : : "memory"); /* as in mpt_notify */
    if (MPT_UNLIKELY(__atomic_load_n(&d->bell->sleeping, __ATOMIC_RELAXED) != MPT_AWAKE))
        core_ring_slice(d->slice);
    return 0;
}

static inline int post_try(const struct core_post *p)
{
    unsigned place = place_of(p->pe);

    if (MPT_LIKELY(place < peers.n))
        return post_on_node(&peers.dest[place], p);
    if (!core_net)
        return -ENOTCONN;
    return core_net->send(p->pe, p->id, p->head, p->head_n, p->body, p->n, p->far);
}

static int __attribute__((noinline)) post_when_there_is_room(const struct core_post *p)
{
    struct core_waiter w;
    int err;

    core_wait_begin(&w, "a send: the receiver does not take its messages");
    while ((err = post_try(p)) == -EAGAIN)
        core_wait_pause(&w); /* makes progress */
    core_wait_end(&w);
    return err;
}

int core_channel_try(const struct core_post *p)
{
    return post_try(p);
}

int core_channel_post(const struct core_post *p)
{
    int err = post_try(p);

    return MPT_LIKELY(err != -EAGAIN) ? err : post_when_there_is_room(p);
}

static bool bad(int pe, unsigned id, size_t head_n, size_t n)
{
    return (unsigned)pe >= (unsigned)core_size() || head_n > CORE_SEND_MAX || n > CORE_SEND_MAX - head_n ||
           !core_channel_is_open(id);
}

int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    if (MPT_UNLIKELY(bad(pe, id, head_n, n)))
        return -EINVAL;
    return post_try(&(struct core_post){pe, id, head, body, head_n, n, NULL});
}

int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    int err = core_send_try(pe, id, head, head_n, body, n);

    return MPT_LIKELY(err != -EAGAIN) ? err : post_when_there_is_room(&(struct core_post){pe, id, head, body, head_n, n, NULL});
}
