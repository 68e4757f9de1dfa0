/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The way of most messages: short, between tasks of one node. They are put into and
 * taken from the channel's lines without calls (core/channel/quick.h).
 */
#ifndef PVM_QUICK_H
#define PVM_QUICK_H

#include "core/channel/quick.h"
#include "pvm/msg/message.h"

_Static_assert(sizeof(struct core_quick_head) == sizeof(struct pvmi_short), "a short head is two words");

/* NULL: not now, or not that way. In a machine that tasks enter not all are known yet. */
static inline struct core_peer *pvmi_quick_to(int slot)
{
    return MPT_LIKELY(mpt_idx(slot) + core_peers.first < core_peers.n) ? core_quick_to(slot) : NULL;
}

static inline struct core_peer *pvmi_quick_from(int slot)
{
    return MPT_LIKELY(mpt_idx(slot) + core_peers.first < core_peers.n) ? core_quick_from(slot) : NULL;
}

/* What was found when one peer was looked at. */
enum pvmi_quick { PVMI_QUICK_NOTHING, PVMI_QUICK_QUEUED, PVMI_QUICK_OTHER /* the general way takes it */ };

/* The next message of a peer: returned when it is the wanted one (then the queue has none, and no handler is
 * set), else queued. */
static inline struct pvmi_msg *pvmi_quick_take(struct core_peer *p, const struct pvmi_wanted *want, enum pvmi_quick *found)
{
    struct core_quick_mail mail;
    struct pvmi_short head;
    struct pvmi_msg *m;

    *found = PVMI_QUICK_NOTHING;
    switch (core_quick_look(p, PVMI_CHANNEL, &mail)) {
    case CORE_QUICK_NONE: return NULL;
    case CORE_QUICK_OTHER: *found = PVMI_QUICK_OTHER; return NULL;
    case CORE_QUICK_MAIL: break;
    }
    __builtin_memcpy(&head, &mail.head, sizeof head);
    m = pvmi_short_message(p->pe, &head, mail.body, mail.n);
    core_quick_took(p, &mail);
    if (MPT_LIKELY(head.context == want->context && (want->tag == -1 || head.tag == want->tag) && !pvmi_handlers))
        return m;
    pvmi_queue_add(m);
    *found = PVMI_QUICK_QUEUED;
    return NULL;
}

#endif
