/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Fortran: message buffers, packing and unpacking by type. STRING packs the
 * characters alone, as many as asked for, with no length and no end: in PVM's
 * Fortran a text is a fixed number of bytes.
 */
#include "fortran.h"

void pvmfinitsend_(const int *encoding, int *bufid)
{
    *bufid = pvm_initsend(*encoding);
}
void pvmfmkbuf_(const int *encoding, int *bufid)
{
    *bufid = pvm_mkbuf(*encoding);
}
void pvmffreebuf_(const int *bufid, int *info)
{
    *info = pvm_freebuf(*bufid);
}
void pvmfgetsbuf_(int *bufid)
{
    *bufid = pvm_getsbuf();
}
void pvmfgetrbuf_(int *bufid)
{
    *bufid = pvm_getrbuf();
}
void pvmfsetsbuf_(const int *bufid, int *old)
{
    *old = pvm_setsbuf(*bufid);
}
void pvmfsetrbuf_(const int *bufid, int *old)
{
    *old = pvm_setrbuf(*bufid);
}
void pvmfpkmesg_(const int *bufid, int *info)
{
    *info = pvm_pkmesg(*bufid);
}
void pvmfpkmesgbody_(const int *bufid, int *info)
{
    *info = pvm_pkmesgbody(*bufid);
}

void pvmfbufinfo_(const int *bufid, int *bytes, int *tag, int *tid, int *info)
{
    *info = pvm_bufinfo(*bufid, bytes, tag, tid);
}

/* The message in buffer `bufid`, which becomes the receive buffer for the call. */
void pvmfupkmesg_(const int *bufid, int *taken)
{
    int old = pvm_setrbuf(*bufid);
    if (old < 0) {
        *taken = old;
        return;
    }
    *taken = pvm_upkmesg();
    pvm_setrbuf(old);
}

void pvmfgetminfo_(const int *bufid, int *len, int *ctx, int *tag, int *wid, int *enc, int *crc, int *src, int *dst,
                   int *info)
{
    struct pvmminfo m = {0};
    *info = pvm_getminfo(*bufid, &m);
    if (*info < 0)
        return;
    *len = m.len;
    *ctx = m.ctx;
    *tag = m.tag;
    *wid = m.wid;
    *enc = m.enc;
    *crc = m.crc;
    *src = m.src;
    *dst = m.dst;
}

void pvmfsetminfo_(const int *bufid, const int *ctx, const int *tag, const int *wid, const int *src, const int *dst,
                   int *info)
{
    struct pvmminfo m = {0};
    *info = pvm_getminfo(*bufid, &m);
    if (*info < 0)
        return;
    m.ctx = *ctx;
    m.tag = *tag;
    m.wid = *wid;
    m.src = *src;
    m.dst = *dst;
    *info = pvm_setminfo(*bufid, &m);
}

/* ---------------------------------------------------------------- by type -- */

static int pk_byte(void *p, int n, int stride)
{
    return pvm_pkbyte(p, n, stride);
}
static int pk_short(void *p, int n, int stride)
{
    return pvm_pkshort(p, n, stride);
}
static int pk_int(void *p, int n, int stride)
{
    return pvm_pkint(p, n, stride);
}
static int pk_float(void *p, int n, int stride)
{
    return pvm_pkfloat(p, n, stride);
}
static int pk_cplx(void *p, int n, int stride)
{
    return pvm_pkcplx(p, n, stride);
}
static int pk_double(void *p, int n, int stride)
{
    return pvm_pkdouble(p, n, stride);
}
static int pk_dcplx(void *p, int n, int stride)
{
    return pvm_pkdcplx(p, n, stride);
}
static int pk_long(void *p, int n, int stride)
{
    return pvm_pklong(p, n, stride);
}
static int upk_byte(void *p, int n, int stride)
{
    return pvm_upkbyte(p, n, stride);
}
static int upk_short(void *p, int n, int stride)
{
    return pvm_upkshort(p, n, stride);
}
static int upk_int(void *p, int n, int stride)
{
    return pvm_upkint(p, n, stride);
}
static int upk_float(void *p, int n, int stride)
{
    return pvm_upkfloat(p, n, stride);
}
static int upk_cplx(void *p, int n, int stride)
{
    return pvm_upkcplx(p, n, stride);
}
static int upk_double(void *p, int n, int stride)
{
    return pvm_upkdouble(p, n, stride);
}
static int upk_dcplx(void *p, int n, int stride)
{
    return pvm_upkdcplx(p, n, stride);
}
static int upk_long(void *p, int n, int stride)
{
    return pvm_upklong(p, n, stride);
}

typedef int mover(void *, int, int);
static mover *const packers[] = {pk_byte, pk_byte, pk_short, pk_int, pk_float, pk_cplx, pk_double, pk_dcplx, pk_long};
static mover *const unpackers[] = {upk_byte, upk_byte,   upk_short, upk_int, upk_float,
                                   upk_cplx, upk_double, upk_dcplx, upk_long};
enum { TYPES = sizeof packers / sizeof *packers };

static int move(mover *const *movers, const char *call, int what, void *p, int n, int stride)
{
    extern int lpvmerr(const char *, int);
    if (what < 0 || what >= TYPES)
        return lpvmerr(call, PvmBadParam);
    return movers[what](p, n, what == PVM_STR ? 1 : stride);
}

void pvmfpack_(const int *what, void *p, const int *n, const int *stride, int *info)
{
    *info = move(packers, "pvmfpack", *what, p, *n, *stride);
}

void pvmfunpack_(const int *what, void *p, const int *n, const int *stride, int *info)
{
    *info = move(unpackers, "pvmfunpack", *what, p, *n, *stride);
}
