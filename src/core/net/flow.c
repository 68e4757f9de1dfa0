/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Flows: what makes one idle, what fence must do. A flow keeps a list of the PEs
 * that its next quiet must ask ("dirty"); the list's address is in flow->dirty,
 * whose low bits say what fence needs to know.
 *
 * The first few operations after a quiet are asked for on their own, so that a put
 * and its quiet cost one round trip; in a stream, or where nobody calls quiet, only
 * the quiet asks: a reply that nobody waits for costs both sides. Nobody asks for operations without a flow (NULL).
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/net/fabric.h"

enum { ASK_MAX = 4 };

/* Messages are under way; a fence came after messages; adapters' atomics are under
 * way; a fence came that later ones must obey. */
enum { MESSAGES = 1, FENCED = 2, ATOMICS = 4, FENCED_ATOMICS = 8, TAGS = 15 };

_Static_assert(_Alignof(max_align_t) > TAGS, "a record's address has room for the tags");

struct core_net_dirty {
    struct core_flow *flow;
    struct core_net_dirty *next, **link; /* core_state.net.dirty */
    unsigned asked; /* operations since the last quiet, up to ASK_MAX and a few */
    int n;
    int *list;
    bool is[];
};

static struct core_net_dirty *record_of(const struct core_flow *f)
{
    return (struct core_net_dirty *)((uintptr_t)f->dirty & ~(uintptr_t)TAGS);
}

static void tag(struct core_flow *f, uintptr_t tags)
{
    f->dirty = (void *)((uintptr_t)f->dirty | tags);
}

static struct core_net_dirty *record_new(struct core_flow *f)
{
    size_t npes = (size_t)mpt_fast.npes, bools = (npes + 7) / 8 * 8;
    struct core_net_dirty *d = calloc(1, sizeof *d + bools + npes * sizeof *d->list);
    if (!d)
        core_fatal("out of memory for a context's list of PEs");
    d->list = (int *)(void *)(d->is + bools);
    d->flow = f;
    d->next = core_state.net.dirty;
    d->link = &core_state.net.dirty;
    if (d->next)
        d->next->link = &d->next;
    core_state.net.dirty = d;
    f->dirty = (void *)((uintptr_t)d | ((uintptr_t)f->dirty & TAGS));
    return d;
}

static struct core_net_dirty *record_get(struct core_flow *f)
{
    struct core_net_dirty *d = record_of(f);
    return d ? d : record_new(f);
}

void core_net_flow_touch(struct core_flow *f, int pe)
{
    struct core_net_dirty *d = f ? record_get(f) : NULL;
    if (!d || d->is[pe])
        return;
    d->is[pe] = true;
    d->list[d->n++] = pe;
}

bool core_net_flow_asks(struct core_flow *f, int pe)
{
    if (!f)
        return false;
    struct core_net_dirty *d = record_get(f);
    return !d->is[pe] && d->asked++ < ASK_MAX;
}

struct core_net_op *core_net_flow_message(struct core_flow *f, const char *what, int pe)
{
    return f && core_net_flow_asks(f, pe) ? core_net_op_new(NET_REPLY, what, pe, f) : NULL;
}

/* Not earlier: while the fabric had no room another thread may have found the flow
 * idle, or asked the PE. */
void core_net_flow_sent(struct core_flow *f, int pe, const struct core_net_op *reply)
{
    if (!f)
        return;
    tag(f, MESSAGES);
    if (!reply)
        core_net_flow_touch(f, pe);
}

bool core_net_flow_fenced(const struct core_flow *f)
{
    return f && (uintptr_t)f->dirty & FENCED;
}

void core_net_flow_atomic(struct core_flow *f)
{
    if (f)
        tag(f, ATOMICS);
}

bool core_net_flow_fenced_atomics(const struct core_flow *f)
{
    return f && (uintptr_t)f->dirty & FENCED_ATOMICS;
}

/* Ask the next dirty PE. */
static bool ask(struct core_net_dirty *d)
{
    int pe = d->list[d->n - 1];
    struct core_net_op *op = core_net_op_new(NET_REPLY, "quiet", pe, d->flow),
                       *message = core_net_message_new("quiet", pe);
    core_net_message_begin(message, NET_M_FLUSH, 0)->cookie = core_net_op_cookie(op);
    int rc = core_net_message_try(message);
    if (rc != 0) {
        core_net_op_free(message);
        core_net_op_undo(op);
        if (rc != -EAGAIN)
            core_net_fail("quiet", pe, -rc, "");
        return false;
    }
    d->is[pe] = false;
    d->n--;
    return true;
}

bool core_net_idle_locked(struct core_flow *f)
{
    struct core_net_dirty *d = record_of(f);
    if (d)
        d->asked = 0;
    while (d && d->n > 0)
        if (!ask(d))
            return false;
    if (f->begun != __atomic_load_n(&f->done, __ATOMIC_ACQUIRE))
        return false;
    f->dirty = d; /* no tags */
    return true;
}

bool core_net_idle(struct core_flow *f)
{
    bool locked = core_net_lock(), idle = core_net_idle_locked(f);
    core_net_unlock(locked);
    return idle;
}

bool core_net_all_idle(void)
{
    bool locked = core_net_lock();
    for (struct core_net_dirty *d = core_state.net.dirty; d; d = d->next)
        core_net_idle_locked(d->flow);
    bool idle = core_state.net.begun == core_state.net.done;
    for (struct core_net_dirty *d = core_state.net.dirty; d; d = d->next)
        idle &= d->n == 0;
    core_net_unlock(locked);
    return idle;
}

/* Writes and messages arrive in order, and messages are executed in order; but a
 * write may pass a message that has arrived and is not yet executed. So later
 * writes wait, not the fence: what follows a fence is mostly small. No order is
 * known between adapters' atomics and anything else: the fence waits for those under
 * way, and later ones wait for all that was before the fence. */
void core_net_fence(struct core_flow *f)
{
    struct core_net_turn t;
    core_net_turn_begin(&t, "fence", -1);
    uintptr_t tags = (uintptr_t)f->dirty & TAGS;
    if (!core_state.net.promise.ordered || tags & ATOMICS)
        core_net_turn_until_idle(&t, f);
    else
        tag(f, (tags & MESSAGES && !core_state.net.promise.executed ? FENCED : 0) |
                   (core_state.rma.atomics_native ? FENCED_ATOMICS : 0));
    core_net_turn_end(&t);
}

static void record_free(struct core_net_dirty *d)
{
    *d->link = d->next;
    if (d->next)
        d->next->link = d->link;
    free(d);
}

void core_net_finish(struct core_flow *f)
{
    if (!record_of(f))
        return;
    bool locked = core_net_lock();
    record_free(record_of(f));
    f->dirty = NULL;
    core_net_unlock(locked);
}

/* The job's end: flows may be used again after the next start. */
void core_net_flows_release(void)
{
    while (core_state.net.dirty) {
        core_state.net.dirty->flow->dirty = NULL;
        record_free(core_state.net.dirty);
    }
}
