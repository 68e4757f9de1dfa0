/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a wait for requests is for, with MPT_CHECK: in words, and as the processes that can end it
 * (core/wait/blocked.h).
 */
#include <stdio.h>
#include <string.h>

#include "mpi/request/request.h"

static bool is_open(const struct mpii_request *r)
{
    return mpii_request_is_active(r) && !r->done;
}

static const struct mpii_request *first_open(int count, const MPI_Request requests[])
{
    for (int i = 0; i < count; i++) {
        const struct mpii_request *r = mpii_request_of(requests[i]);

        if (is_open(r))
            return r;
    }
    return NULL;
}

const char *mpii_request_where(char text[MPII_WHERE], const char *call, int count, const MPI_Request requests[])
{
    const struct mpii_request *r = MPT_UNLIKELY(core_params.check) ? first_open(count, requests) : NULL;

    if (MPT_LIKELY(!r))
        return call;
    if (r->ops->where)
        return r->ops->where(r, text, call, count > 1);
    snprintf(text, MPII_WHERE, "%.20s: %.30s", call, r->ops->what);
    return text;
}

/* --------------------------------------------------------------- for whom -- */

static enum mpii_awaits awaits_of(const struct mpii_request *r)
{
    return r->ops->awaits ? r->ops->awaits(r) : MPII_AWAITS_ANYBODY;
}

static void add(struct core_wire_blocked_thread *b, const struct mpii_request *r)
{
    switch (awaits_of(r)) {
    case MPII_AWAITS_ONE:
    case MPII_AWAITS_SOME:
        r->ops->awaited(r, b);
        return;
    case MPII_AWAITS_ANYBODY:
        core_blocked_everybody(b);
        return;
    case MPII_AWAITS_NOBODY:
        core_blocked_free(b);
    }
}

/* Each of those that one process alone can end must end; the others count where there is none. */
static bool add_certain(struct core_wire_blocked_thread *b, const struct mpii_await *a)
{
    bool some = false;

    for (int i = 0; i < a->count; i++) {
        const struct mpii_request *r = mpii_request_of(a->requests[i]);

        if (!is_open(r) || awaits_of(r) != MPII_AWAITS_ONE)
            continue;
        if (!some)
            core_blocked_all(b);
        some = true;
        add(b, r);
    }
    return some;
}

static void who(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct mpii_await *a = arg;

    core_blocked_any(b);
    if (a->all && add_certain(b, a))
        return;
    for (int i = 0; i < a->count; i++) {
        const struct mpii_request *r = mpii_request_of(a->requests[i]);

        if (is_open(r))
            add(b, r);
    }
}

/* ----------------------------------------------------------------- in words -- */

static void say(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct mpii_await *a = arg;
    char text[MPII_AWAIT_TEXT] = "", miss[MPII_AWAIT_TEXT] = "";
    const struct mpii_request *r;
    unsigned open = 0;

    mpii_lock();
    for (int i = 0; i < a->count; i++)
        open += is_open(mpii_request_of(a->requests[i]));
    r = first_open(a->count, a->requests);
    if (r && r->ops->say)
        r->ops->say(r, text, miss);
    else if (r)
        snprintf(text, sizeof text, "%s", r->ops->what);
    mpii_unlock();
    if (a->several)
        core_blocked_call(b, "%s(%d requests, %u not complete%s: %s %s)", a->call, a->count, open,
                          open > 1 ? ", among them" : "", r && r->ops->say ? r->ops->what : "", text);
    else if (a->own)
        core_blocked_call(b, "%s(%s)", a->call, text);
    else
        core_blocked_call(b, "%s(%s %s)", a->call, r && r->ops->say ? r->ops->what : "", text);
    if (miss[0])
        core_blocked_miss(b, "%s", miss);
}

const struct core_blocked_by *mpii_await_by(struct mpii_await *a)
{
    a->by = (struct core_blocked_by){who, say, a};
    return &a->by;
}
