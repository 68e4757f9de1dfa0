/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The calls on buffers: making them, choosing the current ones, what is known of them.
 */
#include <limits.h>

#include "pvm/pack/buffer.h"

struct pvmi_msg *pvmi_begin_packing(const char *call, int *rc)
{
    struct pvmi_msg *m;

    if ((*rc = pvmi_begin(call)) < 0)
        return NULL;
    if (!(m = pvmi_sending()))
        *rc = pvmi_fail(PvmNoBuf, "there is no send buffer: pvm_initsend or pvm_setsbuf make one");
    return m;
}

struct pvmi_msg *pvmi_begin_unpacking(const char *call, int *rc)
{
    struct pvmi_msg *m;

    if ((*rc = pvmi_begin(call)) < 0)
        return NULL;
    if (!(m = pvmi_reading()))
        *rc = pvmi_fail(PvmNoBuf, "there is no receive buffer: a receive or pvm_setrbuf makes one");
    return m;
}

/* A new buffer's number, or the error, reported. */
static int make(int encoding)
{
    struct pvmi_msg *m;
    int id;

    if (!pvmi_encoding_good(encoding))
        return pvmi_fail(PvmBadParam, "encoding %d is none", encoding);
    if (!(m = pvmi_msg_new(encoding)))
        return pvmi_fail(PvmNoMem, "no memory for a message buffer");
    if ((id = pvmi_msg_id(m)) < 0) {
        pvmi_msg_free(m);
        return pvmi_fail(id, "no memory for the number of a message buffer");
    }
    return id;
}

int pvm_mkbuf(int encoding)
{
    int rc = pvmi_begin("pvm_mkbuf");

    return rc < 0 ? rc : make(encoding);
}

int pvmi_initsend(int encoding)
{
    int id;

    if (pvmi_encoding_good(encoding))
        pvmi_msg_free(pvmi_sending());
    if ((id = make(encoding)) > 0)
        pvmi.sbuf = id;
    return id;
}

int pvm_initsend(int encoding)
{
    int rc = pvmi_begin("pvm_initsend");

    return rc < 0 ? rc : pvmi_initsend(encoding);
}

/* The buffer of that number; NULL: reported, *rc set. */
static struct pvmi_msg *find(const char *call, int bufid, int *rc)
{
    struct pvmi_msg *m;

    if ((*rc = pvmi_begin(call)) < 0)
        return NULL;
    if ((m = pvmi_msg_of(bufid)))
        return m;
    *rc = bufid <= 0 ? pvmi_fail(PvmBadParam, "bufid %d is none", bufid)
                     : pvmi_fail(PvmNoSuchBuf, "bufid %d is of no buffer", bufid);
    return NULL;
}

int pvm_freebuf(int bufid)
{
    int rc;
    struct pvmi_msg *m;

    if (bufid == 0) { /* what pvm_getsbuf gives when there is none */
        rc = pvmi_begin("pvm_freebuf");
        return rc < 0 ? rc : PvmOk;
    }
    m = find("pvm_freebuf", bufid, &rc);
    pvmi_msg_free(m);
    return rc;
}

int pvm_getsbuf(void)
{
    int rc = pvmi_begin("pvm_getsbuf");

    return rc < 0 ? rc : pvmi.sbuf;
}

int pvm_getrbuf(void)
{
    int rc = pvmi_begin("pvm_getrbuf");

    return rc < 0 ? rc : pvmi.rbuf;
}

/* A buffer is packed or unpacked: chosen for one it ceases to be the current one of
 * the other. Reading goes on where it was, but begins again after the buffer was
 * chosen for packing. */
static int choose(const char *call, int bufid, int *this, int *other)
{
    int rc, old = *this;

    if (bufid == 0) {
        if ((rc = pvmi_begin(call)) < 0)
            return rc;
    } else {
        struct pvmi_msg *m = find(call, bufid, &rc);

        if (!m)
            return rc;
        if (this == &pvmi.sbuf)
            m->at = NULL;
        if (*other == bufid)
            *other = 0;
    }
    *this = bufid;
    return old;
}

int pvm_setsbuf(int bufid)
{
    return choose("pvm_setsbuf", bufid, &pvmi.sbuf, &pvmi.rbuf);
}

int pvm_setrbuf(int bufid)
{
    return choose("pvm_setrbuf", bufid, &pvmi.rbuf, &pvmi.sbuf);
}

static int shown_length(const struct pvmi_msg *m)
{
    return m->length > INT_MAX ? INT_MAX : (int)m->length;
}

int pvm_bufinfo(int bufid, int *bytes, int *tag, int *tid)
{
    int rc;
    const struct pvmi_msg *m = find("pvm_bufinfo", bufid, &rc);

    if (!m)
        return rc;
    if (bytes)
        *bytes = shown_length(m);
    if (tag)
        *tag = m->tag;
    if (tid)
        *tid = m->src;
    return PvmOk;
}

int pvm_getminfo(int bufid, struct pvmminfo *info)
{
    int rc;
    const struct pvmi_msg *m = find("pvm_getminfo", bufid, &rc);

    if (!m)
        return rc;
    if (!info)
        return pvmi_fail(PvmBadParam, "the address for the information is NULL");
    *info = (struct pvmminfo){.len = shown_length(m),
                              .ctx = m->context,
                              .tag = m->tag,
                              .wid = m->wid,
                              .enc = pvmi_encoding_shown(m->encoding),
                              .crc = m->crc,
                              .src = m->src,
                              .dst = m->dst};
    return PvmOk;
}

int pvm_setminfo(int bufid, struct pvmminfo *info)
{
    int rc;
    struct pvmi_msg *m = find("pvm_setminfo", bufid, &rc);

    if (!m)
        return rc;
    if (!info)
        return pvmi_fail(PvmBadParam, "the address of the information is NULL");
    m->context = info->ctx;
    m->tag = info->tag;
    m->wid = info->wid;
    m->src = info->src;
    m->dst = info->dst;
    return PvmOk;
}

int pvm_getmwid(int bufid)
{
    int rc;
    const struct pvmi_msg *m = find("pvm_getmwid", bufid, &rc);

    return m ? m->wid : rc;
}

int pvm_setmwid(int bufid, int wid)
{
    int rc;
    struct pvmi_msg *m = find("pvm_setmwid", bufid, &rc);

    if (!m)
        return rc;
    m->wid = wid;
    return PvmOk;
}
