/* SPDX-License-Identifier: BSD-3-Clause
 *
 * --check: what was packed into a message (pack/packed.c), as a note that its sender sends just before. It belongs to
 * the next message from there if tag, context and length fit; else it is dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "pvm/msg/message.h"
#include "pvm/pack/buffer.h"

_Static_assert(sizeof(struct pvmi_head) + sizeof(struct pvmi_packed) <= CORE_SEND_MAX, "it fits a mail");

static void on_label(int slot, const void *note, size_t n)
{
    struct pvmi_sender *s = &pvmi.msg.senders[slot];

    if (n != sizeof *s->label || (!s->label && !(s->label = malloc(sizeof *s->label))))
        return;
    memcpy(s->label, note, n);
}

void pvmi_label_send(const struct pvmi_packed *p, int slot, int tag, int context)
{
    struct pvmi_packed label;

    if (!p || p->unknown || slot < 0)
        return;
    label = *p;
    label.tag = tag;
    label.context = context;
    label.at = 0;
    label.used = 0;
    if (slot == pvmi.me)
        on_label(slot, &label, sizeof label);
    else
        pvmi_note_try(slot, PVMI_LABEL, &label, sizeof label); /* no room: it goes without */
}

void pvmi_label_psend(int type, int count, int slot, int tag)
{
    struct pvmi_packed p = {.from = pvmi.me};

    if (type < PVM_BYTE || type > PVM_ULONG || count <= 0)
        return;
    pvmi_packed_add(&p, type, (size_t)count);
    pvmi_label_send(&p, slot, tag, pvmi.context);
}

void pvmi_label_take(struct pvmi_msg *m, int from)
{
    struct pvmi_packed *label = pvmi.msg.senders[from].label;

    pvmi.msg.senders[from].label = NULL;
    if (pvmi_packed_is_of(label, m))
        m->packed = label;
    else
        free(label);
}

void pvmi_label_forget(int slot)
{
    free(pvmi.msg.senders[slot].label);
    pvmi.msg.senders[slot].label = NULL;
}

void pvmi_label_start(void)
{
    pvmi.msg.takers[PVMI_LABEL] = on_label;
}
