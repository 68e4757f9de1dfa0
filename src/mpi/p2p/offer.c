/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages that are buffered but do not fit the channel: before a send's memory is
 * copied it is offered, where the receiver can load it. Who takes an offer before
 * the sender has waited a microsecond or two, in a blocking send or for a request,
 * saves the copy, which costs as much as the rest. Both claim it by one
 * compare-and-swap. Nobody sends an answer: the receiver marks the offer, and the
 * sender uses the memory of a marked one again.
 */
#include "core/channel/fastpath.h"
#include "mpi/ft/ft.h"
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_offers *const offers = &mpii_state.p2p.offers;

enum state { OFFERED, TAKING, COPYING, COPIED, DONE };
enum { MOST = 64 << 10, LOOKS = 40, BATCH = 16, SKIP_MOST = 255, MANY = 256 };

struct offer {
    _Alignas(64) uint32_t state;
    _Alignas(64) unsigned char data[];
};

/* What travels: the offer's place in the sender's arena, and that of the memory offered. */
struct note {
    uint64_t at, place, n;
};

static bool take_hint(int proc)
{
    struct mpii_p2p_late *h = &offers->late[(unsigned)proc % P2P_OFFER_HINTS];

    if (h->skip == 0)
        return true;
    h->skip--;
    return false;
}

/* Of those offered together only the first that was late says so. */
static void give_hint(int proc, bool taken)
{
    struct mpii_p2p_late *h = &offers->late[(unsigned)proc % P2P_OFFER_HINTS];

    if (!taken && h->skip > 0)
        return;
    h->last = taken ? 0 : h->last < SKIP_MOST / 2 ? (uint8_t)(2 * h->last + 1) : SKIP_MOST;
    h->skip = h->last;
}

static uint32_t state_of(const struct offer *o)
{
    /* model: offer.state */
    return __atomic_load_n(&o->state, __ATOMIC_ACQUIRE);
}

static bool claim(struct offer *o, enum state as)
{
    uint32_t expected = OFFERED;

    /* model: offer.claim */
    return __atomic_compare_exchange_n(&o->state, &expected, as, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

/* ---------------------------------------------------------------- sender -- */

static void drop(struct mpii_p2p_block **at)
{
    struct mpii_p2p_block *b = *at;

    *at = b->next;
    if (offers->refused_last == &b->next)
        offers->refused_last = at;
    offers->n_refused--;
    mpii_p2p_block_free(b);
}

void mpii_p2p_offers_reclaim(void)
{
    for (struct mpii_p2p_block **at = &offers->refused; *at;) {
        if (state_of((*at)->data) == DONE)
            drop(at);
        else
            at = &(*at)->next;
    }
}

/* Those that follow one which nobody takes are looked for now and then only. */
static void reclaim(void)
{
    while (offers->refused && state_of(offers->refused->data) == DONE)
        drop(&offers->refused);
    if (offers->n_refused >= MANY && ++offers->reclaims % MANY == 0)
        mpii_p2p_offers_reclaim();
}

static void keep(struct mpii_p2p_block *b)
{
    b->next = NULL;
    *offers->refused_last = b;
    offers->refused_last = &b->next;
    offers->n_refused++;
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

static bool may_offer(const struct mpii_p2p_message *m, uint64_t *place)
{
    return m->n <= MOST && m->proc < core_size() && m->proc != core_me() && !core_oversubscribed() &&
           core_rndv_loads(m->proc, m->buf, m->n) && core_slice_offset(m->buf, m->n, place) && take_hint(m->proc);
}

/* A block whose memory the receiver can load. */
static struct mpii_p2p_block *get_block(size_t n, int proc)
{
    struct mpii_p2p_block *b = mpii_p2p_block_get(n);

    if (!b || (b->in_arena && core_rndv_loads(proc, b->data, n)))
        return b;
    mpii_p2p_block_free(b);
    return NULL;
}

/* Sent: *block holds the offer. */
static enum mpii_p2p_outcome make(const struct mpii_p2p_message *m, struct mpii_p2p_block **block)
{
    struct mpii_p2p_head head;
    size_t head_n = mpii_p2p_head_fill(&head, m, NULL, P2P_OFFER); /* nobody asks for it back */
    struct note note = {.n = m->n};
    struct mpii_p2p_block *b;
    struct offer *o;
    int err;

    if (offers->refused)
        reclaim();
    if (!may_offer(m, &note.place) || !(b = get_block(sizeof *o + m->n, m->proc)))
        return P2P_UNFIT;
    o = b->data;
    note.at = core_arena_offset(o);
    o->state = OFFERED;
    err = mpii_p2p_wire_send(m->proc, MPII_CHANNEL_MESSAGE, &head, head_n, &note, sizeof note);
    if (err != 0) {
        mpii_p2p_block_free(b);
        return mpii_p2p_failure(err);
    }
    mpii_state.counters.send_bytes += m->n - sizeof note;
    *block = b;
    return P2P_SENT;
}

/* Of an offer that the sender has claimed: the receiver may have begun to wait for the copy. */
static void copy(struct mpii_p2p_block *b, const void *buf, int proc, size_t n)
{
    struct offer *o = b->data;

    core_copy(o->data, buf, n);
    /* Release: the copy comes before. */
    /* model: offer.copied */
    __atomic_store_n(&o->state, COPIED, __ATOMIC_RELEASE);
    core_wake(proc);
    keep(b);
}

/* ------------------------------------------- sender: offers of requests --
 * In the order of their starts. A wait or test looks at the first one; after LOOKS
 * of them it and those behind it are copied, some at each step. */

static void leave_open(struct mpii_request **at, bool taken, int error)
{
    struct mpii_request *r = *at;
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    *at = s->next;
    if (offers->open_last == &s->next)
        offers->open_last = at;
    s->block = NULL;
    offers->n_open--;
    give_hint(s->m.proc, taken);
    mpii_request_done(r, error);
}

static void end_taken(struct mpii_request **at)
{
    mpii_p2p_block_free(mpii_p2p_send_in(*at)->block);
    offers->looks = 0;
    leave_open(at, true, MPI_SUCCESS);
}

/* It is late; unless it is taken just now. */
static void end_late(struct mpii_request **at)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(*at);

    if (!claim(s->block->data, COPYING))
        return;
    copy(s->block, s->m.buf, s->m.proc, s->m.n);
    leave_open(at, false, MPI_SUCCESS);
}

static void step_open(struct mpii_hook *hook)
{
    struct mpii_request **at = &offers->open;

    for (unsigned copied = 0; *at && copied < BATCH;) {
        const enum state state = state_of(mpii_p2p_send_in(*at)->block->data);

        if (state == DONE) {
            end_taken(at);
        } else if (state != OFFERED) { /* the receiver is taking it */
            at = &mpii_p2p_send_in(*at)->next;
        } else if (offers->looks < LOOKS) {
            offers->looks++;
            break;
        } else {
            end_late(at);
            copied++;
        }
    }
    if (!offers->open) {
        offers->looks = 0;
        mpii_hook_remove(hook);
    } else if (*at) {
        core_wake(core_me()); /* no sleep before the next look: who does not take it rings nobody */
    }
}

static struct mpii_request **find_open(const struct mpii_request *r)
{
    struct mpii_request **at = &offers->open;

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

static void hold(struct mpii_request *r, struct mpii_p2p_block *b)
{
    struct mpii_p2p_send *s = mpii_p2p_send_in(r);

    if (!offers->open) {
        offers->open_hook.step = step_open;
        mpii_hook_add(&offers->open_hook);
    }
    s->block = b;
    s->next = NULL;
    *offers->open_last = r;
    offers->open_last = &s->next;
    offers->n_open++;
}

/* ------------------------------------------------------------- the protocol -- */

static bool is_copied(struct mpii_request *r)
{
    return r && mpii_p2p_send_in(r)->block; /* by an earlier try */
}

/* Who may not wait here needs a request that does. */
enum mpii_p2p_outcome mpii_p2p_send_offer(const struct mpii_p2p_message *m, struct mpii_request *r)
{
    enum mpii_p2p_outcome outcome;
    struct mpii_p2p_block *b = NULL;
    uint64_t place;

    if (is_copied(r))
        return P2P_UNFIT;
    if (!r && !m->may_wait)
        return may_offer(m, &place) ? P2P_LASTS : P2P_UNFIT;
    if ((outcome = make(m, &b)) != P2P_SENT)
        return outcome;
    if (r) {
        hold(r, b);
        return P2P_OUT;
    }
    if (taken_soon(b->data, m->proc))
        mpii_p2p_block_free(b);
    else
        copy(b, m->buf, m->proc, m->n);
    return P2P_SENT;
}

/* -------------------------------------------------------------- receiver -- */

size_t mpii_p2p_offer_read(const struct core_mail *mail, struct core_rndv *rndv)
{
    struct note note;

    memcpy(&note, mail->body, sizeof note);
    *rndv = (struct core_rndv){.pe = mail->from, .addr = note.at, .key = note.place, .n = note.n};
    return note.n;
}

static void done(struct offer *o, int from)
{
    /* Release: our reads come before the sender's next stores there. */
    /* model: offer.done */
    __atomic_store_n(&o->state, DONE, __ATOMIC_RELEASE);
    core_wake(from);
}

bool mpii_p2p_offer_take(struct mpii_request *r, const struct core_rndv *rndv)
{
    struct offer *o = core_arena_at(rndv->pe, rndv->addr);
    struct mpii_p2p_recv *v = mpii_p2p_recv_in(r);
    const void *from = claim(o, TAKING) ? core_slice_at(rndv->pe, rndv->key) : o->data;

    if (state_of(o) == COPYING)
        return false;
    if (v->type->dense)
        core_copy(v->buf, from, (size_t)r->bytes);
    else
        mpii_unpack(v->buf, v->count, v->type, 0, from, r->bytes);
    done(o, rndv->pe);
    return true;
}

bool mpii_p2p_offer_drop(const struct core_rndv *rndv)
{
    struct offer *o = core_arena_at(rndv->pe, rndv->addr);

    if (!claim(o, TAKING) && state_of(o) == COPYING)
        return mpii_ft_dead(rndv->pe); /* it will not end the copy */
    done(o, rndv->pe);
    return true;
}
