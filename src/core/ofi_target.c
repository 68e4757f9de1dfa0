/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a PE does with the messages it gets: it executes its peers' puts, atomics
 * and strided transfers on its own memory and says so when asked, and completes
 * its own operations when they are answered. Threads of this PE that sleep for
 * what was changed are woken once for all that progress handled (ofi_progress.c).
 */
#include <string.h>

#include "core/channel.h"
#include "core/ofi.h"

/* A message being taken apart. */
struct reader {
    const struct ofi_head *h;
    const unsigned char *at;
    size_t left;
    struct ofi_op *op;
    bool kept; /* the op with its buffer */
};

/* It is sealed, so a PE of this job has gone wrong. */
static void __attribute__((noreturn, cold)) damaged(const struct ofi_head *h)
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

static void answer(const struct ofi_head *h, uint64_t value)
{
    if (!h->cookie)
        return;
    bool locked = ofi_lock();
    struct ofi_op *op = ofi_message_new("a reply", h->from);
    ofi_message_begin(op, OFI_M_ANSWER, 0)->cookie = h->cookie;
    ofi_message_add(op, &value, sizeof value);
    ofi_message_later(op);
    ofi_unlock(locked);
}

static void do_flush(struct reader *r)
{
    answer(r->h, 0);
}

/* Whom the answer is for, with the lock; NULL: nobody, say when it has come before. */
static struct ofi_op *waiting(const struct reader *r)
{
    struct ofi_op *op = ofi_op_waiting(r->h->cookie, r->h->from);
    if (!op)
        ofi_drop("an answer that nobody waits for");
    return op;
}

static void do_answer(struct reader *r)
{
    uint64_t value = take_word(r);
    bool locked = ofi_lock();
    struct ofi_op *op = waiting(r);
    if (op && op->width)
        memcpy(op->to, &value, op->width);
    if (op)
        ofi_op_done(op);
    ofi_unlock(locked);
}

static void store(ofi_place place, const void *data, size_t n, int from)
{
    void *to = ofi_place_here(place, n, from);
    core_copy(to, data, n);
}

static void do_put(struct reader *r)
{
    store(r->h->place, r->at, r->left, r->h->from);
    answer(r->h, 0);
}

static uint64_t execute(ofi_place place, struct core_amo a, int from)
{
    void *object = ofi_place_here(place, a.width, from);
    return core_amo_here(object, a);
}

static void do_amo(struct reader *r)
{
    struct core_amo a = {.op = (enum core_amo_op)r->h->op, .width = r->h->width, .value = take_word(r)};
    if (r->h->op >= CORE_AMO_OPS || (a.width != 4 && a.width != 8))
        damaged(r->h);
    if (a.op == CORE_AMO_CSWAP)
        a.cond = take_word(r);
    answer(r->h, execute(r->h->place, a, r->h->from));
}

static void do_signal(struct reader *r)
{
    ofi_place signal = take_word(r);
    struct core_amo a = {.op = (enum core_amo_op)r->h->op, .width = 8, .value = take_word(r)};
    if (r->h->op >= CORE_AMO_OPS)
        damaged(r->h);
    if (r->left > 0)
        store(r->h->place, r->at, r->left, r->h->from);
    execute(signal, a, r->h->from);
    answer(r->h, 0);
}

static struct core_strides take_strides(struct reader *r)
{
    struct core_strides s;
    memcpy(&s, take(r, sizeof s), sizeof s);
    if (!ofi_strides_fit(&s))
        damaged(r->h);
    return s;
}

static void do_scatter(struct reader *r)
{
    struct core_strides s = take_strides(r);
    char *to = ofi_blocks_here(r->h->place, &s, r->h->from);
    const void *data = take(r, s.bytes * s.nblocks);
    core_copy_strided(to, s.remote, data, (ptrdiff_t)s.bytes, s.bytes, s.nblocks);
    answer(r->h, 0);
}

static void do_gather(struct reader *r)
{
    struct core_strides s = take_strides(r);
    const char *from = ofi_blocks_here(r->h->place, &s, r->h->from);
    bool locked = ofi_lock();
    struct ofi_op *op = ofi_message_new("a reply", r->h->from);
    ofi_message_begin(op, OFI_M_BLOCKS, 0)->cookie = r->h->cookie;
    core_copy_strided(ofi_message_room(op, s.bytes * s.nblocks), (ptrdiff_t)s.bytes, from, s.remote, s.bytes, s.nblocks);
    ofi_message_later(op);
    ofi_unlock(locked);
}

static void do_blocks(struct reader *r)
{
    bool locked = ofi_lock();
    struct ofi_op *op = waiting(r); /* nothing but this answer ends it */
    ofi_unlock(locked);
    if (!op)
        return;
    const struct core_strides s = op->strides;
    const void *data = take(r, s.bytes * s.nblocks);
    core_copy_strided(op->to, s.local, data, (ptrdiff_t)s.bytes, s.bytes, s.nblocks);
    locked = ofi_lock();
    ofi_op_done(op);
    ofi_unlock(locked);
}

static void hand_on(struct reader *r)
{
    size_t head_n = r->h->place;
    struct core_far far;
    bool is_far = r->h->width;
    if (is_far)
        memcpy(&far, take(r, sizeof far), sizeof far);
    if (head_n > r->left || r->h->op >= CORE_CHANNEL_IDS || (is_far && far.pe != r->h->from))
        damaged(r->h);
    const void *head = take(r, (head_n + 7) & ~(size_t)7);
    size_t n = is_far ? far.n : r->left;
    if (is_far && r->left > 0) {
        core_push_arrived(&far, r->at, r->left, r->op);
        r->kept = true;
    }
    core_channel_arrived(r->h->from, r->h->op, head, head_n, is_far || n == 0 ? NULL : r->at, n, is_far ? &far : NULL);
}

static struct reader reader_of(struct ofi_op *op, size_t n)
{
    return (struct reader){(const struct ofi_head *)op->data, op->data + sizeof(struct ofi_head), n - sizeof(struct ofi_head), op, false};
}

static uint64_t number_of(const struct ofi_op *op)
{
    return ((const struct ofi_head *)op->data)->cookie;
}

/* Each number serves once. */
static void keep_early(struct ofi_peer *p, struct reader *r)
{
    struct ofi_op **at = &p->early, *op = r->op;
    while (*at && number_of(*at) < r->h->cookie)
        at = &(*at)->next;
    if (r->h->cookie < p->came || (*at && number_of(*at) == r->h->cookie)) {
        ofi_drop("a message that has come before");
        return;
    }
    op->n = r->left + sizeof *r->h;
    op->next = *at;
    *at = op;
    r->kept = true;
}

static void hand_on_early(struct ofi_peer *p)
{
    struct ofi_op *op = p->early;
    struct reader r = reader_of(op, op->n);
    p->early = op->next;
    p->came++;
    hand_on(&r);
    if (!r.kept)
        ofi_land(op);
}

/* FI_ORDER_SAS orders the start of messages, not their end: those that a provider
 * sends only when it has been asked for them (ofi_rxm's, beyond its limit) are
 * overtaken by short ones. */
static void do_channel(struct reader *r)
{
    struct ofi_peer *p = &ofi.peer[r->h->from];
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
    core_push_granted(r->h->from, r->h->place);
}

static void (*const handlers[OFI_M_KINDS])(struct reader *r) = {
    [OFI_M_FLUSH] = do_flush,     [OFI_M_ANSWER] = do_answer, [OFI_M_PUT] = do_put,
    [OFI_M_AMO] = do_amo,         [OFI_M_SIGNAL] = do_signal, [OFI_M_SCATTER] = do_scatter,
    [OFI_M_GATHER] = do_gather,   [OFI_M_BLOCKS] = do_blocks, [OFI_M_CHANNEL] = do_channel,
    [OFI_M_GRANT] = do_grant,
};

bool ofi_handle(struct ofi_op *op, size_t n)
{
    const struct ofi_head *h = (const struct ofi_head *)op->data;
    if (MPT_UNLIKELY(!ofi_sealed(op, n))) {
        ofi_drop("a message without this job's seal");
        return false;
    }
    if (h->kind >= OFI_M_KINDS || (unsigned)h->from >= (unsigned)mpt_fast.npes)
        core_fatal("a sealed message of %zu bytes says kind %d of PE %d", n, h->kind, h->from);
    struct reader r = reader_of(op, n);
    handlers[h->kind](&r);
    return r.kept;
}
