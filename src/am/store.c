/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Stores and gets. Three ways, the best first: little travels inside the message that
 * names the handler; symmetric memory is written or read directly, and the message
 * follows; other memory of the peer is reached by its own processor, which fetches or
 * sends the body.
 */
#include <limits.h>

#include "am/ami.h"
#include "am/trace.h"
#include "am/out.h"

/* Up to here one message is cheaper than writing memory and sending one. */
enum { CARRY_MAX = 256 };

struct transfer {
    const char *call;
    vnn_t dest;
    bool immediate;
    const void *local, *remote;
    size_t n;
    am_handler handler;
    uint64_t arg;
};

static struct transfer transfer_of(const char *call, vnn_t dest, const void *local, const void *remote, long n,
                                   am_handler h, void *arg)
{
    bool immediate = dest > 0 && (dest & AM_IMMEDIATE);

    return (struct transfer){
        call, immediate ? dest & ~AM_IMMEDIATE : dest, immediate, local, remote, (size_t)n, h, (uintptr_t)arg};
}

static int check(const struct transfer *t, bool reply)
{
    int rc = (reply ? ami_refuse_reply : ami_refuse_request)(t->call, t->dest, t->handler);

    if (rc != 0)
        return rc;
    if (t->n > INT_MAX)
        return ami_bad(t->call, "nbytes", (long)t->n, "0 to am_max_size()");
    if (t->n > 0 && !t->local)
        return ami_bad(t->call, "lva", 0, "an address");
    return t->n > 0 && !t->remote ? ami_bad(t->call, "rva", 0, "an address") : 0;
}

/* Of this PE; of others their processes say so. */
static int no_place(const struct transfer *t)
{
    return ami_error(AM_E_MEMORY, t->dest, t->handler, "%s: %zu bytes at address %p: no memory that may be used so",
                     t->call, t->n, t->remote);
}

/* Within this process; where they overlap as well. */
static int here(const struct transfer *t, void *to, const void *from, void *addr)
{
    am_handler f = t->handler ? ami_handler_here(t->handler) : NULL;
    char name[128];

    if (t->handler && !f) {
        ami_handler_name(t->handler, name, sizeof name);
        return ami_error(AM_E_HANDLER, t->dest, t->handler, "%s: handler %s is not registered at PE %d", t->call, name,
                         t->dest);
    }
    if (!ami_place_ok(t->remote, t->n, to == t->remote))
        return no_place(t);
    if (t->n > 0)
        memmove(to, from, t->n);
    ami_run_mem(t->dest, false, f, addr, t->n, t->arg);
    return 0;
}

static uint64_t handler_out(am_handler h)
{
    return h ? ami_handler_out(h) : 0;
}

static void fill_data(struct ami_msg *m, const struct transfer *t, bool reply)
{
    *m = (struct ami_msg){.head_n = sizeof m->h, .body = t->local, .n = t->n};
    m->h = (struct ami_data_head){
        {.handler = handler_out(t->handler), .kind = AMI_DATA, .reply = reply}, ami_place_out(t->remote, t->n), t->arg};
}

/* The bytes are there; the message that says so. */
static void fill_stored(struct ami_msg *m, am_word w[3], const struct transfer *t, bool reply)
{
    w[0] = (am_word)ami_place_out(t->remote, t->n);
    w[1] = (am_word)t->n;
    w[2] = (am_word)t->arg;
    *m = (struct ami_msg){.head_n = sizeof m->h.head, .body = w, .n = 3 * sizeof *w};
    m->h.head = (struct ami_head){.handler = handler_out(t->handler), .kind = AMI_STORED, .words = 3, .reply = reply};
}

/* On return the bytes are there, on a network also. */
static void put(const struct transfer *t)
{
    core_put(CORE_FLOW_DEFAULT, t->dest, (void *)(uintptr_t)t->remote, t->local, t->n);
    if (!core_on_node(t->dest) || core_late_on())
        core_quiet(CORE_FLOW_DEFAULT);
}

static bool fits(const struct transfer *t)
{
    return t->n <= CARRY_MAX || (t->n <= AMI_DATA_MAX && !core_segment_holds(t->remote, t->n));
}

/* ------------------------------------------------------------------ far -- */

void ami_out_end(struct ami_out *out)
{
    struct ami_context c = {ami.context, out->dest, true, false, 0, (size_t)out->n, (am_handler)out->end};

    ami.context = &c;
    if (out->end)
        out->end(out->dest, out->lva, (int)out->n, out->earg);
    ami.context = c.up;
    free(out->copy);
    free(out);
}

static void wait_for_body(const struct core_sending *s, const char *call)
{
    struct core_waiter w;

    core_wait_begin(&w, call);
    while (!core_sending_done(s)) {
        core_wait_pause(&w);
        ami_stepped();
    }
    core_wait_end(&w);
}

static struct ami_out *new_out(const struct transfer *t, handler_mem_t end, void *earg, bool copy)
{
    struct ami_out *out = calloc(1, sizeof *out);

    if (out && copy && !(out->copy = malloc(t->n))) {
        free(out);
        out = NULL;
    }
    if (!out) {
        ami_no_memory(t->call, t->dest, t->handler, t->n);
        return NULL;
    }
    if (copy)
        core_copy(out->copy, t->local, t->n);
    out->dest = t->dest;
    out->lva = (void *)(uintptr_t)t->local;
    out->n = (long)t->n;
    out->end = end;
    out->earg = earg;
    return out;
}

/* The body stays here until the receiver has fetched it: `out` says what then; NULL: this call waits. */
static int send_body(const struct transfer *t, struct ami_out *out)
{
    struct ami_peer *p = &ami.peer[t->dest];
    struct core_sending own, *s = out ? &out->s : &own;
    struct core_waiter w;
    struct ami_msg m;
    int rc;

    if (!ami_has_room(p) && !ami_wait_for_room(p, t->immediate, t->call))
        return AM_BUSY;
    fill_data(&m, t, false);
    core_wait_begin(&w, t->call);
    for (;;) {
        m.h.head.done = p->done;
        rc = core_send_rndv_try(t->dest, AMI_CHANNEL, &m.h, m.head_n, out && out->copy ? out->copy : t->local, t->n, s,
                                out ? ami_end_later : NULL);
        if (rc != -EAGAIN || t->immediate)
            break;
        core_wait_pause(&w);
        ami_stepped();
    }
    core_wait_end(&w);
    if (rc == -EAGAIN)
        return AM_BUSY;
    if (rc != 0)
        core_fatal("%s: a body of %zu bytes cannot be sent to PE %d: %s", t->call, t->n, t->dest, strerror(-rc));
    p->told = (int32_t)(m.h.head.done - p->told) > 0 ? m.h.head.done : p->told;
    p->sent++;
    if (!out)
        wait_for_body(s, t->call);
    return 0;
}

/* --------------------------------------------------------------- stores -- */

/* Whatever leaves the source free on return; -EINPROGRESS: only a body that stays would do. */
static int store_now(const struct transfer *t)
{
    struct ami_msg m;
    am_word w[3];
    int rc = check(t, false);

    if (rc != 0)
        return rc;
    if (t->dest == core_me())
        return here(t, (void *)(uintptr_t)t->remote, t->local, (void *)(uintptr_t)t->remote);
    if (fits(t)) {
        fill_data(&m, t, false);
        return ami_send(t->dest, &m, t->immediate, t->call);
    }
    if (!core_segment_holds(t->remote, t->n))
        return -EINPROGRESS;
    if (!ami_has_room(&ami.peer[t->dest]) && !ami_wait_for_room(&ami.peer[t->dest], t->immediate, t->call))
        return AM_BUSY;
    put(t);
    fill_stored(&m, w, t, false);
    return ami_send(t->dest, &m, t->immediate, t->call);
}

int am_store(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg)
{
    AMI_TRACE(record, "am_store");
    if (MPT_UNLIKELY(core_trace_on()))
        ami_trace_moved(&record, CORE_TRACE_STORES, dest, rva, (size_t)nbytes);
    struct transfer t = transfer_of("am_store", dest, lva, rva, nbytes, (am_handler)handler, arg);
    struct ami_out *out = NULL;
    int rc = store_now(&t);

    if (rc != -EINPROGRESS)
        return rc;
    if (t.immediate && !(out = new_out(&t, NULL, NULL, true)))
        return AM_E_MEMORY;
    rc = send_body(&t, out);
    if (out && rc != 0) {
        free(out->copy);
        free(out);
    }
    return rc;
}

int am_store_async(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg,
                   handler_mem_t endfunc, void *earg)
{
    AMI_TRACE(record, "am_store_async");
    if (MPT_UNLIKELY(core_trace_on()))
        ami_trace_moved(&record, CORE_TRACE_STORES, dest, rva, (size_t)nbytes);
    struct transfer t = transfer_of("am_store_async", dest, lva, rva, nbytes, (am_handler)handler, arg);
    struct ami_out *out;
    int rc = store_now(&t);

    if (rc == 0)
        ami_run_mem(t.dest, true, (am_handler)endfunc, (void *)(uintptr_t)lva, t.n, (uintptr_t)earg);
    if (rc != -EINPROGRESS)
        return rc;
    if (!(out = new_out(&t, endfunc, earg, false)))
        return AM_E_MEMORY;
    rc = send_body(&t, out);
    if (rc != 0)
        free(out);
    return rc;
}

int am_reply_xfer(vnn_t dest, const void *lva, void *rva, long nbytes, handler_mem_t handler, void *arg)
{
    AMI_TRACE(record, "am_reply_xfer");
    if (MPT_UNLIKELY(core_trace_on()))
        ami_trace_moved(&record, CORE_TRACE_STORES, dest, rva, (size_t)nbytes);
    struct transfer t = transfer_of("am_reply_xfer", dest, lva, rva, nbytes, (am_handler)handler, arg);
    struct ami_msg m;
    am_word w[3];
    int rc = check(&t, true);
    void *copy = NULL;

    if (rc != 0)
        return rc;
    if (dest == core_me()) {
        if (!ami_place_ok(rva, t.n, true))
            return no_place(&t);
        ami.context->replied = true;
        memmove(rva, lva, t.n);
        ami_run_mem(dest, true, handler ? ami_handler_here(t.handler) : NULL, rva, t.n, t.arg);
        return 0;
    }
    if (!fits(&t) && core_on_node(dest) && core_segment_holds(rva, t.n)) {
        put(&t);
        fill_stored(&m, w, &t, true);
    } else {
        fill_data(&m, &t, true);
        if (t.n > AMI_DATA_MAX && !(copy = malloc(t.n)))
            return ami_no_memory("am_reply_xfer", dest, t.handler, t.n);
        if (copy) {
            core_copy(copy, lva, t.n);
            m.body = copy;
            m.owned = true;
        }
    }
    ami.context->replied = true;
    ami_answer(dest, &m);
    return 0;
}

/* ----------------------------------------------------------------- gets -- */

static int ask_for(const struct transfer *t)
{
    const am_word w[4] = {(am_word)ami_place_out(t->remote, t->n), (am_word)t->n,
                          (am_word)ami_place_out(t->local, t->n), (am_word)t->arg};
    struct ami_msg m = {.head_n = sizeof m.h.head, .body = w, .n = sizeof w};

    m.h.head = (struct ami_head){.handler = handler_out(t->handler), .kind = AMI_GET, .words = 4};
    return ami_send(t->dest, &m, t->immediate, t->call);
}

int am_get(vnn_t dest, const void *rva, void *lva, long nbytes, handler_mem_t handler, void *arg)
{
    AMI_TRACE(record, "am_get");
    if (MPT_UNLIKELY(core_trace_on()))
        ami_trace_moved(&record, CORE_TRACE_LOADS, dest, rva, (size_t)nbytes);
    struct transfer t = transfer_of("am_get", dest, lva, rva, nbytes, (am_handler)handler, arg);
    int rc = check(&t, false);

    if (rc != 0)
        return rc;
    if (t.dest == core_me())
        return here(&t, lva, rva, lva);
    if (t.n > 0 && !core_segment_holds(rva, t.n))
        return ask_for(&t);
    if (t.n > 0 && core_on_node(t.dest) && !core_late_on())
        core_get(CORE_FLOW_DEFAULT, t.dest, lva, rva, t.n);
    else if (t.n > 0) {
        ami_pend(&(struct ami_pending){.src = t.dest,
                                       .reply = true,
                                       .handler = t.handler ? ami_handler_here(t.handler) : NULL,
                                       .addr = lva,
                                       .n = t.n,
                                       .arg = t.arg},
                 rva);
        return 0;
    }
    ami_run_mem(t.dest, true, handler ? ami_handler_here(t.handler) : NULL, lva, t.n, t.arg);
    return 0;
}
