/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The receiving side of the channel: takes messages out of the rings and runs
 * their handlers.
 *
 * Messages are copied out of the ring before the handler runs, so the handler
 * holds no lines. A handler that sends into a full ring waits like anybody else;
 * the core_progress() inside that wait must not run handlers (the order of a
 * sender's messages and the depth of the stack would be lost), so it moves what
 * has arrived into a private queue. That empties this PE's rings: two PEs whose
 * handlers send to each other through full rings therefore both go on. The queue
 * is handled, first come first served, as soon as the handler has returned and
 * before anything else is taken from a ring.
 *
 * A message of another node is always queued first: the network makes progress
 * inside puts too, in any thread and with the transport's locks held, where no
 * handler may run. A sender is on this node or not, so its messages take one way
 * and stay in order.
 *
 * A message for a channel that this PE has not opened yet is kept: its sender may
 * have started a face (PVM, say) that this PE will start later, and meanwhile this
 * PE makes progress in another face. Kept ones are handled before any later one
 * of the same channel.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/adversary/adversary.h"
#include "core/base/number.h"
#include "core/channel/internal.h"
#include "core/channel/peers.h"
#include "core/internal.h"
#include "core/rma/late.h"
#include "core/rma/transport.h"

enum {
    DRAIN_MAX = 64, /* messages taken from one ring before the others get their turn */
    HOT_MAX = 32,   /* calls that may look at the last sender only */
    MAIL_WORD = 8,  /* mail bytes compared at once */
    AHEAD = 3,      /* lines asked for before their turn: 6 did the same, 12 less */
};

struct arrival {
    _Alignas(16) unsigned char data[RING_BYTES]; /* as in the ring: head, padding, body */
    struct ring_msg msg;
};

struct core_queued {
    struct core_queued *next;
    int from;
    struct ring_msg msg;
    _Alignas(16) unsigned char data[];
};

static struct core_inbox *const inbox = &core_state.channel.inbox;
static struct core_from_network *const network = &core_state.channel.network;

int core_channel_listen(unsigned nodes, unsigned now, unsigned me)
{
    unsigned char *area = core_chan_area(core_me());

    inbox->seen = calloc(core_ceil_div(nodes, MAIL_WORD), MAIL_WORD);
    if (!inbox->seen)
        return -ENOMEM;
    inbox->nodes = now;
    inbox->mail = area;
    inbox->hot = me;
    return 0;
}

static void queue_clear(struct core_queue *q)
{
    struct core_queued *m;

    while ((m = q->first)) {
        q->first = m->next;
        free(m);
    }
    q->last = &q->first;
}

void core_channel_stop_listening(void)
{
    queue_clear(&inbox->stash);
    queue_clear(&inbox->early);
    memset(inbox->early_n, 0, sizeof inbox->early_n);
    free(inbox->seen);
    inbox->nodes = 0;
    core_thread.channel.in_drain = core_peers->draining = false; /* a child forked in a handler, say */
    core_bias_forget();
}

void core_channel_unsee(unsigned index)
{
    inbox->seen[index] = 0;
}

/* In an open job: which processes came meanwhile, and which have gone for good. */
static void look_round(bool handling)
{
    core_channel_grow();
    inbox->nodes = core_peers->n;
    core_wait_retune();
    if (handling)
        core_recycle_attend();
}

void core_channel_start(void)
{
    /* model: publish.set */
    __atomic_store_n(&inbox->open, true, __ATOMIC_RELEASE);
    /* model: publish.set */
    __atomic_store_n(&inbox->opened, true, __ATOMIC_RELEASE); /* the handler comes before */
    core_progress_needed();
}

/* `first` is looked at by threads that do not hold what guards the rest of a queue. */
static void queue_add(struct core_queue *q, struct core_queued *m)
{
    m->next = NULL;
    __atomic_store_n(q->last, m, __ATOMIC_RELAXED);
    q->last = &m->next;
}

/* All that is in it: the first. */
static struct core_queued *queue_take(struct core_queue *q)
{
    struct core_queued *m = q->first;

    __atomic_store_n(&q->first, NULL, __ATOMIC_RELAXED);
    q->last = &q->first;
    return m;
}

static bool queue_empty(const struct core_queue *q)
{
    return __atomic_load_n(&q->first, __ATOMIC_RELAXED) == NULL;
}

bool core_channel_has_early(void)
{
    return !queue_empty(&inbox->early);
}

static struct core_queued *new_queued(int from, size_t bytes)
{
    struct core_queued *m = malloc(sizeof *m + bytes);

    if (!m)
        core_fatal("out of memory for messages that arrived before they could be handled");
    m->from = from;
    return m;
}

static core_handler *handler_of(unsigned id)
{
    /* model: publish.see */
    return id < CORE_CHANNEL_IDS ? __atomic_load_n(&core_state.channel.handlers[id], __ATOMIC_ACQUIRE) : NULL;
}

static void keep_early(int from, const struct ring_msg *m, const unsigned char *data)
{
    size_t n = ring_body_at(m->head_n) + m->n;
    struct core_queued *q;

    if (m->id >= CORE_CHANNEL_IDS)
        core_fatal("a message of PE %d on host %s is for channel %u, which does not exist", from, core_host(from),
                   m->id);
    q = new_queued(from, n);
    q->msg = *m;
    memcpy(q->data, data, n);
    queue_add(&inbox->early, q);
    inbox->early_n[m->id]++;
}

static void call(core_handler *handler, int from, const struct ring_msg *m, const unsigned char *data)
{
    const unsigned char *body = data + ring_body_at(m->head_n);
    struct core_mail mail; /* `far` is set only when it says something: this is a path of a few ns */

    mail.from = from;
    mail.head = data;
    mail.head_n = m->head_n;
    mail.body = body;
    mail.n = m->n;
    if (MPT_UNLIKELY(m->rndv)) {
        memcpy(&mail.rndv, body, sizeof mail.rndv);
        mail.body = NULL;
        mail.n = mail.rndv.n;
    }
    handler(&mail);
}

/* Those whose channel is open by now, in order. */
static int handle_early(void)
{
    struct core_queued *m, *next;
    int handled = 0;

    /* First: what is opened meanwhile is looked for the next time. */
    (void)__atomic_exchange_n(&inbox->opened, false, __ATOMIC_SEQ_CST);
    for (m = queue_take(&inbox->early); m; m = next) {
        core_handler *handler = handler_of(m->msg.id);

        next = m->next;
        if (!handler) {
            queue_add(&inbox->early, m);
            continue;
        }
        inbox->early_n[m->msg.id]--;
        call(handler, m->from, &m->msg, m->data);
        free(m);
        handled++;
    }
    return handled;
}

static void handle(int from, const struct ring_msg *m, const unsigned char *data)
{
    core_handler *handler = handler_of(m->id);

    if (MPT_UNLIKELY(!handler)) {
        keep_early(from, m, data);
        return;
    }
    if (MPT_UNLIKELY(inbox->early_n[m->id] > 0))
        handle_early();
    call(handler, from, m, data);
}

static int handle_stash(void)
{
    struct core_queued *m;
    int handled = 0;

    while ((m = inbox->stash.first)) {
        inbox->stash.first = m->next;
        if (!inbox->stash.first)
            inbox->stash.last = &inbox->stash.first;
        handle(m->from, &m->msg, m->data);
        free(m);
        handled++;
    }
    return handled;
}

void core_channel_seen(const struct core_peer *p)
{
    inbox->seen[p - core_peers->at] = ring_count(p->in.stamp);
}

static bool take(unsigned from, struct ring_msg *m, void *data)
{
    struct core_peer *p = &core_peers->at[from];
    bool freed = false;
    uint64_t word;
    struct ring_line *line = core_peer_look(p, &word, &freed);
    size_t n;

    if (line) {
        *m = ring_unpack(word);
        n = ring_body_at(m->head_n) + m->n;
        if (MPT_UNLIKELY(n > RING_BYTES))
            core_fatal("a message ring holds rubbish: some PE wrote outside its memory");
        __builtin_memcpy(data, line->payload, sizeof line->payload);
        if (n > sizeof line->payload)
            core_copy((char *)data + sizeof line->payload, line->payload + sizeof line->payload,
                      n - sizeof line->payload);
        freed |= core_peer_took(p, line, ring_lines(*m));
        core_channel_seen(p);
        /* Looked at as soon as this is handled; and one that a stream of messages has filled by now. */
        __builtin_prefetch(&p->in.ring->line[p->in.slot]);
        __builtin_prefetch(&p->in.ring->line[p->in.slot + AHEAD < RING_SLOTS ? p->in.slot + AHEAD : 0]);
    }
    if (MPT_UNLIKELY(freed))
        core_wake_slice(p->slice);
    return line != NULL;
}

static int drain_ring(unsigned from)
{
    struct arrival a;
    int handled = 0;

    while (handled < DRAIN_MAX && take(from, &a.msg, a.data)) {
        handle(core_peers->at[from].pe, &a.msg, a.data);
        handled++;
        if (MPT_UNLIKELY(inbox->stash.first))
            handled += handle_stash();
    }
    return handled;
}

void core_channel_drain(unsigned index)
{
    while (index < inbox->nodes && drain_ring(index) > 0)
        ;
}

static int stash_ring(unsigned from)
{
    struct core_peer *p = &core_peers->at[from];
    int moved = 0;
    bool freed = false;
    uint64_t word;

    while (moved < DRAIN_MAX && core_peer_look(p, &word, &freed)) {
        struct core_queued *m = new_queued(p->pe, RING_BYTES);

        if (!take(from, &m->msg, m->data)) {
            free(m);
            break;
        }
        queue_add(&inbox->stash, m);
        moved++;
    }
    if (freed)
        core_wake_slice(p->slice);
    return moved;
}

/* Of a sender that may have sent something. */
static int drain_one(unsigned from, int drain(unsigned from))
{
    if (!core_peer_met(&core_peers->at[from]))
        core_peer_meet(&core_peers->at[from]);
    return drain(from);
}

/* Call `drain` for each sender that may have sent something. */
static int scan_mail(int drain(unsigned from))
{
    int handled = 0;

    if (MPT_UNLIKELY(core_seg->open))
        look_round(drain == drain_ring);
    if (inbox->nodes <= CORE_PEERS_FEW) {
        for (unsigned i = 0; i < inbox->nodes; i++)
            handled += drain(i);
        return handled;
    }
    for (unsigned first = 0; first < inbox->nodes; first += MAIL_WORD) {
        uint64_t seen, news;

        memcpy(&seen, inbox->seen + first, MAIL_WORD);
        news = __atomic_load_n((const uint64_t *)(const void *)(inbox->mail + first), __ATOMIC_RELAXED) ^ seen;
        for (unsigned i = first; news; i++, news >>= 8) {
            int here = news & 0xff ? drain_one(i, drain) : 0;
            if (here)
                inbox->hot = i;
            handled += here;
        }
    }
    return handled;
}

/* In any thread, with any lock of the transport held. */
void core_channel_arrived(int from, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                          const struct core_rndv *rndv)
{
    struct ring_msg msg = {id, (unsigned)head_n, (unsigned)n, 0};
    struct core_queued *m;

    if (rndv) {
        msg.rndv = RING_RNDV;
        msg.n = sizeof *rndv;
        body = rndv;
    }
    m = new_queued(from, ring_body_at(head_n) + msg.n);
    m->msg = msg;
    core_copy(m->data, head, head_n);
    core_copy(m->data + ring_body_at(head_n), body, msg.n);
    pthread_mutex_lock(&network->lock);
    queue_add(&network->queue, m);
    pthread_mutex_unlock(&network->lock);
    core_wake_threads(); /* another thread may sleep for it */
}

/* Takes all at once; what arrives meanwhile is behind it. */
static int drain_network(void)
{
    struct core_queued *m, *next;
    int handled = 0;

    if (queue_empty(&network->queue))
        return 0;
    pthread_mutex_lock(&network->lock);
    m = queue_take(&network->queue);
    pthread_mutex_unlock(&network->lock);
    for (; m; m = next, handled++) {
        next = m->next;
        handle(m->from, &m->msg, m->data);
        free(m);
        if (MPT_UNLIKELY(inbox->stash.first))
            handled += handle_stash();
    }
    return handled;
}

/* The line of the sender that was last active first: when it has the answer we
 * wait for, only that line has moved between the cores. */
static int drain_rings(void)
{
    if (inbox->nodes > CORE_PEERS_FEW && inbox->hot_calls++ < HOT_MAX) {
        int handled = drain_ring(inbox->hot);

        if (handled)
            return handled;
    }
    inbox->hot_calls = 0;
    return scan_mail(drain_ring);
}

/* One thread at a time takes messages out. In a process of one thread no locked
 * instruction is needed; a thread that is created later sees the plain store. */
static bool drain_enter(void)
{
    if (core_one_thread()) {
        core_peers->draining = true;
        return true;
    }
    /* model: drain.enter */
    if (!__atomic_exchange_n(&core_peers->draining, true, __ATOMIC_ACQUIRE))
        return true;
    /* The other thread may have passed the ring that holds our message and be on
     * its way out: it must see `missed`, or we must see it out (both seq_cst). */
    /* model: drain.miss */
    __atomic_store_n(&inbox->missed, true, __ATOMIC_SEQ_CST);
    /* model: drain.again */
    return !__atomic_exchange_n(&core_peers->draining, true, __ATOMIC_SEQ_CST);
}

static void drain_leave(bool handled)
{
    if (core_one_thread()) {
        core_peers->draining = false;
        return;
    }
    /* model: drain.leave */
    __atomic_store_n(&core_peers->draining, false, __ATOMIC_SEQ_CST);
    /* What we handled may be what another thread sleeps for. */
    /* model: drain.missed */
    if (__atomic_load_n(&inbox->missed, __ATOMIC_SEQ_CST)) {
        __atomic_store_n(&inbox->missed, false, __ATOMIC_RELAXED);
        handled = true;
    }
    if (handled)
        core_wake_threads();
}

static int progress_later(void)
{
    int handled = core_late_on() ? core_late_step() : 0;

    return core_state.rma.net ? handled + core_state.rma.net->progress() : handled;
}

int core_progress(void)
{
    int handled = 0;

    if (MPT_UNLIKELY(core_state.rma.later))
        handled = progress_later();
    if (MPT_UNLIKELY(core_thread.channel.in_drain))
        return handled + scan_mail(stash_ring);
    /* model: publish.see */
    if (core_adversary_holds() || !__atomic_load_n(&inbox->open, __ATOMIC_ACQUIRE) || !drain_enter()) {
        if (handled)
            core_wake_threads(); /* another thread may sleep for it */
        return handled;
    }
    core_thread.channel.in_drain = true;
    /* model: publish.see */
    if (MPT_UNLIKELY(__atomic_load_n(&inbox->opened, __ATOMIC_ACQUIRE)))
        handled += handle_early();
    handled += drain_rings() + drain_network();
    core_thread.channel.in_drain = false;
    drain_leave(handled > 0);
    if (handled > 0)
        core_acted();
    return handled;
}

void core_polled_later(void)
{
    enum { EVERY = 64 };
    core_adversary_at_call();
    if (++core_thread.channel.polled % EVERY == 0)
        core_progress();
}
