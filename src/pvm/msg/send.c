/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Sending: how a message's chain of chunks becomes mails of the channel. Short
 * pieces travel in them; what lies in an arena is read in place by tasks of this
 * node and fetched by those of others. A task that has left takes nothing, which is
 * no error; while one takes no more for now, the sender waits, receiving meanwhile.
 */
#include <errno.h>
#include <stdlib.h>

#include "pvm/msg/fastpath.h"
#include "pvm/trace.h"

enum { REFS_MAX = 36, BYTES_MAX = CORE_SEND_MAX - sizeof(struct pvmi_head) };

/* A mail being made. */
struct mail {
    struct pvmi_head head;
    struct pvmi_ref ref[REFS_MAX];
    const void *body;
    size_t n;
};
_Static_assert(sizeof(struct pvmi_head) + REFS_MAX * sizeof(struct pvmi_ref) <= CORE_SEND_MAX, "references fit a mail");

/* ------------------------------------------------------------------ posts -- */

/* The tasks' rows where they can be read in place. */
static struct pvmi_task *rows(void)
{
    if (!pvmi.msg.rows_asked)
        pvmi.msg.rows = pvmi_look(PVMI_AT(task), 0, NULL);
    pvmi.msg.rows_asked = true;
    return pvmi.msg.rows;
}

/* As far as that is known without asking anybody. */
static bool has_left(int slot)
{
    const struct pvmi_task *t = rows();
    int32_t state;

    if (!t)
        return false;
    state = __atomic_load_n(&t[slot].state, __ATOMIC_RELAXED);
    return state == PVMI_GONE || (pvmi.network && state == PVMI_FREE);
}

static bool send_short(int slot, const struct pvmi_short *head, const void *body, size_t n)
{
    struct core_fast_head words;
    struct core_peer *peer;

    if (slot == pvmi.me) {
        pvmi_queue_add(pvmi_short_message(slot, head, body, n));
        return true;
    }
    peer = pvmi_fast_to(slot);
    if (MPT_UNLIKELY(!peer))
        return core_send_try(slot, PVMI_CHANNEL, head, sizeof *head, body, n) != -EAGAIN;
    __builtin_memcpy(&words, head, sizeof words);
    return core_fast_send(peer, PVMI_CHANNEL, words, body, n);
}

/* Bytes and head in one go. */
bool pvmi_send_short(int slot, const struct pvmi_short *head, const void *body, size_t n)
{
    if (has_left(slot))
        return true;
    if (!send_short(slot, head, body, n))
        return false;
    if (MPT_UNLIKELY(core_trace_on()))
        pvmi_trace_sent(slot, head->tag, n);
    return true;
}

/* A body at this task that another node's task has not fetched yet. */
struct out {
    struct core_sending sending; /* first: `ended` gets its address */
    struct pvmi_hold *hold;
};

/* Called by any thread. The owner finds the block free at its next sweep. */
static void fetched(struct core_sending *s)
{
    struct out *o = (struct out *)(void *)s;

    /* Release: it has been read. */
    __atomic_sub_fetch(&o->hold->refs, 1, __ATOMIC_RELEASE);
    free(o);
}

static int try_post(const struct mail *m, int slot, struct out *o)
{
    size_t head_n = sizeof m->head + m->head.refs * sizeof m->ref[0];
    int rc;

    if (!o)
        return core_send_try(slot, PVMI_CHANNEL, &m->head, head_n, m->body, m->n);
    rc = core_send_rndv_try(slot, PVMI_CHANNEL, &m->head, head_n, m->body, m->n, &o->sending, fetched);
    if (rc == 0 && m->n <= CORE_SEND_MAX - head_n) /* it travelled with the head: nobody will fetch it */
        fetched(&o->sending);
    return rc;
}

static int __attribute__((noinline)) post_when_taken(const struct mail *m, int slot, struct out *o)
{
    enum { LOOK_EVERY = 32 };
    struct core_waiter w;
    unsigned tries = 0;
    int rc;

    core_wait_begin(&w, pvmi.call);
    while ((rc = try_post(m, slot, o)) == -EAGAIN) {
        core_wait_pause(&w); /* makes progress */
        if (++tries % LOOK_EVERY)
            continue;
        pvmi_machine_check(pvmi.call);
        if (!pvmi_alive(slot)) {
            rc = -EPIPE;
            break;
        }
    }
    core_wait_end(&w);
    pvmi_outside();
    return rc;
}

static int post(const struct mail *m, int slot, struct out *o)
{
    int rc;

    if (slot == pvmi.me) {
        pvmi_arrive(slot, &m->head, m->body, m->n, NULL);
        return 0;
    }
    rc = try_post(m, slot, o);
    return MPT_LIKELY(rc != -EAGAIN) ? rc : post_when_taken(m, slot, o);
}

/* ------------------------------------------------------------------ mails -- */

static bool refer(struct mail *m, const struct pvmi_chunk *c, int slot)
{
    char *base = core_arena_at(c->owner, 0);

    if (!base || m->head.refs == REFS_MAX ||
        sizeof m->head + (m->head.refs + 1) * sizeof m->ref[0] + m->n > CORE_SEND_MAX)
        return false;
    pvmi_hold_give(c->hold, slot);
    m->ref[m->head.refs++] =
        (struct pvmi_ref){(uint64_t)((char *)c->hold - base), c->used, c->owner, c->source != NULL};
    return true;
}

/* Nobody will drop them. */
static void take_back(const struct mail *m, int slot)
{
    for (unsigned i = 0; i < m->head.refs; i++) {
        const struct pvmi_ref *r = &m->ref[i];

        pvmi_hold_take_back(core_arena_at(r->owner, r->at), slot);
    }
}

/* One chunk to another node. */
static int post_rndv(struct mail *m, int slot, const struct pvmi_chunk *c)
{
    struct out *o = malloc(sizeof *o);
    int rc;

    if (!o)
        return -ENOMEM;
    __atomic_fetch_add(&c->hold->refs, 1, __ATOMIC_RELAXED);
    o->hold = c->hold;
    m->body = c->data;
    m->n = c->used;
    rc = post(m, slot, o);
    if (rc != 0)
        fetched(&o->sending);
    return rc;
}

/* As many bytes of private memory as a mail takes (it is never long), then references. *c and *at go on to what is
 * left. */
static void fill(struct mail *m, const struct pvmi_chunk **c, size_t *at, int slot)
{
    const struct pvmi_chunk *d = *c;

    m->head.refs = 0;
    m->n = 0;
    if (d && !d->hold) {
        m->body = d->data + *at;
        m->n = d->used - *at < BYTES_MAX ? d->used - *at : BYTES_MAX;
        *at += m->n;
        if (*at < d->used)
            return;
        *at = 0;
        d = d->next;
    }
    while (core_on_node(slot) && d && d->hold && refer(m, d, slot))
        d = d->next;
    *c = d;
}

static int post_body(struct mail *m, const struct pvmi_chunk *c, int slot)
{
    bool near = core_on_node(slot);
    size_t at = 0;
    int rc;

    m->head.flags = PVMI_FIRST;
    do {
        if (c && c->hold && !near) {
            m->head.refs = 0;
            m->head.flags |= c->next ? 0 : PVMI_LAST;
            rc = post_rndv(m, slot, c);
            c = c->next;
        } else {
            fill(m, &c, &at, slot);
            m->head.flags |= c ? 0 : PVMI_LAST;
            rc = post(m, slot, NULL);
        }
        if (rc != 0) {
            take_back(m, slot);
            return rc;
        }
        m->head.flags = 0;
    } while (c);
    return 0;
}

int pvmi_letter_post(const struct pvmi_letter *l, int slot)
{
    struct mail m; /* references are set as needed */
    int rc;

    if (slot < 0 || has_left(slot))
        return 0;
    m.head = l->head;
    m.body = NULL;
    m.n = 0;
    rc = post_body(&m, l->body, slot);
    if (MPT_UNLIKELY(core_trace_on()) && rc == 0)
        pvmi_trace_sent(slot, l->head.tag, l->head.length);
    return rc == -ENOMEM ? PvmNoMem : 0; /* else it has left meanwhile */
}

/* --------------------------------------------------------------- messages -- */

/* In a machine, where tasks end and their slots serve again, nothing refers to memory but its sender's. */
int pvmi_chain_load(struct pvmi_chunk *c)
{
    int rc = 0;

    for (; c && rc == 0; c = c->next) {
        if (MPT_UNLIKELY(c->rndv.n || c->offered))
            rc = pvmi_chunk_load(c);
        if (rc == 0 && pvmi.network)
            rc = pvmi_chunk_adopt(c);
    }
    return rc;
}

void pvmi_chain_drop(struct pvmi_chunk *c)
{
    for (struct pvmi_chunk *next; c; c = next) {
        next = c->next;
        pvmi_chunk_drop(c);
    }
}

static uint64_t length_of(const struct pvmi_chunk *c)
{
    uint64_t n = 0;

    for (; c; c = c->next)
        n += c->used;
    return n;
}

int pvmi_letter_open(struct pvmi_letter *l, struct pvmi_msg *m, int src, int tag, int context)
{
    int rc = 0;

    l->fresh = false;
    l->body = pvmi_msg_body(m, &l->fresh, l->later, &rc);
    if (rc == 0 && (rc = pvmi_chain_load(l->body)) != 0)
        pvmi_letter_close(l);
    if (rc != 0)
        return rc;
    l->head = (struct pvmi_head){.src = src,
                                 .tag = tag,
                                 .context = context,
                                 .wid = m->wid,
                                 .length = length_of(l->body),
                                 .kind = PVMI_USER,
                                 .encoding = (uint8_t)(m->encoding == PvmDataInPlace ? PvmDataRaw : m->encoding)};
    return 0;
}

void pvmi_letter_close(struct pvmi_letter *l)
{
    if (l->fresh)
        pvmi_chain_drop(l->body);
}

int pvmi_send_from(struct pvmi_msg *m, int src, int slot, int tag, int context)
{
    struct pvmi_letter l = {.later = pvmi_offer_may(slot)};
    int rc = pvmi_letter_open(&l, m, src, tag, context);

    if (rc != 0)
        return rc;
    if (l.fresh)
        pvmi_offer_begin(l.body, slot, tag, false);
    rc = pvmi_letter_post(&l, slot);
    if (l.fresh)
        pvmi_offer_settle(l.body, slot, false);
    pvmi_letter_close(&l);
    return rc;
}

/* Its bytes when they are few and lie in one piece; NULL: not so. */
static const struct pvmi_chunk *few(const struct pvmi_msg *m)
{
    static const struct pvmi_chunk none;
    const struct pvmi_chunk *c = m->first;

    if (!c)
        return m->encoding == PvmDataInPlace ? NULL : &none;
    return !c->hold && !c->next && !c->rndv.n && c->used <= PVMI_SHORT_MAX && m->encoding != PvmDataInPlace ? c : NULL;
}

int pvmi_send(struct pvmi_msg *m, int slot, int tag, int context)
{
    const struct pvmi_chunk *c = few(m);

    if (slot < 0 || (MPT_LIKELY(c != NULL) &&
                     pvmi_send_short(slot, &(struct pvmi_short){tag, context, m->wid, m->encoding}, c->data, c->used)))
        return 0;
    return pvmi_send_from(m, pvmi.tid, slot, tag, context);
}

/* ------------------------------------------------------------------ notes -- */

static struct mail note_mail(enum pvmi_kind kind, const void *note, size_t n)
{
    return (struct mail){.head = {.kind = (uint8_t)kind}, .body = note, .n = n};
}

int pvmi_note(int slot, enum pvmi_kind kind, const void *note, size_t n)
{
    struct mail m = note_mail(kind, note, n);

    if (slot < 0 || n > PVMI_NOTE_MAX)
        return PvmBadParam;
    if (!has_left(slot))
        post(&m, slot, NULL); /* fails when the task has left meanwhile */
    return 0;
}

bool pvmi_note_try(int slot, enum pvmi_kind kind, const void *note, size_t n)
{
    struct mail m = note_mail(kind, note, n);

    return has_left(slot) || try_post(&m, slot, NULL) != -EAGAIN;
}
