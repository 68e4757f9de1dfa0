/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorder (core/trace) is told of Split-C's accesses and calls. Nothing without --trace; then no access is
 * inline.
 */
#ifndef SPLITC_TRACE_H
#define SPLITC_TRACE_H

#include "splitc/splitci.h"

static inline void splitci_trace_begin(struct core_trace_record *t, const char *call, const void *from)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_begin(t, call, from);
}

static inline void splitci_trace_end(struct core_trace_record *t)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_end(t);
}

/* Recorded from here to the end of the block; from: as core_trace_begin has it. */
#define SPLITCI_TRACE(t, call, from)                                        \
    struct core_trace_record t __attribute__((cleanup(splitci_trace_end))); \
    splitci_trace_begin(&(t), call, from)

/* n bytes of an object, as a role says. */
static inline void splitci_trace_moved(struct core_trace_record *t, enum core_trace_role role, struct sc_global g,
                                       size_t n)
{
    if (MPT_LIKELY(!core_trace_on()))
        return;
    t->role = (uint8_t)role;
    t->peer = g.proc;
    t->bytes = n;
    t->message = core_trace_address(g.addr);
}

/* All PEs meet; n: bytes that this one brings. */
static inline void splitci_trace_together(struct core_trace_record *t, size_t n)
{
    if (MPT_LIKELY(!core_trace_on()))
        return;
    t->role = CORE_TRACE_COLLECTIVE;
    t->bytes = n;
    if (t->kind != CORE_TRACE_NONE)
        t->message = ++splitci.met;
}

#endif
