/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorder (core/trace) is told of active messages. Nothing without --trace. Requests and replies of a pair of
 * PEs are counted apart at both ends, as a reply may be sent after later requests; in traces requests have odd numbers
 * and replies even ones. Stores and gets say whose memory they use.
 */
#ifndef AM_TRACE_H
#define AM_TRACE_H

#include "am/ami.h"

static inline void ami_trace_begin(struct core_trace_record *t, const char *call, const void *from)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_begin(t, call, from);
}

static inline void ami_trace_end(struct core_trace_record *t)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_end(t);
}

/* Recorded from here to the end of the block. */
#define AMI_TRACE(t, call)                                              \
    struct core_trace_record t __attribute__((cleanup(ami_trace_end))); \
    ami_trace_begin(&(t), call, __builtin_return_address(0))

/* A message of n bytes has left for dest, by the call under way, which a handler may have made, not before tick `at`.
 */
void ami_trace_sent(struct core_trace_record *t, vnn_t dest, bool reply, size_t n, uint64_t at) __attribute__((cold));
/* The handler of src's message has run since tick `began`. */
void ami_trace_handled(vnn_t src, bool reply, size_t n, uint64_t began) __attribute__((cold));
/* n bytes of dest's memory at p, as a role says. */
void ami_trace_moved(struct core_trace_record *t, enum core_trace_role role, vnn_t dest, const void *p, size_t n)
    __attribute__((cold));
/* All PEs meet. */
void ami_trace_together(struct core_trace_record *t) __attribute__((cold));

#endif
