/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a message must consist of, written down independently of the library: the
 * types, and an encoder that works byte by byte.
 */
#ifndef TESTS_PVM_PACK_MODEL_H
#define TESTS_PVM_PACK_MODEL_H

#include "pcheck.h"

struct type {
    const char *name;
    int id;
    size_t size, part; /* of an item; of the numbers it consists of */
    size_t wire;       /* XDR bytes of a number; 1: bytes, padded as a whole */
    bool is_signed;
};

static const struct type types[] = {
    {"byte", PVM_BYTE, 1, 1, 1, false},   {"short", PVM_SHORT, 2, 2, 4, true},   {"ushort", PVM_USHORT, 2, 2, 4, false},
    {"int", PVM_INT, 4, 4, 4, true},      {"uint", PVM_UINT, 4, 4, 4, false},    {"long", PVM_LONG, 8, 8, 8, true},
    {"ulong", PVM_ULONG, 8, 8, 8, false}, {"float", PVM_FLOAT, 4, 4, 4, false},  {"double", PVM_DOUBLE, 8, 8, 8, false},
    {"cplx", PVM_CPLX, 8, 4, 4, false},   {"dcplx", PVM_DCPLX, 16, 8, 8, false},
};
enum { TYPES = sizeof types / sizeof *types };

static inline int do_pack(int id, const void *at, int count, int stride)
{
    void *p = (void *)(uintptr_t)at;

    switch (id) {
    case PVM_BYTE:
        return pvm_pkbyte(p, count, stride);
    case PVM_SHORT:
        return pvm_pkshort(p, count, stride);
    case PVM_USHORT:
        return pvm_pkushort(p, count, stride);
    case PVM_INT:
        return pvm_pkint(p, count, stride);
    case PVM_UINT:
        return pvm_pkuint(p, count, stride);
    case PVM_LONG:
        return pvm_pklong(p, count, stride);
    case PVM_ULONG:
        return pvm_pkulong(p, count, stride);
    case PVM_FLOAT:
        return pvm_pkfloat(p, count, stride);
    case PVM_DOUBLE:
        return pvm_pkdouble(p, count, stride);
    case PVM_CPLX:
        return pvm_pkcplx(p, count, stride);
    case PVM_DCPLX:
        return pvm_pkdcplx(p, count, stride);
    }
    return -1000;
}

static inline int do_unpack(int id, void *p, int count, int stride)
{
    switch (id) {
    case PVM_BYTE:
        return pvm_upkbyte(p, count, stride);
    case PVM_SHORT:
        return pvm_upkshort(p, count, stride);
    case PVM_USHORT:
        return pvm_upkushort(p, count, stride);
    case PVM_INT:
        return pvm_upkint(p, count, stride);
    case PVM_UINT:
        return pvm_upkuint(p, count, stride);
    case PVM_LONG:
        return pvm_upklong(p, count, stride);
    case PVM_ULONG:
        return pvm_upkulong(p, count, stride);
    case PVM_FLOAT:
        return pvm_upkfloat(p, count, stride);
    case PVM_DOUBLE:
        return pvm_upkdouble(p, count, stride);
    case PVM_CPLX:
        return pvm_upkcplx(p, count, stride);
    case PVM_DCPLX:
        return pvm_upkdcplx(p, count, stride);
    }
    return -1000;
}

/* Append what packing must give; returns the new length. */
static inline size_t model_pack(unsigned char *to, size_t at, const struct type *t, int encoding, const void *from,
                                int count, int stride)
{
    const unsigned char *s = from;

    for (ptrdiff_t i = 0; i < count; i++)
        for (size_t part = 0; part < t->size; part += t->part) {
            const unsigned char *x = s + i * stride * (ptrdiff_t)t->size + part;

            if (encoding == PvmDataRaw) {
                memcpy(to + at, x, t->part);
                at += t->part;
                continue;
            }
            for (size_t pad = t->wire - t->part; pad > 0; pad--)
                to[at++] = t->is_signed && x[t->part - 1] & 0x80 ? 0xff : 0;
            for (size_t b = t->part; b-- > 0;)
                to[at++] = x[b];
        }
    while (encoding != PvmDataRaw && t->wire == 1 && at % 4)
        to[at++] = 0;
    return at;
}

static inline size_t model_string(unsigned char *to, size_t at, int encoding, const char *s)
{
    int n = (int)strlen(s) + 1;

    at = model_pack(to, at, &types[3], encoding, &n, 1, 1);
    return model_pack(to, at, &types[0], encoding, s, n, 1);
}

static inline int length_of(int buf)
{
    int n = -1;

    return pvm_bufinfo(buf, &n, NULL, NULL) < 0 ? -1 : n;
}

/* Does the buffer consist of exactly these bytes? The current buffers stay what they were. */
static inline void check_bytes(int buf, const unsigned char *model, size_t n, const char *what)
{
    static unsigned char *got;
    static size_t room;
    int sbuf = pvm_getsbuf(), rbuf = pvm_getrbuf();
    size_t i = 0;

    if (n > room)
        got = realloc(got, room = n);
    if (!CHECK(length_of(buf) == (int)n, "%s: %d bytes, expected %zu", what, length_of(buf), n))
        return;
    OK(pvm_setrbuf(buf));
    GIVES(pvm_upkbyte((char *)got, (int)n, 1), 0);
    while (i < n && got[i] == model[i])
        i++;
    CHECK(i == n, "%s: byte %zu of %zu is %02x, expected %02x", what, i, n, i < n ? got[i] : 0, i < n ? model[i] : 0);
    OK(pvm_setsbuf(buf)); /* reading begins again */
    OK(pvm_setsbuf(sbuf));
    OK(pvm_setrbuf(rbuf));
}

#endif
