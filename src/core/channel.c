/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Short messages between the PEs of a node. Each PE has in its slice one ring
 * per sender (ring.h) and, before the rings, one "mail" byte per sender: the
 * sender stores the low byte of its message count there, so a receiver finds
 * the rings that hold something by comparing eight bytes at a time with its own
 * counts. Every byte has one writer and no order is needed: a byte that arrives
 * before its message only makes the receiver look again.
 *
 * Messages are copied out of the ring before the handler runs, so the handler
 * holds no lines. A handler that sends into a full ring waits like anybody else;
 * the core_progress() inside that wait must not run handlers (the order of a
 * sender's messages and the depth of the stack would be lost), so it moves what
 * has arrived into a private queue. That empties this PE's rings: two PEs whose
 * handlers send to each other through full rings therefore both go on. The queue
 * is handled, first come first served, as soon as the handler has returned and
 * before anything else is taken from a ring.
 */
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/internal.h"
#include "core/ring.h"
#include "core/transport.h"

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>
static bool one_thread(void) { return __libc_single_threaded; }
#else
static bool one_thread(void) { return false; }
#endif

enum {
    DRAIN_MAX = 64, /* messages taken from one ring before the others get their turn */
    HOT_MAX = 32,   /* calls that may look at the last sender only */
    MAIL_WORD = 8,  /* mail bytes compared at once */
};

struct destination {
    pthread_mutex_t lock; /* among this PE's threads; unused while there is one */
    struct ring_out out;
    unsigned char *mail; /* our byte at the receiver */
};

struct arrival {
    _Alignas(16) unsigned char data[RING_BYTES];
    struct ring_msg msg;
};

struct stashed {
    struct stashed *next;
    unsigned from;
    struct arrival arrival;
};

static struct {
    pthread_mutex_t lock; /* of core_channel_open */
    core_handler *handler[CORE_CHANNEL_MAX];
    bool open;      /* the rest is valid */
    bool draining;  /* a thread is taking messages out: it owns what follows */
    bool missed;    /* another thread wanted to meanwhile */
    unsigned nodes; /* PEs on this node */
    unsigned hot;   /* sender of the last message */
    unsigned hot_calls;
    struct destination *dest;
    struct ring_in *in;
    unsigned char *seen; /* low byte of in[].count, laid out as the mail bytes */
    const unsigned char *mail;
    struct stashed *stash, **stash_end;
} chan = {.lock = PTHREAD_MUTEX_INITIALIZER, .stash_end = &chan.stash};

/* This thread is taking messages out: what calls core_progress() is a handler. */
static _Thread_local bool in_drain __attribute__((tls_model("initial-exec")));

static unsigned char *area_of(unsigned receiver)
{
    return core_chan_area((int)(receiver + mpt_fast.node_first));
}

static struct ring *ring_at(unsigned receiver, unsigned sender)
{
    size_t mail = (chan.nodes + RING_LINE - 1) / RING_LINE * RING_LINE;

    return (struct ring *)(area_of(receiver) + mail) + sender;
}

static int channel_setup(void)
{
    unsigned me = mpt_idx(mpt_fast.me);
    unsigned n = mpt_fast.node_n;

    if (!n)
        return -ENOTCONN;
    chan.nodes = n;
    chan.dest = calloc(n, sizeof *chan.dest);
    chan.in = calloc(n, sizeof *chan.in);
    chan.seen = calloc((n + MAIL_WORD - 1) / MAIL_WORD, MAIL_WORD);
    if (!chan.dest || !chan.in || !chan.seen) {
        free(chan.dest);
        free(chan.in);
        free(chan.seen);
        return -ENOMEM;
    }
    for (unsigned i = 0; i < n; i++) {
        pthread_mutex_init(&chan.dest[i].lock, NULL);
        chan.dest[i].out.ring = ring_at(i, me);
        chan.dest[i].mail = area_of(i) + me;
        chan.in[i].ring = ring_at(me, i);
    }
    chan.mail = area_of(me);
    chan.hot = me;
    return 0;
}

int core_channel_open(unsigned id, core_handler *handler)
{
    int err = 0;

    if (id >= CORE_CHANNEL_MAX || !handler)
        return -EINVAL;
    pthread_mutex_lock(&chan.lock);
    if (chan.handler[id] && chan.handler[id] != handler)
        err = -EBUSY;
    if (!err && !chan.open)
        err = channel_setup();
    if (!err) {
        __atomic_store_n(&chan.handler[id], handler, __ATOMIC_RELEASE);
        __atomic_store_n(&chan.open, true, __ATOMIC_RELEASE);
        core_progress_due = true;
    }
    pthread_mutex_unlock(&chan.lock);
    return err;
}

/* ------------------------------------------------------------------ send -- */

int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    unsigned idx = mpt_idx(pe);
    bool threads = !one_thread();
    struct destination *d;
    bool sent;

    if (pe < 0 || pe >= core_size() || head_n > CORE_SEND_MAX || n > CORE_SEND_MAX - head_n ||
        id >= CORE_CHANNEL_MAX || !chan.handler[id])
        return -EINVAL;
    if (idx >= chan.nodes)
        return core_net ? core_net->send(pe, id, head, head_n, body, n) : -EHOSTUNREACH;
    d = &chan.dest[idx];
    if (threads)
        pthread_mutex_lock(&d->lock);
    sent = ring_push(&d->out, (struct ring_msg){id, (unsigned)head_n, (unsigned)n}, head, body);
    if (sent)
        __atomic_store_n(d->mail, (unsigned char)d->out.count, __ATOMIC_RELAXED);
    if (threads)
        pthread_mutex_unlock(&d->lock);
    if (!sent)
        return -EAGAIN;
    core_wake_idx(idx);
    return 0;
}

int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n)
{
    int err = core_send_try(pe, id, head, head_n, body, n);
    struct core_waiter w;

    if (MPT_LIKELY(err != -EAGAIN))
        return err;
    core_wait_begin(&w, "a send: the receiver does not take its messages");
    while ((err = core_send_try(pe, id, head, head_n, body, n)) == -EAGAIN)
        core_wait_pause(&w); /* makes progress */
    core_wait_end(&w);
    return err;
}

/* --------------------------------------------------------------- receive -- */

static void handle(unsigned from, const struct arrival *a)
{
    core_handler *handler = __atomic_load_n(&chan.handler[a->msg.id % CORE_CHANNEL_MAX], __ATOMIC_ACQUIRE);
    int pe = (int)(from + mpt_fast.node_first);

    if (!handler)
        core_fatal("a message of PE %d is for channel %u, which this PE has not opened", pe, a->msg.id);
    handler(pe, a->data, a->msg.head_n, a->data + ring_body_at(a->msg.head_n), a->msg.n);
}

static int handle_stash(void)
{
    int handled = 0;

    while (chan.stash) {
        struct stashed *s = chan.stash;

        chan.stash = s->next;
        if (!chan.stash)
            chan.stash_end = &chan.stash;
        handle(s->from, &s->arrival);
        free(s);
        handled++;
    }
    return handled;
}

static bool take(unsigned from, struct arrival *a)
{
    bool freed = false;
    bool got = ring_pop(&chan.in[from], &a->msg, a->data, &freed);

    chan.seen[from] = (unsigned char)chan.in[from].count;
    if (freed)
        core_wake_idx(from);
    return got;
}

static int drain_ring(unsigned from)
{
    static struct arrival a; /* the draining thread's */
    int handled = 0;

    while (handled < DRAIN_MAX && take(from, &a)) {
        handle(from, &a);
        handled++;
        if (MPT_UNLIKELY(chan.stash))
            handled += handle_stash();
    }
    return handled;
}

static int stash_ring(unsigned from)
{
    struct stashed *s;
    int moved = 0;

    while (moved < DRAIN_MAX && ring_peek(&chan.in[from])) {
        s = malloc(sizeof *s);
        if (!s)
            core_fatal("out of memory for messages that arrived while a handler was sending");
        if (!take(from, &s->arrival)) {
            free(s);
            break;
        }
        s->from = from;
        s->next = NULL;
        *chan.stash_end = s;
        chan.stash_end = &s->next;
        moved++;
    }
    return moved;
}

/* Call `drain` for each ring that may hold something. */
static int scan_mail(int drain(unsigned from))
{
    int handled = 0;

    for (unsigned first = 0; first < chan.nodes; first += MAIL_WORD) {
        uint64_t seen, news;

        memcpy(&seen, chan.seen + first, MAIL_WORD);
        news = __atomic_load_n((const uint64_t *)(const void *)(chan.mail + first), __ATOMIC_RELAXED) ^ seen;
        for (unsigned i = first; news; i++, news >>= 8) {
            int here = news & 0xff ? drain(i) : 0;
            if (here)
                chan.hot = i;
            handled += here;
        }
    }
    return handled;
}

/* The line of the sender that was last active first: when it has the answer we
 * wait for, only that line has moved between the cores. */
static int drain(void)
{
    if (chan.hot_calls++ < HOT_MAX) {
        int handled = drain_ring(chan.hot);

        if (handled)
            return handled;
    }
    chan.hot_calls = 0;
    return scan_mail(drain_ring);
}

/* One thread at a time takes messages out. In a process of one thread no locked
 * instruction is needed; a thread that is created later sees the plain store. */
static bool drain_enter(void)
{
    if (one_thread()) {
        chan.draining = true;
        return true;
    }
    if (!__atomic_exchange_n(&chan.draining, true, __ATOMIC_ACQUIRE))
        return true;
    /* The other thread may have passed the ring that holds our message and be on
     * its way out: it must see `missed`, or we must see it out (both seq_cst). */
    __atomic_store_n(&chan.missed, true, __ATOMIC_SEQ_CST);
    return !__atomic_exchange_n(&chan.draining, true, __ATOMIC_SEQ_CST);
}

static void drain_leave(bool handled)
{
    if (one_thread()) {
        chan.draining = false;
        return;
    }
    __atomic_store_n(&chan.draining, false, __ATOMIC_SEQ_CST);
    /* What we handled may be what another thread sleeps for. */
    if (__atomic_load_n(&chan.missed, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&chan.missed, false, __ATOMIC_RELAXED);
        handled = true;
    }
    if (handled)
        core_wake(mpt_fast.me);
}

int core_progress(void)
{
    int handled;

    if (!__atomic_load_n(&chan.open, __ATOMIC_ACQUIRE))
        return 0;
    if (MPT_UNLIKELY(in_drain))
        return scan_mail(stash_ring);
    if (!drain_enter())
        return 0;
    in_drain = true;
    handled = drain();
    in_drain = false;
    drain_leave(handled > 0);
    return handled;
}
