/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_psend and pvm_precv: raw bytes, lengths by type, messages that are shorter or
 * longer than the place for them, mixed with pvm_send and pvm_recv.
 */
#include "family.h"

static const struct {
    int type;
    size_t size;
} types[] = {{PVM_BYTE, 1},   {PVM_SHORT, 2}, {PVM_INT, 4},    {PVM_FLOAT, 4}, {PVM_CPLX, 8}, {PVM_DOUBLE, 8},
             {PVM_DCPLX, 16}, {PVM_LONG, 8},  {PVM_USHORT, 2}, {PVM_UINT, 4},  {PVM_ULONG, 8}};
enum { TYPES = sizeof types / sizeof *types, MOST = 300000 };

static unsigned char out[MOST * 16], in[MOST * 16 + 64];

static void every_type(void)
{
    int next = (pc_me + 1) % pc_size, last = (pc_me + pc_size - 1) % pc_size;
    static const int counts[] = {0, 1, 7, 56, 112, 900, 5000, MOST};
    for (int t = 0; t < TYPES; t++)
        for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
            size_t n = types[t].size * (size_t)counts[k];
            int tid = 0, tag = 0, got = -1;
            check_fill(out, n, (uint64_t)pc_me * 100 + (uint64_t)t);
            OK(pvm_psend(fm_name(next), 5 + t, out, counts[k], types[t].type));
            memset(out, 0xdd, n < 64 ? n : 64); /* it was taken */
            memset(in + n, 0x77, 64);
            OK(pvm_precv(fm_name(last), 5 + t, in, counts[k], types[t].type, &tid, &tag, &got));
            CHECK(tid == fm_tid(last) && tag == 5 + t && got == (int)n, "of %x, tag %d, %d bytes of %zu", (unsigned)tid,
                  tag, got, n);
            size_t bad = check_differs(in, n, (uint64_t)last * 100 + (uint64_t)t);
            CHECK(bad == n, "type %d, %d items: byte %zu is wrong", types[t].type, counts[k], bad);
            CHECK(in[n] == 0x77 && in[n + 63] == 0x77, "bytes behind the place were changed");
        }
}

/* To itself: what does not fit is lost, what is not there stays. */
static void other_lengths(void)
{
    int x[4] = {1, 2, 3, 4}, y[8], got = 0;
    memset(y, 0x55, sizeof y);
    OK(pvm_psend(pc_tid, 1, x, 4, PVM_INT));
    GIVES(pvm_precv(-1, 1, y, 2, PVM_INT, NULL, NULL, &got), 0);
    CHECK(got == 16 && y[1] == 2 && y[2] == 0x55555555, "%d bytes, %d, %x", got, y[1], (unsigned)y[2]);
    OK(pvm_psend(pc_tid, 1, x, 4, PVM_INT));
    GIVES(pvm_precv(pc_tid, -1, y, 8, PVM_INT, NULL, NULL, &got), 0);
    CHECK(got == 16 && y[3] == 4 && y[4] == 0x55555555, "%d bytes, %d, %x", got, y[3], (unsigned)y[4]);
    GIVES(pvm_nrecv(-1, -1), 0);
}

/* Buffers of the other calls are left alone. */
static void mixed(void)
{
    int x[3] = {7, 8, 9}, y[3] = {0}, got = 0;
    OK(pvm_initsend(PvmDataRaw));
    OK(pvm_pkint(x, 3, 1));
    int sbuf = pvm_getsbuf();
    OK(pvm_send(pc_tid, 2));
    OK(pvm_psend(pc_tid, 3, x, 3, PVM_INT));
    int rbuf = pvm_recv(-1, 3);
    CHECK(pvm_getsbuf() == sbuf, "send buffer %d, was %d", pvm_getsbuf(), sbuf);
    GIVES(pvm_precv(-1, 2, y, 3, PVM_INT, NULL, NULL, &got), 0);
    CHECK(got == 12 && y[2] == 9, "%d bytes, %d", got, y[2]);
    CHECK(pvm_getrbuf() == rbuf, "receive buffer %d, was %d", pvm_getrbuf(), rbuf);
    OK(pvm_upkint(y, 3, 1));
    CHECK(y[0] == 7 && y[2] == 9, "%d, %d", y[0], y[2]);
    /* big-endian as it travels */
    unsigned char b[4];
    OK(pvm_initsend(PvmDataDefault));
    OK(pvm_pkint(x, 1, 1));
    OK(pvm_send(pc_tid, 2));
    OK(pvm_precv(-1, 2, b, 4, PVM_BYTE, NULL, NULL, NULL));
    CHECK(b[0] == 0 && b[3] == 7, "%d %d %d %d", b[0], b[1], b[2], b[3]);
}

static void errors(void)
{
    int x = 0, got;
    GIVES(pvm_psend(pc_tid, -1, &x, 1, PVM_INT), PvmBadParam);
    GIVES(pvm_psend(pc_tid, 1, &x, -1, PVM_INT), PvmBadParam);
    GIVES(pvm_psend(pc_tid, 1, NULL, 1, PVM_INT), PvmBadParam);
    GIVES(pvm_psend(pc_tid, 1, &x, 1, 12), PvmBadParam);
    GIVES(pvm_psend(pc_tid, 1, &x, 1, -1), PvmBadParam);
    GIVES(pvm_psend(pc_tid, 1, &x, 1, PVM_STR), PvmNotImpl);
    GIVES(pvm_psend(-1, 1, &x, 1, PVM_INT), PvmBadParam);
    GIVES(pvm_precv(-1, 1, &x, 1, 77, NULL, NULL, NULL), PvmBadParam);
    GIVES(pvm_precv(-1, 1, &x, -1, PVM_INT, NULL, NULL, NULL), PvmBadParam);
    GIVES(pvm_precv(-1, 1, NULL, 1, PVM_INT, NULL, NULL, NULL), PvmBadParam);
    GIVES(pvm_precv(-1, 1, &x, 1, PVM_STR, NULL, NULL, NULL), PvmNotImpl);
    GIVES(pvm_precv(-1, -2, &x, 1, PVM_INT, NULL, NULL, NULL), PvmBadParam);
    OK(pvm_psend(pc_tid, 1, NULL, 0, PVM_INT));
    OK(pvm_precv(-1, 1, NULL, 0, PVM_INT, NULL, NULL, &got));
    CHECK(got == 0, "%d bytes", got);
}

int main(void)
{
    fm_start();
    every_type();
    other_lengths();
    mixed();
    errors();
    fm_barrier();
    return fm_finish();
}
