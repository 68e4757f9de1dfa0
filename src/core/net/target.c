/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE does with the messages it gets: it executes its peers' puts, atomics
 * and strided transfers on its own memory and says so when asked, and completes
 * its own operations when they are answered. Threads of this PE that sleep for
 * what was changed are woken once for all that progress handled (progress.c).
 */
#include <string.h>

#include "core/base/number.h"
#include "core/channel/internal.h"
#include "core/net/fabric.h"

/* A message being taken apart. */
struct reader {
    const struct core_net_head *h;
    const unsigned char *at;
    size_t left;
    struct core_net_op *op; /* NULL: it lies where it will soon be overwritten */
    bool kept; /* the op with its buffer */
};

/* It is sealed, so a PE of this job has gone wrong. */
static void __attribute__((noreturn, cold)) damaged(const struct core_net_head *h)
{
    core_fatal("damaged message of PE %d on host %s (kind %d)", h->from, core_host(h->from), h->kind);
}

static const void *take(struct reader *r, size_t n)
{
    const void *p = r->at;
    if (n > r->left)
        damaged(r->h);
    r->at += n;
    r->left -= n;
    return p;
}

static uint64_t take_word(struct reader *r)
{
    uint64_t word;
    memcpy(&word, take(r, sizeof word), sizeof word);
    return word;
}

void core_net_answer(int pe, uint64_t cookie, uint64_t value)
{
    if (!cookie)
        return;
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_message_new("a reply", pe);
    core_net_message_begin(op, NET_M_ANSWER, 0)->cookie = cookie;
    core_net_message_add(op, &value, sizeof value);
    core_net_message_later(op);
    core_net_unlock(locked);
}

static void answer(const struct core_net_head *h, uint64_t value)
{
    core_net_answer(h->from, h->cookie, value);
}

static void do_flush(struct reader *r)
{
    answer(r->h, 0);
}

/* The op that the answer is for, with the lock; NULL: none, say when it has come before. */
static struct core_net_op *waiting(const struct reader *r)
{
    struct core_net_op *op = core_net_op_waiting(r->h->cookie, r->h->from);
    if (!op)
        core_net_drop("an answer that nobody waits for");
    return op;
}

static void do_answer(struct reader *r)
{
    uint64_t value = take_word(r);
    bool locked = core_net_lock();
    struct core_net_op *op = waiting(r);
    if (op && op->width)
        memcpy(op->to, &value, op->width);
    if (op)
        core_net_op_done(op);
    core_net_unlock(locked);
}

/* What a program's thread may wait for is stored as a whole, after what came before it. */
static bool store_word(void *to, const void *data, size_t n)
{
    union {
        uint16_t two;
        uint32_t four;
        uint64_t eight;
    } word;
    if ((n != 2 && n != 4 && n != 8) || (uintptr_t)to % n != 0)
        return false;
    memcpy(&word, data, n);
    if (n == 8)
        __atomic_store_n((uint64_t *)to, word.eight, __ATOMIC_RELEASE);
    else if (n == 4)
        __atomic_store_n((uint32_t *)to, word.four, __ATOMIC_RELEASE);
    else
        __atomic_store_n((uint16_t *)to, word.two, __ATOMIC_RELEASE);
    return true;
}

static void store(core_net_address address, const void *data, size_t n, int from)
{
    void *to = core_net_address_here(address, n, from);
    if (store_word(to, data, n))
        return;
    /* model: signal.put_fence */
    __atomic_thread_fence(__ATOMIC_RELEASE); /* earlier messages' stores, where the processor would mix them */
    core_copy(to, data, n);
}

static void do_put(struct reader *r)
{
    store(r->h->address, r->at, r->left, r->h->from);
    answer(r->h, 0);
}

/* Not all processors have such instructions for objects that are not aligned; programs' are. */
static uint64_t execute(const struct core_net_head *h, core_net_address address, struct core_amo a)
{
    void *object = core_net_address_here(address, a.width, h->from);
    if ((uintptr_t)object % a.width != 0)
        damaged(h);
    return core_amo_here(object, a);
}

static void do_amo(struct reader *r)
{
    struct core_amo a = {.op = (enum core_amo_op)r->h->op, .width = r->h->width, .value = take_word(r)};
    if (r->h->op >= CORE_AMO_OPS || (a.width != 4 && a.width != 8))
        damaged(r->h);
    if (a.op == CORE_AMO_CSWAP)
        a.cond = take_word(r);
    answer(r->h, execute(r->h, r->h->address, a));
}

static void do_signal(struct reader *r)
{
    core_net_address signal = take_word(r);
    struct core_amo a = {.op = (enum core_amo_op)r->h->op, .width = 8, .value = take_word(r)};
    if (r->h->op >= CORE_AMO_OPS)
        damaged(r->h);
    if (r->left > 0)
        store(r->h->address, r->at, r->left, r->h->from);
    execute(r->h, signal, a);
    answer(r->h, 0);
}

static struct core_strides take_strides(struct reader *r)
{
    struct core_strides s;
    memcpy(&s, take(r, sizeof s), sizeof s);
    if (!core_net_strides_fit(&s))
        damaged(r->h);
    return s;
}

static void do_scatter(struct reader *r)
{
    struct core_strides s = take_strides(r);
    char *to = core_net_blocks_here(r->h->address, &s, r->h->from);
    const void *data = take(r, s.bytes * s.nblocks);
    /* model: signal.put_fence */
    __atomic_thread_fence(__ATOMIC_RELEASE);
    core_copy_strided(to, s.remote, data, (ptrdiff_t)s.bytes, s.bytes, s.nblocks);
    answer(r->h, 0);
}

static void do_gather(struct reader *r)
{
    struct core_strides s = take_strides(r);
    const char *from = core_net_blocks_here(r->h->address, &s, r->h->from);
    bool locked = core_net_lock();
    struct core_net_op *op = core_net_message_new("a reply", r->h->from);
    core_net_message_begin(op, NET_M_BLOCKS, 0)->cookie = r->h->cookie;
    core_copy_strided(core_net_message_room(op, s.bytes * s.nblocks), (ptrdiff_t)s.bytes, from, s.remote, s.bytes,
                      s.nblocks);
    core_net_message_later(op);
    core_net_unlock(locked);
}

static void do_blocks(struct reader *r)
{
    bool locked = core_net_lock();
    struct core_net_op *op = waiting(r); /* nothing but this answer ends it */
    core_net_unlock(locked);
    if (!op)
        return;
    const struct core_strides s = op->strides;
    const void *data = take(r, s.bytes * s.nblocks);
    core_copy_strided(op->to, s.local, data, (ptrdiff_t)s.bytes, s.bytes, s.nblocks);
    locked = core_net_lock();
    core_net_op_done(op);
    core_net_unlock(locked);
}

/* What was read of it stays read. */
static void copy_to_keep(struct reader *r)
{
    size_t n = (size_t)(r->at - (const unsigned char *)r->h) + r->left;
    bool locked = core_net_lock();
    r->op = core_net_receive_new();
    core_net_unlock(locked);
    memcpy(r->op->data, r->h, n);
    r->at = r->op->data + (r->at - (const unsigned char *)r->h);
    r->h = (const struct core_net_head *)r->op->data;
}

static void hand_on(struct reader *r)
{
    size_t head_n = r->h->address;
    struct core_rndv rndv;
    bool is_rndv = r->h->width;
    if (is_rndv)
        memcpy(&rndv, take(r, sizeof rndv), sizeof rndv);
    if (head_n > r->left || r->h->op >= CORE_CHANNEL_IDS || (is_rndv && rndv.pe != r->h->from))
        damaged(r->h);
    const void *head = take(r, core_round_up(head_n, 8));
    size_t n = is_rndv ? rndv.n : r->left;
    if (is_rndv && r->left > 0) {
        if (!r->op)
            copy_to_keep(r);
        core_push_arrived(&rndv, r->at, r->left, r->op);
        r->kept = true;
    }
    core_channel_arrived(r->h->from, r->h->op, head, head_n, is_rndv || n == 0 ? NULL : r->at, n,
                         is_rndv ? &rndv : NULL);
}

/* What there is of it, and what it will be. */
struct core_pushed *core_net_handle_head(const void *message, size_t have, size_t n, size_t *body_at)
{
    const struct core_net_head *h = message;
    struct core_rndv rndv;
    if (have < sizeof *h || h->kind != NET_M_CHANNEL || !h->width || h->address > NET_PUSH_HEAD)
        return NULL;
    size_t head_at = sizeof *h + sizeof rndv, begin = head_at + core_round_up(h->address, 8);
    if (have < begin || n <= begin || have < sizeof *h + NET_SEALED)
        return NULL;
    if (!core_net_sealed(message, n))
        return NULL;
    memcpy(&rndv, (const char *)message + sizeof *h, sizeof rndv);
    if ((unsigned)h->from >= (unsigned)mpt_fast.npes || rndv.pe != h->from || rndv.n != n - begin ||
        h->op >= CORE_CHANNEL_IDS)
        damaged(h);
    struct core_net_peer *p = &core_state.net.peer[h->from];
    if (h->cookie != p->came)
        return NULL;
    p->came++;
    struct core_pushed *body = core_push_coming(&rndv, rndv.n);
    core_channel_arrived(h->from, h->op, (const char *)message + head_at, h->address, NULL, rndv.n, &rndv);
    *body_at = begin;
    return body;
}

static struct reader reader_of(const void *message, size_t n, struct core_net_op *op)
{
    return (struct reader){message, (const unsigned char *)message + sizeof(struct core_net_head),
                           n - sizeof(struct core_net_head), op, false};
}

static uint64_t number_of(const struct core_net_op *op)
{
    return ((const struct core_net_head *)op->data)->cookie;
}

/* Each number serves once. */
static void keep_early(struct core_net_peer *p, struct reader *r)
{
    struct core_net_op **at = &p->early, *op;
    while (*at && number_of(*at) < r->h->cookie)
        at = &(*at)->next;
    if (r->h->cookie < p->came || (*at && number_of(*at) == r->h->cookie)) {
        core_net_drop("a message that has come before");
        return;
    }
    if (!r->op || r->op->data != (const unsigned char *)r->h)
        copy_to_keep(r);
    op = r->op;
    op->n = r->left + sizeof *r->h;
    op->next = *at;
    *at = op;
    r->kept = true;
}

static void hand_on_early(struct core_net_peer *p)
{
    struct core_net_op *op = p->early;
    struct reader r = reader_of(op->data, op->n, op);
    p->early = op->next;
    p->came++;
    hand_on(&r);
    if (!r.kept)
        core_net_land(op);
}

/* FI_ORDER_SAS orders the start of messages, not their end: those that a provider
 * sends only when it has been asked for them (ofi_rxm's, beyond its limit) are
 * overtaken by short ones. */
static void do_channel(struct reader *r)
{
    struct core_net_peer *p = &core_state.net.peer[r->h->from];
    if (MPT_UNLIKELY(r->h->cookie != p->came)) {
        keep_early(p, r);
        return;
    }
    p->came++;
    hand_on(r);
    while (MPT_UNLIKELY(p->early && number_of(p->early) == p->came))
        hand_on_early(p);
}

static void do_grant(struct reader *r)
{
    core_push_granted(r->h->from, r->h->address);
}

static void (*const handlers[NET_M_KINDS])(struct reader *r) = {
    [NET_M_FLUSH] = do_flush,     [NET_M_ANSWER] = do_answer,   [NET_M_PUT] = do_put,       [NET_M_AMO] = do_amo,
    [NET_M_SIGNAL] = do_signal,   [NET_M_SCATTER] = do_scatter, [NET_M_GATHER] = do_gather, [NET_M_BLOCKS] = do_blocks,
    [NET_M_CHANNEL] = do_channel, [NET_M_GRANT] = do_grant,
};

bool core_net_handle(const void *message, size_t n, struct core_net_op *op)
{
    const struct core_net_head *h = message;
    if (MPT_UNLIKELY(!core_net_sealed(message, n))) {
        core_net_drop("a message without this job's seal");
        return false;
    }
    if (h->kind >= NET_M_KINDS || (unsigned)h->from >= (unsigned)mpt_fast.npes)
        core_fatal("a sealed message of %zu bytes says kind %d of PE %d", n, h->kind, h->from);
    struct reader r = reader_of(message, n, op);
    handlers[h->kind](&r);
    return op && r.kept;
}
