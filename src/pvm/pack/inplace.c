/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PvmDataInPlace: a buffer that lists where its data is. The send reads it, as it
 * is then, into pieces that the receiver unpacks, so the program may change the
 * data as soon as the send has returned.
 */
#include <stdlib.h>

#include "pvm/msg/message.h"
#include "pvm/pack/buffer.h"

struct pvmi_place {
    size_t n, room;
    struct item {
        const void *p;
        size_t n;
        bool own; /* memory of the message */
    } item[];
};

static struct item *item_new(struct pvmi_msg *m)
{
    struct pvmi_place *l = m->places;

    if (!l || l->n == l->room) {
        size_t room = l ? 2 * l->room : 8;

        if (!(l = realloc(l, sizeof *l + room * sizeof l->item[0])))
            return NULL;
        if (!m->places)
            l->n = 0;
        l->room = room;
        m->places = l;
    }
    return &l->item[l->n++];
}

int pvmi_place_add(struct pvmi_msg *m, const void *p, size_t n)
{
    struct item *item = item_new(m);

    if (!item)
        return PvmNoMem;
    *item = (struct item){p, n, false};
    return PvmOk;
}

void *pvmi_place_own(struct pvmi_msg *m, size_t n)
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

void pvmi_place_free(struct pvmi_msg *m)
{
    struct pvmi_place *l = m->places;

    if (!l)
        return;
    for (size_t i = 0; i < l->n; i++)
        if (l->item[i].own)
            free((void *)(uintptr_t)l->item[i].p);
    free(l);
    m->places = NULL;
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
    for (size_t i = 0; m->places && *rc == PvmOk && i < m->places->n; i++)
        *rc = later && m->places->item[i].n >= PVMI_OFFER_MIN ? add_later(&read, m->places->item[i].p, m->places->item[i].n)
                                                              : pvmi_msg_add(&read, m->places->item[i].p, m->places->item[i].n);
    if (*rc != PvmOk)
        pvmi_msg_undo(&read, (struct pvmi_mark){0});
    return read.first;
}
