/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of buffers and packing share beyond pvmi.h: a message's read
 * position, types and their forms in a message, strings, items left in place.
 */
#ifndef PVM_BUFFER_H
#define PVM_BUFFER_H

#include "pvm/pvmi.h"

/* ------------------------------------------------------------- buffer.c -- */
static inline struct pvmi_msg *pvmi_sending(void)
{
    return pvmi_msg_of(pvmi.sbuf);
} /* NULL: none */
static inline struct pvmi_msg *pvmi_reading(void)
{
    return pvmi_msg_of(pvmi.rbuf);
}

/* Where the next bytes go: a chunk with room for at least `least` of the `want` bytes to come. NULL: no memory. */
struct pvmi_chunk *pvmi_msg_tail(struct pvmi_msg *m, size_t least, size_t want);
static inline unsigned char *pvmi_chunk_extend(struct pvmi_msg *m, struct pvmi_chunk *c, size_t n)
{
    unsigned char *p = c->data + c->used;

    c->used += n;
    m->length += n;
    return p;
}

/* Packing that fails leaves the message as it was. */
struct pvmi_mark {
    struct pvmi_chunk *last;
    size_t used, length;
};
struct pvmi_mark pvmi_msg_mark(const struct pvmi_msg *m);
void pvmi_msg_undo(struct pvmi_msg *m, struct pvmi_mark mark);

/* Are n more bytes left to read? */
bool pvmi_msg_has(struct pvmi_msg *m, size_t n);
/* The bytes at the read position that lie in one piece; NULL: the end, or no memory to fetch them.
 * Who has read k of them adds k to at_byte. */
const unsigned char *pvmi_msg_peek(struct pvmi_msg *m, size_t *n);
int pvmi_msg_peek_failed(
    const struct pvmi_msg *m); /* the code for it: no memory, or its sender died while it was sending */

/* ------------------------------------------------------- buffer_calls.c -- */
/* A call begins that needs the current buffer; NULL: *rc has the error, reported. */
struct pvmi_msg *pvmi_begin_packing(const char *call, int *rc);
struct pvmi_msg *pvmi_begin_unpacking(const char *call, int *rc);
int pvmi_initsend(int encoding); /* the new send buffer's number, or the error, reported */

/* --------------------------------------------------------------- chunk.c -- */
int pvmi_chunk_own(struct pvmi_chunk *c); /* from now on in private memory. 0 or PvmNoMem */

/* ------------------------------------------------------------- holder.c -- */
void pvmi_hold_count(struct pvmi_hold *h, int slot, bool more); /* that task has one reference more, or fewer */
void pvmi_hold_free_dead(struct pvmi_hold *h);                       /* the dead have none */

/* -------------------------------------------------------------- offer.c --
 * Of a chunk that is `offered`: bytes that are there, more than `at` unless it ends there or its sender has died. */
size_t pvmi_offer_there(struct pvmi_chunk *c, size_t at);
void pvmi_offer_refuse(struct pvmi_chunk *c); /* its block shall be filled */
void pvmi_offer_drop(struct pvmi_chunk *c);   /* nobody wants it any more */

/* -------------------------------------------------------------- codec.c -- */
struct pvmi_codec {
    size_t size; /* of an item in memory */
    size_t wire; /* and in the message */
    size_t width, parts; /* of the numbers it consists of */
    bool is_signed;      /* when XDR widens it */
    /* n items, one every `stride` bytes in memory, one behind the other in the message */
    void (*put)(const struct pvmi_codec *c, void *to, const void *from, ptrdiff_t stride, size_t n);
    void (*get)(const struct pvmi_codec *c, void *to, ptrdiff_t stride, const void *from, size_t n);
};
const struct pvmi_codec *pvmi_codec_of(int type, int encoding); /* NULL: no such type */
/* Zeros behind n bytes packed as PVM_BYTE. */
size_t pvmi_padding(int encoding, size_t n);
/* A message's encoding as struct pvmminfo shows it, and back (-1: none). */
int pvmi_encoding_shown(int encoding);
int pvmi_encoding_of(int shown);
static inline bool pvmi_encoding_good(int encoding)
{
    return (encoding >= PvmDataDefault && encoding <= PvmDataInPlace) || encoding == PvmDataTrace;
}

/* The types by the names of their calls, with what these take the address of. */
#define PVMI_TYPES(X)                     \
    X(byte, char, PVM_BYTE)               \
    X(short, short, PVM_SHORT)            \
    X(ushort, unsigned short, PVM_USHORT) \
    X(int, int, PVM_INT)                  \
    X(uint, unsigned, PVM_UINT)           \
    X(long, long, PVM_LONG)               \
    X(ulong, unsigned long, PVM_ULONG)    \
    X(float, float, PVM_FLOAT)            \
    X(double, double, PVM_DOUBLE)         \
    X(cplx, float, PVM_CPLX)              \
    X(dcplx, double, PVM_DCPLX)

/* ------------------------------------------------------ pack.c, unpack.c --
 * Error codes, not reported. */
int pvmi_pack_string(struct pvmi_msg *m, const char *s);
int pvmi_unpack_string(struct pvmi_msg *m, char *s);
/* Report what pvmi_pack or pvmi_unpack found, once: 0 stays 0. */
int pvmi_pack_failed(int code, const void *p, long count, int stride);

/* ------------------------------------------------------------- packed.c --
 * With --check. */
enum { PVMI_PACKED_RUNS = 24 };
struct pvmi_packed_run {
    uint32_t type;  /* PVM_ type */
    uint64_t count; /* of numbers: complex ones are two */
    uint64_t away;  /* the line, as core_site_away() gives it */
};
struct pvmi_packed {
    int from, tag, context; /* from: who packed it; of a message received */
    bool unknown; /* nothing is said any more */
    uint32_t n;
    uint32_t at; /* unpacked so far: before this run, and of it */
    uint64_t used;
    struct pvmi_packed_run run[PVMI_PACKED_RUNS];
};
void pvmi_packed_add(struct pvmi_packed *p, int type, size_t count);
void pvmi_packed_into(struct pvmi_msg *m, int type, size_t count);
/* Does it describe all of this message? */
bool pvmi_packed_is_of(const struct pvmi_packed *p, const struct pvmi_msg *m);
/* Items are about to be unpacked, of a message with `packed`. */
void pvmi_packed_took(struct pvmi_msg *m, int type, size_t count);

/* ------------------------------------------------------------ inplace.c -- */
int pvmi_inplace_add(struct pvmi_msg *m, const void *p, size_t n); /* left where it is */
void *pvmi_inplace_own(struct pvmi_msg *m, size_t n);              /* bytes of the message's own among them */
void pvmi_inplace_free(struct pvmi_msg *m);

#endif
