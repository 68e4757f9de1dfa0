/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What comes in: a message's handler is found and run, with a context that the rules
 * of replies are checked by. A message for which there is no handler goes back to its
 * sender; a reply's sender has nobody to ask, so there the receiver reports it.
 */
#include "am/ami.h"
#include "am/trace.h"

enum { FAST_MAX = 64 }; /* then others have their turn */

/* Every count of words is a shape of its own: handlers are ordinary functions. */
static inline __attribute__((always_inline)) void call_short(vnn_t src, am_handler f, const am_word *w, unsigned n)
{
    switch (n) {
    case 0:
        ((handler_0_t)f)(src);
        return;
    case 1:
        ((handler_1_t)f)(src, w[0]);
        return;
    case 2:
        ((handler_2_t)f)(src, w[0], w[1]);
        return;
    case 3:
        ((handler_3_t)f)(src, w[0], w[1], w[2]);
        return;
    case 4:
        ((handler_4_t)f)(src, w[0], w[1], w[2], w[3]);
        return;
    default:
        ((handler_5_t)f)(src, w[0], w[1], w[2], w[3], w[4]);
        return;
    }
}

static void call_other(vnn_t src, unsigned kind, am_handler f, const am_word *w, unsigned words, const void *body,
                       size_t n)
{
    double x;

    switch (kind) {
    case AMI_DF:
        memcpy(&x, &w[2], sizeof x);
        ((handler_df_t)f)(src, w[0], w[1], x);
        return;
    case AMI_V:
        ((handler_v_t)f)(src, w, (int)words);
        return;
    default:
        ((handler_medium_t)f)(src, (void *)(uintptr_t)body, (int)n, w, (int)words);
        return;
    }
}

static inline __attribute__((always_inline)) void run(vnn_t src, const struct ami_head *h, am_handler f,
                                                      const am_word *w, const void *body, size_t n)
{
    struct ami_context c = {ami.context, src, h->reply, false, h->words, n, f};
    uint64_t began = MPT_UNLIKELY(core_trace_on()) ? core_trace_now() : 0;

    ami.context = &c;
    if (MPT_LIKELY(h->kind == AMI_SHORT))
        call_short(src, f, w, h->words);
    else
        call_other(src, h->kind, f, w, h->words, body, n);
    ami.context = c.up;
    if (MPT_UNLIKELY(began))
        ami_trace_handled(src, h->reply, h->kind == AMI_MEDIUM ? n + h->words * sizeof *w : h->words * sizeof *w,
                          began);
    if (!c.reply && !c.replied && src != core_me())
        ami_request_done(src);
}

void ami_run_mem(vnn_t src, bool reply, am_handler f, void *addr, size_t n, uint64_t arg)
{
    struct ami_context c = {ami.context, src, reply, false, 0, n, f};

    ami.context = &c;
    if (f)
        ((handler_mem_t)f)(src, addr, (int)n, (void *)(uintptr_t)arg);
    ami.context = c.up;
    if (!c.reply && !c.replied && src != core_me())
        ami_request_done(src);
}

int ami_run_here(const char *call, const struct ami_head *h, am_handler f, const am_word *words, const void *body,
                 size_t n)
{
    am_handler here = ami_handler_here(f);
    char name[128];

    if (!here) {
        ami_handler_name(f, name, sizeof name);
        return ami_error(AM_E_HANDLER, core_me(), f, "%s: handler %s is not registered at PE %d", call, name,
                         core_me());
    }
    run(core_me(), h, here, words, body, n);
    return 0;
}

/* ------------------------------------------------------------- go back -- */

static const char *why(int status)
{
    return status == AM_E_MEMORY ? "the address is no memory of it that may be used so"
                                 : "it has no such handler (another program, or none registered)";
}

static void lost(const struct core_mail *mail, const struct ami_head *h, int status, const void *addr)
{
    struct ami_msg m = {.h.head = {.handler = h->handler, .kind = AMI_LOST, .reply = 1, .words = 2},
                        .head_n = sizeof m.h.head};
    am_word words[2] = {status, (am_word)(uintptr_t)addr};
    am_handler f = (am_handler)(uintptr_t)(h->handler < AM_TABLE_SIZE ? h->handler : 0);

    if (h->reply) {
        ami_error(status, mail->from, f, "am: a reply of PE %d cannot be delivered to PE %d: %s", mail->from, core_me(),
                  why(status));
        return;
    }
    m.body = words;
    m.n = sizeof words;
    ami_answer(mail->from, &m);
}

static void on_lost(const struct core_mail *mail, const struct ami_head *h, const am_word *w)
{
    am_handler f = h->handler < AM_TABLE_SIZE ? (am_handler)(uintptr_t)h->handler : ami_handler_in(h->handler);
    char name[128];

    ami_handler_name(f, name, sizeof name);
    if (w[0] == AM_E_MEMORY)
        ami_error(AM_E_MEMORY, mail->from, f, "am: a transfer with PE %d (handler %s) at address %p: %s", mail->from,
                  f ? name : "none", (void *)w[1], why(AM_E_MEMORY));
    else
        ami_error(AM_E_HANDLER, mail->from, f, "am: a request for handler %s came back from PE %d: %s", name,
                  mail->from, why(AM_E_HANDLER));
}

/* ----------------------------------------------------------- memory -- */

static void on_stored(const struct core_mail *mail, const struct ami_head *h, const am_word *w)
{
    am_handler f = h->handler ? ami_handler_in(h->handler) : NULL;

    if (h->handler && !f)
        lost(mail, h, AM_E_HANDLER, NULL);
    else
        ami_run_mem(mail->from, h->reply, f, ami_place_in((uint64_t)w[0]), (size_t)w[1], (uint64_t)w[2]);
}

static void on_data(const struct core_mail *mail)
{
    const struct ami_data_head *h = mail->head;
    void *addr = ami_place_in(h->addr);
    am_handler f = h->head.handler ? ami_handler_in(h->head.handler) : NULL;
    bool good = ami_place_ok(addr, mail->n, true);

    if (!good || (h->head.handler && !f)) {
        if (!mail->body && mail->n > 0)
            core_fetch_end(&mail->rndv);
        lost(mail, &h->head, good ? AM_E_HANDLER : AM_E_MEMORY, addr);
        return;
    }
    if (mail->body || mail->n == 0) {
        if (mail->n > 0)
            core_copy(addr, mail->body, mail->n);
        ami_run_mem(mail->from, h->head.reply, f, addr, mail->n, h->arg);
        return;
    }
    ami_pend(&(struct ami_pending){.rndv = mail->rndv,
                                   .src = mail->from,
                                   .reply = h->head.reply,
                                   .handler = f,
                                   .addr = addr,
                                   .n = mail->n,
                                   .arg = h->arg},
             NULL);
}

static void on_get(const struct core_mail *mail, const struct ami_head *h, const am_word *w)
{
    const void *from = ami_place_in((uint64_t)w[0]);
    struct ami_msg m = {.head_n = sizeof m.h, .body = from, .n = (size_t)w[1]};

    m.h = (struct ami_data_head){{.handler = h->handler, .kind = AMI_DATA, .reply = 1}, (uint64_t)w[2], (uint64_t)w[3]};
    if (ami_place_ok(from, m.n, false))
        ami_answer(mail->from, &m);
    else
        lost(mail, h, AM_E_MEMORY, from);
}

/* -------------------------------------------------------------- mail -- */

static void on_other(const struct core_mail *mail, const struct ami_head *h, const am_word *w)
{
    struct ami_peer *p = &ami.peer[mail->from];

    switch ((enum ami_kind)h->kind) {
    case AMI_STORED:
        on_stored(mail, h, w);
        return;
    case AMI_DATA:
        on_data(mail);
        return;
    case AMI_GET:
        on_get(mail, h, w);
        return;
    case AMI_LOST:
        on_lost(mail, h, w);
        return;
    case AMI_ASK:
        p->asked = (uint32_t)w[0];
        ami_tell(mail->from, p);
        return;
    default:
        return;
    }
}

static inline void note_done(struct ami_peer *p, uint32_t done)
{
    if ((int32_t)(done - p->acked) > 0) /* a message may have waited for room longer than a later one */
        p->acked = done;
}

void ami_on_mail(const struct core_mail *mail)
{
    const struct ami_head *h = mail->head;
    const am_word *w = mail->body;
    struct ami_peer *p = &ami.peer[mail->from];
    am_handler f;

    if (MPT_UNLIKELY(h->kind == AMI_STEP)) {
        ami_came_round();
        return;
    }
    ami.last = mail->from;
    note_done(p, h->done);
    if (MPT_UNLIKELY(h->kind > AMI_MEDIUM)) {
        on_other(mail, h, w);
        return;
    }
    if (MPT_UNLIKELY(!(f = ami_handler_in(h->handler)))) {
        lost(mail, h, AM_E_HANDLER, NULL);
        return;
    }
    run(mail->from, h, f, w, w + h->words, mail->n - h->words * sizeof *w);
}

/* Short messages of the sender of the last one, taken where they lie: a wait for an
 * answer looks at one cache line only. Others are left to core_progress, and so is every
 * message that comes behind one of them. */
int ami_fast(void)
{
    struct core_peer *from = core_fast_from(ami.last);
    struct core_fast_mail m;
    int n = 0;

    if (MPT_UNLIKELY(!from))
        return 0;
    while (n < FAST_MAX && core_fast_look(from, AMI_CHANNEL, &m) == CORE_FAST_MAIL) {
        struct ami_head h;
        am_word w[5];
        am_handler f;

        __builtin_memcpy(&h, &m.head, sizeof h);
        if (MPT_UNLIKELY(h.kind != AMI_SHORT || !(f = ami_handler_in(h.handler))))
            break;
        __builtin_memcpy(w, m.body, sizeof w); /* what a cache line holds */
        core_fast_took(from, &m);
        note_done(&ami.peer[ami.last], h.done);
        n++;
        run(ami.last, &h, f, w, NULL, 0);
    }
    return n;
}
