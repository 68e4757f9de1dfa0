/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packing: items of every type, encoded straight into the memory from which the
 * receiver decodes them, and strings (4 bytes of length, the final 0 included).
 */
#include <string.h>

#include "pvm/pack/buffer.h"

static int put_all(struct pvmi_msg *m, const struct pvmi_codec *codec, const char *from, size_t n, ptrdiff_t stride)
{
    while (n) {
        struct pvmi_chunk *c = pvmi_msg_tail(m, codec->wire, n * codec->wire);
        size_t k;

        if (!c)
            return PvmNoMem;
        k = (c->room - c->used) / codec->wire;
        k = k < n ? k : n;
        codec->put(codec, pvmi_chunk_extend(m, c, k * codec->wire), from, stride, k);
        from += (ptrdiff_t)k * stride;
        n -= k;
    }
    return PvmOk;
}

static int pack_items(struct pvmi_msg *m, int type, const void *p, int count, int stride)
{
    const struct pvmi_codec *codec = pvmi_codec_of(type, m->encoding);
    static const char zeros[4];
    struct pvmi_mark mark;
    int rc;

    if (!codec || count < 0)
        return PvmBadParam;
    if (m->encoding == PvmDataInPlace && stride != 1)
        return PvmNotImpl;
    if (count == 0)
        return PvmOk;
    if (!p)
        return PvmBadParam;
    if (m->encoding == PvmDataInPlace)
        return pvmi_inplace_add(m, p, (size_t)count * codec->size);
    mark = pvmi_msg_mark(m);
    rc = put_all(m, codec, p, (size_t)count, (ptrdiff_t)codec->size * stride);
    if (rc == PvmOk && type == PVM_BYTE)
        rc = pvmi_msg_add(m, zeros, pvmi_padding(m->encoding, (size_t)count));
    if (rc != PvmOk)
        pvmi_msg_undo(m, mark);
    return rc;
}

int pvmi_pack(struct pvmi_msg *m, int type, const void *p, int count, int stride)
{
    int rc = pack_items(m, type, p, count, stride);

    if (MPT_UNLIKELY(core_params.check) && rc == PvmOk && count > 0)
        pvmi_packed_into(m, type, (size_t)count);
    return rc;
}

int pvmi_pack_string(struct pvmi_msg *m, const char *s)
{
    size_t length = s ? strlen(s) + 1 : 0;
    int n = (int)length, rc;
    struct pvmi_mark mark;

    if (!s || length > INT32_MAX)
        return PvmBadParam;
    if (m->encoding == PvmDataInPlace)
        return PvmNotImpl;
    mark = pvmi_msg_mark(m);
    rc = pvmi_pack(m, PVM_INT, &n, 1, 1);
    if (rc == PvmOk)
        rc = pvmi_pack(m, PVM_BYTE, s, n, 1);
    if (rc != PvmOk)
        pvmi_msg_undo(m, mark);
    return rc;
}

int pvmi_pack_failed(int code, const void *p, long count, int stride)
{
    switch (code) {
    case PvmOk:
        return PvmOk;
    case PvmNoData:
        return pvmi_fail(
            code, "the message has not that much left to unpack (%ld items wanted): pack and unpack must agree", count);
    case PvmNotImpl:
        return pvmi_fail(code, "a buffer of PvmDataInPlace holds no strings and no strides but 1 (stride %d)", stride);
    case PvmBadMsg:
        return pvmi_fail(code, "what comes next is not what was packed");
    case PvmNoMem:
        return pvmi_fail(code, "no memory for %ld items", count);
    }
    if (count < 0)
        return pvmi_fail(code, "count %ld is negative", count);
    return p ? pvmi_fail(code, "count %ld", count) : pvmi_fail(code, "the address is NULL, with %ld items", count);
}

/* ------------------------------------------------------------------- calls -- */

static int pack(const char *call, int type, const void *p, int count, int stride)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_packing(call, &rc);

    if (!m)
        return rc;
    rc = pvmi_pack(m, type, p, count, stride);
    return MPT_LIKELY(rc == PvmOk) ? rc : pvmi_pack_failed(rc, p, count, stride);
}

/* pvm_pkbyte, pvm_pkint, pvm_pklong, pvm_pkfloat, pvm_pkdouble, ...: pack */
#define PACK(name, ctype, type)                              \
    int pvm_pk##name(ctype *p, int count, int stride)        \
    {                                                        \
        return pack("pvm_pk" #name, type, p, count, stride); \
    }

PVMI_TYPES(PACK)

int pvm_pkstr(char *s)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_packing("pvm_pkstr", &rc);

    return m ? pvmi_pack_failed(pvmi_pack_string(m, s), s, 1, 1) : rc;
}
