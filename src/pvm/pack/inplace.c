/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PvmDataInPlace: a buffer that lists where its data is. The send reads it, as it
 * is then, into pieces that the receiver unpacks, so the program may change the
 * data as soon as the send has returned.
 */
#include <stdlib.h>

#include "pvm/pack/buffer.h"

struct pvmi_inplace {
    size_t n, room;
    struct item {
        const void *p;
        size_t n;
        bool own; /* memory of the message */
    } item[];
};

static struct item *item_new(struct pvmi_msg *m)
{
    struct pvmi_inplace *l = m->inplace;

    if (!l || l->n == l->room) {
        size_t room = l ? 2 * l->room : 8;

        if (!(l = realloc(l, sizeof *l + room * sizeof l->item[0])))
            return NULL;
        if (!m->inplace)
            l->n = 0;
        l->room = room;
        m->inplace = l;
    }
    return &l->item[l->n++];
}

int pvmi_inplace_add(struct pvmi_msg *m, const void *p, size_t n)
{
    struct item *item = item_new(m);

    if (!item)
        return PvmNoMem;
    *item = (struct item){p, n, false};
    return PvmOk;
}

void *pvmi_inplace_own(struct pvmi_msg *m, size_t n)
{
    void *p = malloc(n ? n : 1);
    struct item *item = p ? item_new(m) : NULL;

    if (!item) {
        free(p);
        return NULL;
    }
    *item = (struct item){p, n, true};
    return p;
}

void pvmi_inplace_free(struct pvmi_msg *m)
{
    struct pvmi_inplace *l = m->inplace;

    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        if (l->item[i].own)
            free((void *)(uintptr_t)l->item[i].p);
    free(l);
    m->inplace = NULL;
}

/* A piece of its own, empty so far. Nothing is appended to it. */
static int add_later(struct pvmi_msg *m, const unsigned char *p, size_t n)
{
    for (size_t piece; n > 0; p += piece, n -= piece) {
        struct pvmi_chunk *c;

        piece = n < PVMI_PIECE ? n : PVMI_PIECE;
        if (!(c = pvmi_chunk_new(piece, true)))
            return PvmNoMem;
        c->source = p;
        c->used = c->room = piece;
        m->length += piece;
        *(m->last ? &m->last->next : &m->first) = c;
        m->last = c;
    }
    return PvmOk;
}

struct pvmi_chunk *pvmi_msg_body(struct pvmi_msg *m, bool *fresh, bool later, int *rc)
{
    struct pvmi_msg read = {.encoding = PvmDataRaw};

    *rc = PvmOk;
    *fresh = m->encoding == PvmDataInPlace;
    if (!*fresh)
        return m->first;
    for (size_t i = 0; m->inplace && *rc == PvmOk && i < m->inplace->n; i++)
        *rc = later && m->inplace->item[i].n >= PVMI_OFFER_MIN
                  ? add_later(&read, m->inplace->item[i].p, m->inplace->item[i].n)
                  : pvmi_msg_add(&read, m->inplace->item[i].p, m->inplace->item[i].n);
    if (*rc != PvmOk)
        pvmi_msg_undo(&read, (struct pvmi_mark){0});
    return read.first;
}
