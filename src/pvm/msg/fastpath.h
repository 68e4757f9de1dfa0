/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fast path, which most messages take: short ones between tasks of one node. They
 * are put into and taken from the channel's cache lines without calls
 * (core/channel/fastpath.h).
 */
#ifndef PVM_FASTPATH_H
#define PVM_FASTPATH_H

#include "core/channel/fastpath.h"
#include "pvm/msg/message.h"

_Static_assert(sizeof(struct core_fast_head) == sizeof(struct pvmi_short), "a short head is two words");

/* NULL: not now, or not by the fast path. In a machine that tasks enter not all are known yet. */
static inline struct core_peer *pvmi_fast_to(int slot)
{
    return MPT_LIKELY(core_fast_knows(slot)) ? core_fast_to(slot) : NULL;
}

static inline struct core_peer *pvmi_fast_from(int slot)
{
    return MPT_LIKELY(core_fast_knows(slot)) ? core_fast_from(slot) : NULL;
}

/* What was found when one peer was looked at. */
enum pvmi_fast { PVMI_FAST_NOTHING, PVMI_FAST_QUEUED, PVMI_FAST_OTHER /* it is the channel's handler's */ };

/* The next message of a peer: returned when it is the wanted one (then the queue has none, and no handler is
 * set), else queued. */
static inline struct pvmi_msg *pvmi_fast_take(struct core_peer *p, const struct pvmi_wanted *want,
                                              enum pvmi_fast *found)
{
    struct core_fast_mail mail;
    struct pvmi_short head;
    struct pvmi_msg *m;

    *found = PVMI_FAST_NOTHING;
    switch (core_fast_look(p, PVMI_CHANNEL, &mail)) {
    case CORE_FAST_NONE:
        return NULL;
    case CORE_FAST_OTHER:
        *found = PVMI_FAST_OTHER;
        return NULL;
    case CORE_FAST_MAIL:
        break;
    }
    __builtin_memcpy(&head, &mail.head, sizeof head);
    m = pvmi_short_message(core_fast_pe(p), &head, mail.body, mail.n);
    core_fast_took(p, &mail);
    if (MPT_LIKELY(head.context == want->context && (want->tag == -1 || head.tag == want->tag) &&
                   !pvmi.msg.set_handlers))
        return m;
    pvmi_queue_add(m);
    *found = PVMI_FAST_QUEUED;
    return NULL;
}

#endif
