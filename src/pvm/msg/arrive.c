/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Mails of the channel become messages again. A message joins the queue when its
 * last mail is there; until then its sender's row in a table holds it. Notes go to
 * whoever takes that kind. A task that has left drops all.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/msg/message.h"
#include "pvm/trace.h"

static const struct pvmi_ref *refs_of(const struct pvmi_head *h)
{
    return (const struct pvmi_ref *)(const void *)(h + 1);
}

/* Nobody wants them: their owners may use the blocks again. */
static void drop_mail(const struct pvmi_head *h, const struct core_rndv *rndv)
{
    const struct pvmi_ref *r = refs_of(h);

    for (unsigned i = 0; i < h->refs; i++) {
        struct pvmi_chunk *c = pvmi_chunk_of(core_arena_at(r[i].owner, r[i].at), r[i].used, r[i].owner);

        if (!c)
            continue; /* no memory: it is lost until this task ends */
        c->offered = r[i].offered;
        pvmi_chunk_drop(c);
    }
    if (rndv)
        core_fetch_end(rndv);
}

static struct pvmi_chunk *append(struct pvmi_msg *m, struct pvmi_chunk *c)
{
    if (MPT_UNLIKELY(!c))
        core_fatal("%s: no memory for a message of %zu bytes that arrives", pvmi.call, m->length);
    *(m->last ? &m->last->next : &m->first) = c;
    return m->last = c;
}

static void add_bytes(struct pvmi_msg *m, const void *p, size_t n)
{
    struct pvmi_chunk *c = append(m, pvmi_chunk_new(n, false));

    core_copy(c->data, p, n);
    c->used = n;
}

static void add_rndv(struct pvmi_msg *m, const struct core_rndv *rndv)
{
    struct pvmi_chunk *c = append(m, pvmi_chunk_new(0, false));

    c->rndv = *rndv;
    c->used = rndv->n;
}

static void add(struct pvmi_msg *m, const struct pvmi_head *h, const void *body, size_t n, const struct core_rndv *rndv)
{
    const struct pvmi_ref *r = refs_of(h);

    if (rndv)
        add_rndv(m, rndv);
    else if (n > 0)
        add_bytes(m, body, n);
    for (unsigned i = 0; i < h->refs; i++)
        append(m, pvmi_chunk_of(core_arena_at(r[i].owner, r[i].at), r[i].used, r[i].owner))->offered = r[i].offered;
}

static struct pvmi_msg *new_message(int encoding)
{
    struct pvmi_msg *m = pvmi_msg_new(encoding);

    if (MPT_UNLIKELY(!m))
        core_fatal("%s: no memory for a message that arrives", pvmi.call);
    return m;
}

static struct pvmi_msg *new_long(const struct pvmi_head *h)
{
    struct pvmi_msg *m = new_message(h->encoding);

    m->src = h->src;
    m->dst = pvmi.tid;
    m->tag = h->tag;
    m->context = h->context;
    m->wid = h->wid;
    m->length = h->length;
    return m;
}

struct pvmi_msg *pvmi_short_message(int from, const struct pvmi_short *h, const void *body, size_t n)
{
    struct pvmi_msg *m = new_message(h->encoding);

    if (MPT_UNLIKELY(!pvmi.msg.senders[from].tid))
        pvmi.msg.senders[from].tid = pvmi_tid_of(from);
    m->src = pvmi.msg.senders[from].tid;
    m->dst = pvmi.tid;
    m->tag = h->tag;
    m->context = h->context;
    m->wid = h->wid;
    m->length = n;
    if (MPT_UNLIKELY(core_trace_on()))
        m->number = pvmi_trace_comes(from);
    if (MPT_UNLIKELY(pvmi.msg.senders[from].label))
        pvmi_label_take(m, from);
    if (n > 0)
        add_bytes(m, body, n);
    return m;
}

void pvmi_queue_add(struct pvmi_msg *m)
{
    if (MPT_UNLIKELY(pvmi.msg.set_handlers) && pvmi_handler_takes(m))
        return;
    m->next = NULL;
    *pvmi.msg.newcomers.last = m;
    pvmi.msg.newcomers.last = &m->next;
}

static void take(int from, const struct pvmi_head *h, const void *body, size_t n, const struct core_rndv *rndv)
{
    struct pvmi_msg *m = pvmi.msg.senders[from].partial;

    if (MPT_LIKELY(h->flags & PVMI_FIRST)) {
        pvmi_msg_free(m); /* it failed at its sender */
        m = new_long(h);
        if (MPT_UNLIKELY(core_trace_on()))
            m->number = pvmi_trace_comes(from);
        if (MPT_UNLIKELY(pvmi.msg.senders[from].label))
            pvmi_label_take(m, from);
    }
    if (MPT_UNLIKELY(!m)) { /* its beginning came before this task did */
        drop_mail(h, rndv);
        return;
    }
    add(m, h, body, n, rndv);
    pvmi.msg.senders[from].partial = h->flags & PVMI_LAST ? NULL : m;
    if (h->flags & PVMI_LAST)
        pvmi_queue_add(m);
}

void pvmi_arrive(int from, const struct pvmi_head *h, const void *body, size_t n, const struct core_rndv *rndv)
{
    if (MPT_UNLIKELY(h->kind != PVMI_USER)) {
        pvmi_taker *f = h->kind < PVMI_KINDS ? pvmi.msg.takers[h->kind] : NULL;

        if (f && pvmi.msg.taking)
            f(from, body, n);
        return;
    }
    if (MPT_LIKELY(pvmi.msg.taking))
        take(from, h, body, n, rndv);
    else
        drop_mail(h, rndv);
}

static void on_mail(const struct core_mail *mail)
{
    if (MPT_LIKELY(mail->head_n == sizeof(struct pvmi_short))) {
        if (MPT_LIKELY(pvmi.msg.taking))
            pvmi_queue_add(pvmi_short_message(mail->from, mail->head, mail->body, mail->n));
        return;
    }
    pvmi_arrive(mail->from, mail->head, mail->body, mail->n, mail->body ? NULL : &mail->rndv);
}

int pvmi_message_start(void)
{
    int rc;

    if (!pvmi.msg.senders && !(pvmi.msg.senders = calloc((size_t)core_size(), sizeof *pvmi.msg.senders)))
        return PvmNoMem;
    pvmi.msg.taking = true;
    pvmi_notify_start();
    pvmi_label_start();
    rc = core_channel_open(PVMI_CHANNEL, on_mail);
    if (rc != 0)
        core_error("%s: cannot open the channel of messages: %s", pvmi.call, strerror(-rc));
    return rc == 0 ? 0 : PvmSysErr;
}

void pvmi_arrive_forget(int slot)
{
    pvmi_msg_free(pvmi.msg.senders[slot].partial);
    pvmi_label_forget(slot);
    pvmi.msg.senders[slot] = (struct pvmi_sender){NULL};
    pvmi_offer_forget(slot);
}

void pvmi_message_stop(void)
{
    core_progress(); /* what is here by now is dropped by us */
    pvmi.msg.taking = false;
    for (int i = 0; i < core_size(); i++) {
        pvmi_msg_free(pvmi.msg.senders[i].partial);
        pvmi.msg.senders[i].partial = NULL;
        pvmi_label_forget(i);
    }
    pvmi_handler_clear();
    pvmi_queue_clear();
    pvmi_notify_stop();
}
