/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Blocking sends of messages that are buffered but do not fit the channel: before
 * its memory is copied it is offered, where the receiver can load it. Who takes an
 * offer within a microsecond or two saves the copy, which costs as much as the
 * rest. Both claim it by one compare-and-swap. Nobody sends an answer: the
 * receiver marks the offer, and the sender uses the memory of a marked one again.
 */
#include "core/quick.h"
#include "mpi/p2p.h"

enum state { OFFERED, TAKING, COPYING, COPIED, DONE };
enum { MOST = 64 << 10, LOOKS = 40, HINTS = 64, SKIP_MOST = 255, MANY = 256 };

struct offer {
    _Alignas(64) uint32_t state;
    _Alignas(64) unsigned char data[];
};

/* What travels: the offer's place in the sender's arena, and that of the memory offered. */
struct note {
    uint64_t at, place, n;
};

static struct p2p_block *out, **out_last = &out; /* refused ones, the oldest first */
static unsigned out_n;

/* Receivers that were late get no offers for a while. */
static struct hint {
    uint8_t skip, last;
} hints[HINTS];

static bool take_hint(int proc)
{
    struct hint *h = &hints[(unsigned)proc % HINTS];

    if (h->skip == 0)
        return true;
    h->skip--;
    return false;
}

static void give_hint(int proc, bool taken)
{
    struct hint *h = &hints[(unsigned)proc % HINTS];

    h->last = taken ? 0 : h->last < SKIP_MOST / 2 ? (uint8_t)(2 * h->last + 1) : SKIP_MOST;
    h->skip = h->last;
}

static uint32_t state_of(const struct offer *o)
{
    return __atomic_load_n(&o->state, __ATOMIC_ACQUIRE);
}

static bool claim(struct offer *o, enum state as)
{
    uint32_t expected = OFFERED;

    return __atomic_compare_exchange_n(&o->state, &expected, as, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ---------------------------------------------------------------- sender -- */

static void drop(struct p2p_block **at)
{
    struct p2p_block *b = *at;

    *at = b->next;
    if (out_last == &b->next)
        out_last = at;
    out_n--;
    p2p_block_free(b);
}

/* Those that follow one which nobody takes are looked for now and then only. */
static void reclaim(void)
{
    static unsigned turns;

    while (out && state_of(out->data) == DONE)
        drop(&out);
    if (out_n < MANY || ++turns % MANY != 0)
        return;
    for (struct p2p_block **at = &out; *at;) {
        if (state_of((*at)->data) == DONE)
            drop(at);
        else
            at = &(*at)->next;
    }
}

static void keep(struct p2p_block *b)
{
    b->next = NULL;
    *out_last = b;
    out_last = &b->next;
    out_n++;
}

/* The receiver has taken what was offered; else it is to be copied. */
static bool taken_soon(struct offer *o, int proc)
{
    struct core_waiter w;
    bool taken;

    for (unsigned looks = 0; looks < LOOKS && state_of(o) == OFFERED; looks++)
        core_relax();
    taken = state_of(o) != OFFERED || !claim(o, COPYING);
    give_hint(proc, taken);
    if (!taken)
        return false;
    mpii_wait_begin(&w, "MPI_Send");
    while (state_of(o) != DONE)
        mpii_wait_pause(&w);
    mpii_wait_end(&w);
    return true;
}

static bool may_offer(const void *buf, size_t n, int proc, uint64_t *place)
{
    return n <= MOST && proc < core_size() && proc != core_me() && !core_oversubscribed() && core_far_loads(proc, buf, n) &&
           core_place_of(buf, n, place) && take_hint(proc);
}

/* A block whose memory the receiver can load. */
static struct p2p_block *get_block(size_t n, int proc)
{
    struct p2p_block *b = p2p_block_get(n);

    if (!b || (b->in_arena && core_far_loads(proc, b->data, n)))
        return b;
    p2p_block_free(b);
    return NULL;
}

int p2p_send_offer(const void *buf, const struct p2p_head *h, int proc, size_t n)
{
    struct note note = {.n = n};
    struct p2p_block *b;
    struct offer *o;

    if (out)
        reclaim();
    if (!may_offer(buf, n, proc, &note.place) || !(b = get_block(sizeof *o + n, proc)))
        return 1;
    o = b->data;
    note.at = core_arena_offset(o);
    o->state = OFFERED;
    if (p2p_wire_send(proc, MPII_CHANNEL_MESSAGE, h, P2P_OFFER, &note, sizeof note) != 0) {
        p2p_block_free(b);
        return 1;
    }
    mpii_counters.send_bytes += n - sizeof note;
    if (taken_soon(o, proc)) {
        p2p_block_free(b);
        return 0;
    }
    core_copy(o->data, buf, n);
    /* Release: the copy comes before. */
    __atomic_store_n(&o->state, COPIED, __ATOMIC_RELEASE);
    core_wake(proc); /* it may have begun to wait for that */
    keep(b);
    return 0;
}

/* -------------------------------------------------------------- receiver -- */

size_t p2p_offer_read(const struct core_mail *mail, struct core_far *far)
{
    struct note note;

    memcpy(&note, mail->body, sizeof note);
    *far = (struct core_far){.pe = mail->from, .addr = note.at, .key = note.place, .n = note.n};
    return note.n;
}

static void done(struct offer *o, int from)
{
    /* Release: our reads come before the sender's next stores there. */
    __atomic_store_n(&o->state, DONE, __ATOMIC_RELEASE);
    core_wake(from);
}

bool p2p_offer_take(struct mpii_request *r, const struct core_far *far)
{
    struct offer *o = core_arena_at(far->pe, far->addr);
    struct p2p_recv *v = p2p_recv_in(r);
    const void *from = claim(o, TAKING) ? core_place_at(far->pe, far->key) : o->data;

    if (state_of(o) == COPYING)
        return false;
    if (v->type->dense)
        core_copy(v->buf, from, (size_t)r->bytes);
    else
        mpii_unpack(v->buf, v->count, v->type, 0, from, r->bytes);
    done(o, far->pe);
    return true;
}

bool p2p_offer_drop(const struct core_far *far)
{
    struct offer *o = core_arena_at(far->pe, far->addr);

    if (!claim(o, TAKING) && state_of(o) == COPYING)
        return false;
    done(o, far->pe);
    return true;
}
