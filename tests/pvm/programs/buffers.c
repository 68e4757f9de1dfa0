/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Buffers: what they are after each call, lengths of every type in every encoding,
 * what comes out of pack and unpack at the edges.
 */
#include "say.h"

static int bytes_of(int bufid)
{
    int bytes = -1, tag = -1, tid = -1, rc = pvm_bufinfo(bufid, &bytes, &tag, &tid);
    return rc < 0 ? rc : bytes;
}

static void lengths(int encoding)
{
    char b[8] = "abcdefg";
    short h[4] = {1, -2, 3, -4};
    int i[4] = {1, -2, 3, -4};
    unsigned u[2] = {7, ~0u};
    float f[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    double d[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    printf("encoding %d\n", encoding);
    SAY_ID(pvm_initsend(encoding));
    SAY(pvm_pkbyte(b, 5, 1));
    SAY(bytes_of(pvm_getsbuf()));
    SAY(pvm_pkshort(h, 2, 2));
    SAY(pvm_pkushort((unsigned short *)h, 3, 1));
    SAY(bytes_of(pvm_getsbuf()));
    SAY(pvm_pkint(i, 4, 1));
    SAY(pvm_pkuint(u, 2, 1));
    SAY(bytes_of(pvm_getsbuf()));
    SAY(pvm_pkfloat(f, 3, 2));
    SAY(pvm_pkdouble(d, 3, 2));
    SAY(pvm_pkcplx(f, 2, 2));
    SAY(pvm_pkdcplx(d, 4, 1));
    SAY(bytes_of(pvm_getsbuf()));
    SAY(pvm_pkstr("hello"));
    SAY(pvm_pkstr(""));
    SAY(bytes_of(pvm_getsbuf()));
    SAY(pvm_pkint(i, 0, 1));
    SAY(pvm_pkint(i, -1, 1));
    SAY(bytes_of(pvm_getsbuf()));
}

static int three[3] = {10, 20, 30}, out[6];

static void none_yet(int me)
{
    int n = 0;

    SAY(pvm_getsbuf());
    SAY(pvm_getrbuf());
    SAY(pvm_pkint(&n, 1, 1));
    SAY(pvm_upkint(&n, 1, 1));
    SAY(pvm_send(me, 1));
}

static void made(int me)
{
    int a, b, n;

    SAY(pvm_initsend(77));
    SAY(pvm_initsend(-1));
    SAY(pvm_mkbuf(-5));
    a = SAY_ID(pvm_mkbuf(PvmDataDefault));
    b = SAY_ID(pvm_mkbuf(PvmDataRaw));
    SAY(pvm_setsbuf(a) > 0);
    SAY(pvm_setsbuf(b) == a);
    SAY(pvm_setsbuf(12345));
    SAY(pvm_setsbuf(-1));
    SAY(pvm_getsbuf() == b);
    SAY(pvm_pkint(three, 3, 1));
    SAY(pvm_setsbuf(0) == b);
    SAY(pvm_getsbuf());
    SAY(pvm_setrbuf(a));
    SAY(pvm_setrbuf(0) == a);
    SAY(pvm_freebuf(a));
    SAY(pvm_freebuf(a));
    SAY(pvm_freebuf(0));
    SAY(pvm_freebuf(-1));
    SAY(pvm_freebuf(54321));
    SAY(pvm_bufinfo(54321, &n, &n, &n));
    SAY(pvm_setsbuf(b));
    SAY(pvm_send(me, 4));
    SAY_ID(pvm_recv(me, 4));
    SAY(pvm_upkint(out, 2, 2));
    printf("%d %d\n", out[0], out[2]);
    SAY(pvm_upkint(out, 1, 1));
    SAY(pvm_upkint(out, 1, 1));
}

static void strings_and_formats(int me)
{
    int n = 0;
    char text[64] = "";
    short few[3];

    SAY_ID(pvm_initsend(PvmDataDefault));
    SAY(pvm_pkstr("seven!!"));
    SAY(pvm_pkint(three, 2, 1));
    SAY(pvm_send(me, 5));
    SAY_ID(pvm_recv(me, 5));
    SAY(pvm_upkstr(text));
    SAY(strcmp(text, "seven!!"));
    SAY(pvm_upkshort(few, 1, 1)); /* XDR widens it: an int comes out as a short */
    printf("%d\n", few[0]);
    SAY(pvm_packf("%+ %d %s %2d", PvmDataRaw, 7, "text", three));
    SAY(pvm_packf("%u", 1));
    SAY(pvm_packf("%", 1));
    SAY(pvm_packf("no item"));
    SAY(pvm_send(me, 6));
    SAY_ID(pvm_recv(me, 6));
    SAY(pvm_unpackf("%d %s %2d", &n, text, out));
    printf("%d %s %d %d\n", n, text, out[0], out[1]);
    SAY(pvm_unpackf("%d", &n));
}

static void in_place(int me)
{
    SAY_ID(pvm_initsend(PvmDataInPlace));
    SAY(pvm_pkint(three, 3, 1));
    SAY(pvm_pkint(three, 2, 2));
    SAY(pvm_pkstr("x"));
    three[0] = 99;
    SAY(pvm_send(me, 7));
    SAY_ID(pvm_recv(me, 7));
    SAY(pvm_upkint(out, 1, 1));
    printf("%d\n", out[0]);
}

int main(void)
{
    int me = say_begin();

    none_yet(me);
    lengths(PvmDataDefault);
    lengths(PvmDataRaw);
    made(me);
    strings_and_formats(me);
    in_place(me);
    pvm_setopt(PvmAutoErr, 0);
    SAY(pvm_pkmesg(4711));
    SAY(pvm_pkmesgbody(4711));
    SAY(pvm_upkmesg());
    SAY(pvm_exit());
    return 0;
}
