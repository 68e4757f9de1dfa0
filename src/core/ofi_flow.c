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
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "core/ofi.h"

enum { ASK_MAX = 4 };

/* Messages are under way; a fence came after messages; adapters' atomics are under
 * way; a fence came that later ones must obey. */
enum { MESSAGES = 1, FENCED = 2, ATOMICS = 4, FENCED_ATOMICS = 8, TAGS = 15 };

_Static_assert(_Alignof(max_align_t) > TAGS, "a record's address has room for the tags");

struct ofi_dirty {
    struct core_flow *flow;
    struct ofi_dirty *next, **link; /* ofi.dirty */
    unsigned asked; /* operations since the last quiet, up to ASK_MAX and a few */
    int n;
    int *list;
    bool is[];
};

static struct ofi_dirty *record_of(const struct core_flow *f)
{
    return (struct ofi_dirty *)((uintptr_t)f->dirty & ~(uintptr_t)TAGS);
}

static void tag(struct core_flow *f, uintptr_t tags)
{
    f->dirty = (void *)((uintptr_t)f->dirty | tags);
}

static struct ofi_dirty *record_new(struct core_flow *f)
{
    size_t npes = (size_t)mpt_fast.npes, bools = (npes + 7) / 8 * 8;
    struct ofi_dirty *d = calloc(1, sizeof *d + bools + npes * sizeof *d->list);
    if (!d)
        core_fatal("out of memory for a context's list of PEs");
    d->list = (int *)(void *)(d->is + bools);
    d->flow = f;
    d->next = ofi.dirty;
    d->link = &ofi.dirty;
    if (d->next)
        d->next->link = &d->next;
    ofi.dirty = d;
    f->dirty = (void *)((uintptr_t)d | ((uintptr_t)f->dirty & TAGS));
    return d;
}

static struct ofi_dirty *record_get(struct core_flow *f)
{
    struct ofi_dirty *d = record_of(f);
    return d ? d : record_new(f);
}

void ofi_flow_touch(struct core_flow *f, int pe)
{
    struct ofi_dirty *d = f ? record_get(f) : NULL;
    if (!d || d->is[pe])
        return;
    d->is[pe] = true;
    d->list[d->n++] = pe;
}

bool ofi_flow_asks(struct core_flow *f, int pe)
{
    if (!f)
        return false;
    struct ofi_dirty *d = record_get(f);
    return !d->is[pe] && d->asked++ < ASK_MAX;
}

struct ofi_op *ofi_flow_message(struct core_flow *f, const char *what, int pe)
{
    return f && ofi_flow_asks(f, pe) ? ofi_op_new(OFI_REPLY, what, pe, f) : NULL;
}

/* Not earlier: while libfabric had no room another thread may have found the flow
 * idle, or asked the PE. */
void ofi_flow_sent(struct core_flow *f, int pe, const struct ofi_op *reply)
{
    if (!f)
        return;
    tag(f, MESSAGES);
    if (!reply)
        ofi_flow_touch(f, pe);
}

bool ofi_flow_fenced(const struct core_flow *f)
{
    return f && (uintptr_t)f->dirty & FENCED;
}

void ofi_flow_atomic(struct core_flow *f)
{
    if (f)
        tag(f, ATOMICS);
}

bool ofi_flow_fenced_atomics(const struct core_flow *f)
{
    return f && (uintptr_t)f->dirty & FENCED_ATOMICS;
}

/* Ask the next dirty PE. */
static bool ask(struct ofi_dirty *d)
{
    int pe = d->list[d->n - 1];
    struct ofi_op *op = ofi_op_new(OFI_REPLY, "quiet", pe, d->flow), *message = ofi_message_new("quiet", pe);
    ofi_message_begin(message, OFI_M_FLUSH, 0)->cookie = ofi_op_cookie(op);
    int rc = ofi_message_try(message);
    if (rc != 0) {
        ofi_op_free(message);
        ofi_op_undo(op);
        if (rc != -FI_EAGAIN)
            ofi_fail("quiet", pe, -rc, "");
        return false;
    }
    d->is[pe] = false;
    d->n--;
    return true;
}

bool ofi_idle_locked(struct core_flow *f)
{
    struct ofi_dirty *d = record_of(f);
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

bool ofi_idle(struct core_flow *f)
{
    bool locked = ofi_lock(), idle = ofi_idle_locked(f);
    ofi_unlock(locked);
    return idle;
}

bool ofi_all_idle(void)
{
    bool locked = ofi_lock();
    for (struct ofi_dirty *d = ofi.dirty; d; d = d->next)
        ofi_idle_locked(d->flow);
    bool idle = ofi.begun == ofi.done;
    for (struct ofi_dirty *d = ofi.dirty; d; d = d->next)
        idle &= d->n == 0;
    ofi_unlock(locked);
    return idle;
}

/* Writes and messages arrive in order, and messages are executed in order; but a
 * write may pass a message that has arrived and is not yet executed. So later
 * writes wait, not the fence: what follows a fence is mostly small. No order is
 * known between adapters' atomics and anything else: the fence waits for those under
 * way, and later ones wait for all that was before the fence. */
void ofi_fence(struct core_flow *f)
{
    struct ofi_turn t;
    ofi_turn_begin(&t, "fence", -1);
    uintptr_t tags = (uintptr_t)f->dirty & TAGS;
    if (!ofi.ordered || tags & ATOMICS)
        ofi_turn_until_idle(&t, f);
    else
        tag(f, (tags & MESSAGES ? FENCED : 0) | (core_atomics_native ? FENCED_ATOMICS : 0));
    ofi_turn_end(&t);
}

static void record_free(struct ofi_dirty *d)
{
    *d->link = d->next;
    if (d->next)
        d->next->link = d->link;
    free(d);
}

void ofi_finish(struct core_flow *f)
{
    if (!record_of(f))
        return;
    bool locked = ofi_lock();
    record_free(record_of(f));
    f->dirty = NULL;
    ofi_unlock(locked);
}

/* The job's end: flows may be used again after the next start. */
void ofi_flows_release(void)
{
    while (ofi.dirty) {
        ofi.dirty->flow->dirty = NULL;
        record_free(ofi.dirty);
    }
}
