/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Message buffers: their numbers, appending to the chain of chunks and reading
 * from it. A body begins in private memory, as long as it travels with its
 * message, and goes on in the arena in pieces that grow with it.
 */
#include "pvm/pack/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

/* ---------------------------------------------------------------- numbers -- */

/* Numbers given back wait in a row, so that one that a program uses after it was
 * freed is found out for a while. */
enum { ROW_MIN = 32 };

static int id_room(void)
{
    int n = pvmi.pack.ids.n ? 2 * pvmi.pack.ids.n : 128;
    struct pvmi_msg **msg = realloc(pvmi.pack.ids.msg, (size_t)n * sizeof *msg);
    int *next;

    if (!msg)
        return PvmNoMem;
    pvmi.pack.ids.msg = msg;
    if (!(next = realloc(pvmi.pack.ids.next, (size_t)n * sizeof *next)))
        return PvmNoMem;
    pvmi.pack.ids.next = next;
    pvmi.pack.ids.n = n;
    return PvmOk;
}

int pvmi_msg_id(struct pvmi_msg *m)
{
    int id;

    if (m->id)
        return m->id;
    if (pvmi.pack.ids.waiting > ROW_MIN) {
        id = pvmi.pack.ids.first;
        pvmi.pack.ids.first = pvmi.pack.ids.next[id];
        pvmi.pack.ids.waiting--;
    } else {
        if (pvmi.pack.ids.used == 0)
            pvmi.pack.ids.used = 1; /* 0 means none */
        if (pvmi.pack.ids.used >= pvmi.pack.ids.n && id_room() < 0)
            return PvmNoMem;
        id = pvmi.pack.ids.used++;
    }
    pvmi.pack.ids.msg[id] = m;
    return m->id = id;
}

static void id_free(int id)
{
    pvmi.pack.ids.msg[id] = NULL;
    pvmi.pack.ids.next[id] = 0;
    if (pvmi.pack.ids.waiting++)
        pvmi.pack.ids.next[pvmi.pack.ids.last] = id;
    else
        pvmi.pack.ids.first = id;
    pvmi.pack.ids.last = id;
}

struct pvmi_msg *pvmi_msg_of(int bufid)
{
    return bufid > 0 && bufid < pvmi.pack.ids.used ? pvmi.pack.ids.msg[bufid] : NULL;
}

/* ---------------------------------------------------------------- buffers -- */

enum { SPARE_MAX = 4096 };
static const struct pvmi_msg blank;

struct pvmi_msg *pvmi_msg_new(int encoding)
{
    struct pvmi_msg *m = pvmi.pack.spare;

    if (m) {
        pvmi.pack.spare = m->next;
        pvmi.pack.spares--;
    } else if (!(m = malloc(sizeof *m))) {
        return NULL;
    }
    *m = blank; /* in a few instructions: a literal would be set by a slow one */
    m->src = pvmi.tid;
    m->encoding = encoding;
    return m;
}

static void drop_chain(struct pvmi_chunk *c)
{
    while (c) {
        struct pvmi_chunk *next = c->next;

        pvmi_chunk_drop(c);
        c = next;
    }
}

void pvmi_msg_free(struct pvmi_msg *m)
{
    if (!m)
        return;
    if (m->spot)
        pvmi_queue_remove(m);
    drop_chain(m->first);
    pvmi_inplace_free(m);
    if (MPT_UNLIKELY(m->packed))
        free(m->packed);
    if (m->id) {
        id_free(m->id);
        if (pvmi.sbuf == m->id)
            pvmi.sbuf = 0;
        if (pvmi.rbuf == m->id)
            pvmi.rbuf = 0;
    }
    if (pvmi.pack.spares == SPARE_MAX) {
        free(m);
        return;
    }
    m->next = pvmi.pack.spare;
    pvmi.pack.spare = m;
    pvmi.pack.spares++;
}

/* Its sender died while it filled the piece: what is missing will never come. */
static void cut(struct pvmi_msg *m, struct pvmi_chunk *c)
{
    size_t there = (size_t)__atomic_load_n(&c->hold->filled, __ATOMIC_ACQUIRE);

    m->length -= c->used - there;
    c->used = there;
    c->offered = false;
}

int pvmi_msg_own(struct pvmi_msg *m, int owner)
{
    int rc = PvmOk;

    for (struct pvmi_chunk *c = m->first; c && rc == PvmOk; c = c->next) {
        if (owner >= 0 && (!c->hold || c->owner != owner))
            continue;
        if (c->offered && pvmi_chunk_load(c) == PvmNoData)
            cut(m, c);
        rc = owner < 0 ? pvmi_chunk_own(c) : pvmi_chunk_adopt(c);
    }
    return rc;
}

int pvmi_msg_own_all(int owner)
{
    int rc = PvmOk;

    for (int id = 1; id < pvmi.pack.ids.used && rc == PvmOk; id++)
        if (pvmi.pack.ids.msg[id])
            rc = pvmi_msg_own(pvmi.pack.ids.msg[id], owner);
    return rc;
}

void pvmi_msg_leave(void)
{
    pvmi.rbuf = 0;
    for (int id = 1; id < pvmi.pack.ids.used; id++)
        if (pvmi.pack.ids.msg[id] && pvmi_msg_own(pvmi.pack.ids.msg[id], -1) != PvmOk)
            pvmi_msg_free(pvmi.pack.ids.msg[id]);
}

/* -------------------------------------------------------------- appending -- */

enum {
    FILL_MIN = 64 << 10, /* room for less at the end of a piece stays empty rather than part an array */
};

/* What may still be appended. Only the first piece is private, and kept as small as the user says. */
static size_t free_in(const struct pvmi_chunk *c)
{
    size_t room = c->hold ? c->room : core_min(c->room, core_params.pvm_data_max);

    return room > c->used ? room - c->used : 0;
}

struct pvmi_chunk *pvmi_msg_tail(struct pvmi_msg *m, size_t least, size_t want)
{
    struct pvmi_chunk *c = m->last;

    if (c) {
        size_t left = free_in(c);

        if (left >= want || (left >= FILL_MIN && left >= least))
            return c;
    }
    if (!c && want <= core_min(PVMI_INLINE, core_params.pvm_data_max)) {
        c = pvmi_chunk_new(PVMI_INLINE, false);
    } else {
        size_t room = want > 2 * m->length ? want : 2 * m->length;

        room = core_min(room, PVMI_PIECE);
        c = pvmi_chunk_new(room > least ? room : least, true);
    }
    if (!c)
        return NULL;
    if (m->last)
        m->last->next = c;
    else
        m->first = c;
    return m->last = c;
}

void *pvmi_msg_room(struct pvmi_msg *m, size_t n)
{
    struct pvmi_chunk *c;

    if (m->encoding == PvmDataInPlace)
        return pvmi_inplace_own(m, n);
    c = pvmi_msg_tail(m, n, n);
    return c ? pvmi_chunk_extend(m, c, n) : NULL;
}

int pvmi_msg_add(struct pvmi_msg *m, const void *p, size_t n)
{
    struct pvmi_mark mark = pvmi_msg_mark(m);
    const unsigned char *from = p;

    while (n) {
        size_t k = core_min(n, PVMI_PIECE);
        struct pvmi_chunk *c = NULL;
        void *to;

        if (m->encoding == PvmDataInPlace) {
            to = pvmi_inplace_own(m, k = n);
        } else {
            c = pvmi_msg_tail(m, 1, n);
            k = c ? core_min(n, free_in(c)) : 0;
            to = c ? pvmi_chunk_extend(m, c, k) : NULL;
        }
        if (!to) {
            pvmi_msg_undo(m, mark);
            return PvmNoMem;
        }
        core_copy(to, from, k);
        from += k;
        n -= k;
    }
    return PvmOk;
}

struct pvmi_mark pvmi_msg_mark(const struct pvmi_msg *m)
{
    return (struct pvmi_mark){m->last, m->last ? m->last->used : 0, m->length};
}

void pvmi_msg_undo(struct pvmi_msg *m, struct pvmi_mark mark)
{
    if (mark.last) {
        drop_chain(mark.last->next);
        mark.last->next = NULL;
        mark.last->used = mark.used;
    } else {
        drop_chain(m->first);
        m->first = NULL;
    }
    m->last = mark.last;
    m->length = mark.length;
}

/* ---------------------------------------------------------------- reading -- */

static void begin(struct pvmi_msg *m)
{
    if (!m->at) {
        m->at = m->first;
        m->at_byte = 0;
    }
}

bool pvmi_msg_has(struct pvmi_msg *m, size_t n)
{
    const struct pvmi_chunk *c;
    size_t skip;

    begin(m);
    skip = m->at_byte;
    for (c = m->at; c && c->used - skip < n; c = c->next) {
        n -= c->used - skip;
        skip = 0;
    }
    return c || n == 0;
}

const unsigned char *pvmi_msg_peek(struct pvmi_msg *m, size_t *n)
{
    begin(m);
    while (m->at && m->at_byte == m->at->used && m->at->next) {
        m->at = m->at->next;
        m->at_byte = 0;
    }
    if (!m->at || m->at_byte == m->at->used || (m->at->rndv.n && pvmi_chunk_load(m->at) < 0))
        return NULL;
    *n = m->at->used - m->at_byte;
    if (MPT_UNLIKELY(m->at->offered)) {
        size_t there = pvmi_offer_there(m->at, m->at_byte);

        if (there <= m->at_byte)
            return NULL;
        *n = there - m->at_byte;
    }
    return m->at->data + m->at_byte;
}

int pvmi_msg_peek_failed(const struct pvmi_msg *m)
{
    return m->at && m->at->offered ? PvmNoData : PvmNoMem;
}

int pvmi_msg_take(struct pvmi_msg *m, void *p, size_t n)
{
    unsigned char *to = p;

    if (!pvmi_msg_has(m, n))
        return PvmNoData;
    while (n) {
        size_t k;
        const unsigned char *from = pvmi_msg_peek(m, &k);

        if (!from)
            return pvmi_msg_peek_failed(m);
        k = core_min(k, n);
        core_copy(to, from, k);
        m->at_byte += k;
        to += k;
        n -= k;
    }
    return PvmOk;
}
