/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See trace.h.
 */
#include "am/trace.h"

static uint64_t number(uint64_t counted, bool reply)
{
    return 2 * counted - !reply;
}

void ami_trace_sent(struct core_trace_record *t, vnn_t dest, bool reply, size_t n, uint64_t at)
{
    struct core_trace_record own = {.kind = CORE_TRACE_SEND, .begin = at}, *to = t->kind == CORE_TRACE_NONE ? &own : t;

    to->role |= CORE_TRACE_SENDS;
    to->peer = dest;
    to->bytes = n;
    to->message = number(++ami.peer[dest].traced.out[reply], reply);
    if (to == &own) /* a handler's */
        core_trace_add(&own);
}

void ami_trace_handled(vnn_t src, bool reply, size_t n, uint64_t began)
{
    core_trace_add(&(struct core_trace_record){.kind = CORE_TRACE_HANDLER,
                                               .role = CORE_TRACE_RECEIVES,
                                               .peer = src,
                                               .bytes = n,
                                               .message = number(++ami.peer[src].traced.in[reply], reply),
                                               .value = UINT64_MAX,
                                               .begin = began,
                                               .end = core_trace_now()});
}

void ami_trace_moved(struct core_trace_record *t, enum core_trace_role role, vnn_t dest, const void *p, size_t n)
{
    t->role = (uint8_t)(t->role | role);
    t->peer = dest & ~AM_IMMEDIATE;
    t->bytes = n;
    t->message = core_trace_address(p);
}

void ami_trace_together(struct core_trace_record *t)
{
    t->role |= CORE_TRACE_COLLECTIVE;
    if (t->kind != CORE_TRACE_NONE)
        t->message = ++ami.met;
}
