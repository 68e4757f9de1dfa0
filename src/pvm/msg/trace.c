/* SPDX-License-Identifier: BSD-3-Clause
 *
 * See trace.h. A call's own record tells of its first message, further records of the others.
 */
#include "pvm/trace.h"

#include "pvm/msg/message.h"

static void tell(struct core_trace_record what)
{
    struct core_trace_record *call = pvmi.msg.record;

    if (!call)
        return; /* the library's own */
    if (call->role & (CORE_TRACE_SENDS | CORE_TRACE_RECEIVES)) {
        if (what.kind == CORE_TRACE_SEND)
            what.begin = call->begin; /* not after its receiver has it, which may be now */
        core_trace_add(&what);
        return;
    }
    call->role |= what.role;
    call->peer = what.peer;
    call->tag = what.tag;
    call->bytes = what.bytes;
    call->message = what.message;
    call->value = what.value;
}

void pvmi_trace_sent(int slot, int tag, size_t n)
{
    tell((struct core_trace_record){.kind = CORE_TRACE_SEND,
                                    .role = CORE_TRACE_SENDS,
                                    .peer = slot,
                                    .tag = tag,
                                    .bytes = n,
                                    .message = ++pvmi.msg.senders[slot].sent});
}

uint64_t pvmi_trace_comes(int slot)
{
    return ++pvmi.msg.senders[slot].came;
}

void pvmi_trace_received(const struct pvmi_msg *m)
{
    if (m && m->number)
        tell((struct core_trace_record){.kind = CORE_TRACE_RECEIVE,
                                        .role = CORE_TRACE_RECEIVES,
                                        .peer = pvmi_slot_of(m->src),
                                        .tag = m->tag,
                                        .bytes = m->length,
                                        .message = m->number,
                                        .value = UINT64_MAX});
}
