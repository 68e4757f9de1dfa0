/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Unpacking: items straight out of the sender's memory. A call that finds too
 * little, or what cannot be a string, takes nothing.
 */
#include "pvm/pack/buffer.h"

enum { ITEM_MAX = 16 };

static int get_all(struct pvmi_msg *m, const struct pvmi_codec *codec, char *to, size_t n, ptrdiff_t stride)
{
    while (n) {
        size_t there, k = 1;
        const unsigned char *from = pvmi_msg_peek(m, &there);

        if (!from)
            return pvmi_msg_peek_failed(m);
        if (there >= codec->wire) {
            k = there / codec->wire;
            k = k < n ? k : n;
            codec->get(codec, to, stride, from, k);
            m->at_byte += k * codec->wire;
        } else { /* unpacked as another type than it was packed as: it lies in two pieces */
            char item[ITEM_MAX];
            int rc = pvmi_msg_take(m, item, codec->wire);

            if (rc != PvmOk)
                return rc;
            codec->get(codec, to, stride, item, 1);
        }
        to += (ptrdiff_t)k * stride;
        n -= k;
    }
    return PvmOk;
}

static int skip(struct pvmi_msg *m, size_t n)
{
    char bytes[4];

    return n ? pvmi_msg_take(m, bytes, n) : PvmOk;
}

int pvmi_unpack(struct pvmi_msg *m, int type, void *p, int count, int stride)
{
    const struct pvmi_codec *codec = pvmi_codec_of(type, m->encoding);
    size_t n = (size_t)count, padding;
    int rc;

    if (!codec || count < 0)
        return PvmBadParam;
    if (m->encoding == PvmDataInPlace)
        return PvmBadMsg;
    if (count == 0)
        return PvmOk;
    if (!p)
        return PvmBadParam;
    padding = type == PVM_BYTE ? pvmi_padding(m->encoding, n) : 0;
    if (!pvmi_msg_has(m, n * codec->wire + padding))
        return PvmNoData;
    if (MPT_UNLIKELY(m->packed))
        pvmi_packed_took(m, type, n);
    rc = get_all(m, codec, p, n, (ptrdiff_t)codec->size * stride);
    return rc == PvmOk ? skip(m, padding) : rc;
}

/* The bytes at the read position end with a 0, and have none before. */
static int string_is_good(struct pvmi_msg *m, size_t length)
{
    while (length) {
        size_t n;
        const unsigned char *from = pvmi_msg_peek(m, &n), *zero;

        if (!from)
            return pvmi_msg_peek_failed(m);
        n = n < length ? n : length;
        zero = __builtin_memchr(from, 0, n);
        if (zero && (n < length || zero + 1 != from + n))
            return PvmBadMsg;
        if (!zero && n == length)
            return PvmBadMsg;
        m->at_byte += n;
        length -= n;
    }
    return PvmOk;
}

static int unpack_string(struct pvmi_msg *m, char *s)
{
    struct pvmi_chunk *at;
    size_t at_byte;
    int length, rc;

    if ((rc = pvmi_unpack(m, PVM_INT, &length, 1, 1)) != PvmOk)
        return rc;
    if (length < 1)
        return PvmBadMsg;
    if (!pvmi_msg_has(m, (size_t)length + pvmi_padding(m->encoding, (size_t)length)))
        return PvmNoData;
    at = m->at;
    at_byte = m->at_byte;
    if ((rc = string_is_good(m, (size_t)length)) != PvmOk)
        return rc;
    m->at = at;
    m->at_byte = at_byte;
    return pvmi_unpack(m, PVM_BYTE, s, length, 1);
}

int pvmi_unpack_string(struct pvmi_msg *m, char *s)
{
    struct pvmi_chunk *at = m->at;
    size_t at_byte = m->at_byte;
    int rc = s ? unpack_string(m, s) : PvmBadParam;

    if (rc != PvmOk) {
        m->at = at;
        m->at_byte = at_byte;
        if (m->packed)
            m->packed->unknown = true;
    }
    return rc;
}

/* ------------------------------------------------------------------- calls -- */

static int unpack(const char *call, int type, void *p, int count, int stride)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_unpacking(call, &rc);

    if (!m)
        return rc;
    rc = pvmi_unpack(m, type, p, count, stride);
    return MPT_LIKELY(rc == PvmOk) ? rc : pvmi_pack_failed(rc, p, count, stride);
}

/* pvm_upkbyte, pvm_upkint, pvm_upklong, pvm_upkfloat, pvm_upkdouble, ...: unpack */
#define UNPACK(name, ctype, type)                               \
    int pvm_upk##name(ctype *p, int count, int stride)          \
    {                                                           \
        return unpack("pvm_upk" #name, type, p, count, stride); \
    }

PVMI_TYPES(UNPACK)

int pvm_upkstr(char *s)
{
    int rc;
    struct pvmi_msg *m = pvmi_begin_unpacking("pvm_upkstr", &rc);

    return m ? pvmi_pack_failed(pvmi_unpack_string(m, s), s, 1, 1) : rc;
}
