/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages inside messages: eight numbers about it (struct pvmminfo, in the
 * encoding of the outer message), then the body as it is.
 */
#include <limits.h>

#include "pvm/pack/buffer.h"

enum { FIELDS = sizeof(struct pvmminfo) / sizeof(int) };

static int add_body(struct pvmi_msg *m, struct pvmi_chunk *c)
{
    int rc = PvmOk;

    for (; c && rc == PvmOk; c = c->next)
        if ((rc = pvmi_chunk_load(c)) == PvmOk)
            rc = pvmi_msg_add(m, c->data, c->used);
    return rc;
}

static void drop(struct pvmi_chunk *c)
{
    for (struct pvmi_chunk *next; c; c = next) {
        next = c->next;
        pvmi_chunk_drop(c);
    }
}

static int add_message(struct pvmi_msg *m, const struct pvmi_msg *inner, struct pvmi_chunk *body)
{
    size_t n = 0;
    int rc, *info;
    struct pvmminfo shown = {.ctx = inner->context,
                             .tag = inner->tag,
                             .wid = inner->wid,
                             .crc = inner->crc,
                             .src = inner->src,
                             .dst = inner->dst};

    for (const struct pvmi_chunk *c = body; c; c = c->next)
        n += c->used;
    if (n > INT_MAX)
        return PvmOverflow;
    shown.len = (int)n;
    shown.enc = pvmi_encoding_shown(inner->encoding == PvmDataInPlace ? PvmDataRaw : inner->encoding);
    if (m->encoding != PvmDataInPlace) {
        rc = pvmi_pack(m, PVM_INT, &shown, FIELDS, 1);
    } else if ((info = pvmi_msg_room(m, sizeof shown))) {
        *(struct pvmminfo *)(void *)info = shown;
        rc = PvmOk;
    } else {
        rc = PvmNoMem;
    }
    return rc == PvmOk ? add_body(m, body) : rc;
}

/* Both messages; NULL: reported, *rc set. */
static struct pvmi_msg *begin(const char *call, int bufid, struct pvmi_msg **inner, int *rc)
{
    struct pvmi_msg *m = pvmi_begin_packing(call, rc);

    if (!m)
        return NULL;
    *inner = pvmi_msg_of(bufid);
    if (bufid <= 0)
        *rc = pvmi_fail(PvmBadParam, "bufid %d is none", bufid);
    else if (!*inner)
        *rc = pvmi_fail(PvmNoSuchBuf, "bufid %d is of no buffer", bufid);
    else if (*inner == m)
        *rc = pvmi_fail(PvmBadParam, "bufid %d is the send buffer itself", bufid);
    else
        return m;
    return NULL;
}

int pvm_pkmesg(int bufid)
{
    int rc;
    bool fresh;
    struct pvmi_msg *inner, *m = begin("pvm_pkmesg", bufid, &inner, &rc);
    struct pvmi_chunk *body;
    struct pvmi_mark mark;

    if (!m)
        return rc;
    mark = pvmi_msg_mark(m);
    body = pvmi_msg_body(inner, &fresh, false, &rc);
    if (rc == PvmOk)
        rc = add_message(m, inner, body);
    if (fresh)
        drop(body);
    if (rc == PvmOk)
        return rc;
    pvmi_msg_undo(m, mark);
    return pvmi_fail(rc, "a message of %zu bytes does not go into another one", inner->length);
}

int pvm_pkmesgbody(int bufid)
{
    int rc;
    bool fresh;
    struct pvmi_msg *inner, *m = begin("pvm_pkmesgbody", bufid, &inner, &rc);
    struct pvmi_chunk *body;
    struct pvmi_mark mark;

    if (!m)
        return rc;
    if (inner->encoding != m->encoding)
        return pvmi_fail(PvmMismatch, "buffer %d is of encoding %d, the send buffer of encoding %d", bufid,
                         inner->encoding, m->encoding);
    mark = pvmi_msg_mark(m);
    body = pvmi_msg_body(inner, &fresh, false, &rc);
    if (rc == PvmOk)
        rc = add_body(m, body);
    if (fresh)
        drop(body);
    if (rc == PvmOk)
        return rc;
    pvmi_msg_undo(m, mark);
    return pvmi_fail(rc, "no memory for %zu bytes", inner->length);
}

/* The message at the read position; NULL with *rc. */
static struct pvmi_msg *take_message(struct pvmi_msg *m, int *rc)
{
    struct pvmminfo info;
    struct pvmi_msg *inner;
    int encoding;

    if ((*rc = pvmi_unpack(m, PVM_INT, &info, FIELDS, 1)) != PvmOk)
        return NULL;
    encoding = pvmi_encoding_of(info.enc);
    *rc = info.len < 0 || encoding < 0 || encoding == PvmDataInPlace ? PvmBadMsg
          : pvmi_msg_has(m, (size_t)info.len)                        ? PvmOk
                                                                     : PvmNoData;
    if (*rc != PvmOk)
        return NULL;
    if (!(inner = pvmi_msg_new(encoding))) {
        *rc = PvmNoMem;
        return NULL;
    }
    for (size_t left = (size_t)info.len, n = 0; left && *rc == PvmOk; left -= n) {
        const unsigned char *from = pvmi_msg_peek(m, &n);

        n = from && n < left ? n : left;
        *rc = from ? pvmi_msg_add(inner, from, n) : pvmi_msg_peek_failed(m);
        m->at_byte += from ? n : 0;
    }
    inner->context = info.ctx;
    inner->tag = info.tag;
    inner->wid = info.wid;
    inner->crc = info.crc;
    inner->src = info.src;
    inner->dst = info.dst;
    if (*rc == PvmOk && (*rc = pvmi_msg_id(inner)) > 0)
        return inner;
    pvmi_msg_free(inner);
    return NULL;
}

int pvm_upkmesg(void)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_unpacking("pvm_upkmesg", &rc), *inner;
    struct pvmi_chunk *at;
    size_t at_byte;

    if (!m)
        return rc;
    at = m->at;
    at_byte = m->at_byte;
    if ((inner = take_message(m, &rc)))
        return inner->id;
    m->at = at;
    m->at_byte = at_byte;
    return pvmi_fail(rc, "there is no message packed by pvm_pkmesg at the read position");
}
