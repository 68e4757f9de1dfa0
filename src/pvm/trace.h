/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorder (core/trace) is told of PVM's calls. Nothing without --trace. Messages of a pair of tasks are
 * counted at both ends in the order of their channel, so each receive has its send.
 */
#ifndef PVM_TRACE_H
#define PVM_TRACE_H

#include "pvm/pvmi.h"

static inline void pvmi_trace_begin(struct core_trace_record *t, const void *from)
{
    if (MPT_LIKELY(!core_trace_on()))
        return;
    core_trace_begin(t, pvmi.call, from);
    pvmi.msg.record = t;
}

static inline void pvmi_trace_end(struct core_trace_record *t)
{
    if (MPT_LIKELY(!core_trace_on()))
        return;
    pvmi.msg.record = NULL;
    core_trace_end(t);
}

/* Of a public function, after pvmi_begin: recorded from here to the end of the block. */
#define PVMI_TRACE(t)                                                    \
    struct core_trace_record t __attribute__((cleanup(pvmi_trace_end))); \
    pvmi_trace_begin(&(t), __builtin_return_address(0))

/* n bytes have left for a task. */
void pvmi_trace_sent(int slot, int tag, size_t n) __attribute__((cold));
/* The number of the next message of a task. */
uint64_t pvmi_trace_comes(int slot) __attribute__((cold));
/* The call under way has got m; NULL: nothing. */
void pvmi_trace_received(const struct pvmi_msg *m) __attribute__((cold));

#endif
