/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are buffered but do not fit the channel: before a send's memory is
 * copied it is offered, where the receiver can load it. Who takes an offer before
 * the sender has waited a microsecond or two, in a blocking send or for a request,
 * saves the copy, which costs as much as the rest. Both claim it by one
 * compare-and-swap. Nobody sends an answer: the receiver marks the offer, and the
 * sender uses the memory of a marked one again.
 */
#include "core/channel/quick.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

enum state { OFFERED, TAKING, COPYING, COPIED, DONE };
enum { MOST = 64 << 10, LOOKS = 40, BATCH = 16, HINTS = 64, SKIP_MOST = 255, MANY = 256 };

struct offer {
    _Alignas(64) uint32_t state;
    _Alignas(64) unsigned char data[];
};

/* What travels: the offer's place in the sender's arena, and that of the memory offered. */
struct note {
    uint64_t at, place, n;
};

static struct mpii_p2p_block *out, **out_last = &out; /* refused ones, the oldest first */
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

/* Of those offered together only the first that was late says so. */
static void give_hint(int proc, bool taken)
{
    struct hint *h = &hints[(unsigned)proc % HINTS];

    if (!taken && h->skip > 0)
        return;
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

static void drop(struct mpii_p2p_block **at)
{
    struct mpii_p2p_block *b = *at;

    *at = b->next;
    if (out_last == &b->next)
        out_last = at;
    out_n--;
    mpii_p2p_block_free(b);
}

void mpii_p2p_offers_reclaim(void)
{
    for (struct mpii_p2p_block **at = &out; *at;) {
        if (state_of((*at)->data) == DONE)
            drop(at);
        else
            at = &(*at)->next;
    }
}

/* Those that follow one which nobody takes are looked for now and then only. */
static void reclaim(void)
{
    static unsigned turns;

    while (out && state_of(out->data) == DONE)
        drop(&out);
    if (out_n >= MANY && ++turns % MANY == 0)
        mpii_p2p_offers_reclaim();
}

static void keep(struct mpii_p2p_block *b)
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
    while (state_of(o) != DONE && !mpii_ft_dead(proc))
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
static struct mpii_p2p_block *get_block(size_t n, int proc)
{
    struct mpii_p2p_block *b = mpii_p2p_block_get(n);

    if (!b || (b->in_arena && core_far_loads(proc, b->data, n)))
        return b;
    mpii_p2p_block_free(b);
    return NULL;
}

/* 0, and the block that holds the offer; the wire's negative errno (-EAGAIN: no room now); 1: this is not to be offered. */
static int make(const void *buf, const struct mpii_p2p_head *h, int proc, size_t n, struct mpii_p2p_block **block)
{
    const struct mpii_p2p_head head = {.context = h->context, .tag = h->tag, .source = h->source}; /* nobody asks for it back */
    struct note note = {.n = n};
    struct mpii_p2p_block *b;
    struct offer *o;
    int err;

    if (out)
        reclaim();
    if (!may_offer(buf, n, proc, &note.place) || !(b = get_block(sizeof *o + n, proc)))
        return 1;
    o = b->data;
    note.at = core_arena_offset(o);
    o->state = OFFERED;
    if ((err = mpii_p2p_wire_send(proc, MPII_CHANNEL_MESSAGE, &head, P2P_OFFER, &note, sizeof note)) != 0) {
        mpii_p2p_block_free(b);
        return err;
    }
    mpii_counters.send_bytes += n - sizeof note;
    *block = b;
    return 0;
}

/* Of an offer that the sender has claimed: the receiver may have begun to wait for the copy. */
static void copy(struct mpii_p2p_block *b, const void *buf, int proc, size_t n)
{
    struct offer *o = b->data;

    core_copy(o->data, buf, n);
    /* Release: the copy comes before. */
    __atomic_store_n(&o->state, COPIED, __ATOMIC_RELEASE);
    core_wake(proc);
    keep(b);
}

int mpii_p2p_send_offer(const void *buf, const struct mpii_p2p_head *h, int proc, size_t n)
{
    struct mpii_p2p_block *b;

    if (make(buf, h, proc, n, &b) != 0)
        return 1;
    if (taken_soon(b->data, proc))
        mpii_p2p_block_free(b);
    else
        copy(b, buf, proc, n);
    return 0;
}

/* ------------------------------------------- sender: offers of requests --
 * In the order of their starts. A wait or test looks at the first one; after LOOKS
 * of them it and those behind it are copied, some at each step. */
unsigned mpii_p2p_offers_open;
static struct mpii_request *open, **open_last = &open;
static unsigned looks; /* since one was taken */

static void leave_open(struct mpii_request **at, bool taken, int error)
{
    struct mpii_request *r = *at;
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    *at = s->next;
    if (open_last == &s->next)
        open_last = at;
    s->block = NULL;
    mpii_p2p_offers_open--;
    give_hint(s->proc, taken);
    mpii_request_done(r, error);
}

static void end_taken(struct mpii_request **at)
{
    mpii_p2p_block_free(mpii_p2p_send_in(*at)->block);
    looks = 0;
    leave_open(at, true, MPI_SUCCESS);
}

/* It is late; unless it is taken just now. */
static void end_late(struct mpii_request **at)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(*at);

    if (!claim(s->block->data, COPYING))
        return;
    copy(s->block, s->buf, s->proc, s->n);
    leave_open(at, false, MPI_SUCCESS);
}

static void step_open(struct mpii_task *task)
{
    struct mpii_request **at = &open;

    for (unsigned copied = 0; *at && copied < BATCH;) {
        const enum state state = state_of(mpii_p2p_send_in(*at)->block->data);

        if (state == DONE) {
            end_taken(at);
        } else if (state != OFFERED) { /* the receiver is taking it */
            at = &mpii_p2p_send_in(*at)->next;
        } else if (looks < LOOKS) {
            looks++;
            break;
        } else {
            end_late(at);
            copied++;
        }
    }
    if (!open) {
        looks = 0;
        mpii_task_remove(task);
    } else if (*at) {
        core_wake(core_me()); /* no sleep before the next look: who does not take it rings nobody */
    }
}

static struct mpii_task open_task = {.step = step_open};

static struct mpii_request **find_open(const struct mpii_request *r)
{
    struct mpii_request **at = &open;

    while (*at && *at != r)
        at = &mpii_p2p_send_in(*at)->next;
    return *at ? at : NULL;
}

bool mpii_p2p_is_offer(const struct mpii_request *r)
{
    return find_open(r) != NULL;
}

/* Nobody will look at the block any more. */
bool mpii_p2p_offer_end(struct mpii_request *r, int error)
{
    struct mpii_request **at = find_open(r);

    if (!at)
        return false;
    mpii_p2p_block_free(mpii_p2p_send_in(r)->block);
    leave_open(at, true, error);
    return true;
}

bool mpii_p2p_may_hold(const void *buf, size_t n, int proc)
{
    uint64_t place;

    return may_offer(buf, n, proc, &place);
}

int mpii_p2p_offer_hold(struct mpii_request *r, const struct mpii_p2p_head *h)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);
    int err = make(s->buf, h, s->proc, s->n, &s->block);

    if (err != 0)
        return err;
    if (!open)
        mpii_task_add(&open_task);
    s->next = NULL;
    *open_last = r;
    open_last = &s->next;
    mpii_p2p_offers_open++;
    return 0;
}

/* -------------------------------------------------------------- receiver -- */

size_t mpii_p2p_offer_read(const struct core_mail *mail, struct core_far *far)
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

bool mpii_p2p_offer_take(struct mpii_request *r, const struct core_far *far)
{
    struct offer *o = core_arena_at(far->pe, far->addr);
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
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

bool mpii_p2p_offer_drop(const struct core_far *far)
{
    struct offer *o = core_arena_at(far->pe, far->addr);

    if (!claim(o, TAKING) && state_of(o) == COPYING)
        return mpii_ft_dead(far->pe); /* it will not end the copy */
    done(o, far->pe);
    return true;
}
