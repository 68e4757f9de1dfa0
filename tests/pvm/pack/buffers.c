/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Making, choosing and freeing message buffers; what is known of them.
 */
#include "model.h"

static void ids(void)
{
    enum { N = 500 };
    int buf[N], last;

    for (int i = 0; i < N; i++) {
        buf[i] = pvm_mkbuf(i % 3);
        CHECK(buf[i] > 0 && buf[i] < 4 * N, "bufid %d", buf[i]);
        for (int j = 0; j < i; j++)
            CHECK(buf[j] != buf[i], "bufid %d twice", buf[i]);
    }
    for (int i = 0; i < N; i++)
        GIVES(pvm_freebuf(buf[(i * 7) % N]), 0);
    for (int i = 0; i < N; i++)
        GIVES(pvm_freebuf(buf[i]), PvmNoSuchBuf);
    last = buf[(N - 1) * 7 % N];
    for (int i = 0; i < 10; i++) { /* not at once the same number again */
        int id = pvm_mkbuf(PvmDataRaw);

        CHECK(id > 0 && id != last, "bufid %d right after it was freed", id);
        GIVES(pvm_bufinfo(last, NULL, NULL, NULL), PvmNoSuchBuf);
        OK(pvm_freebuf(id));
        last = id;
    }
}

static void current(void)
{
    int a, b, x = 0, seven = 7, eight = 8;

    OK(pvm_setsbuf(0));
    OK(pvm_setrbuf(0));
    GIVES(pvm_getsbuf(), 0);
    GIVES(pvm_getrbuf(), 0);
    a = pvm_mkbuf(PvmDataRaw);
    b = pvm_mkbuf(PvmDataDefault);
    GIVES(pvm_getsbuf(), 0);
    GIVES(pvm_setsbuf(a), 0);
    GIVES(pvm_setsbuf(a), a);
    GIVES(pvm_setsbuf(b), a);
    GIVES(pvm_getsbuf(), b);
    GIVES(pvm_pkint(&seven, 1, 1), 0);
    GIVES(pvm_pkint(&eight, 1, 1), 0);
    GIVES(pvm_setrbuf(b), 0); /* no longer the send buffer */
    GIVES(pvm_getsbuf(), 0);
    GIVES(pvm_pkint(&x, 1, 1), PvmNoBuf);
    GIVES(pvm_upkint(&x, 1, 1), 0);
    CHECK(x == 7, "%d", x);
    GIVES(pvm_setrbuf(a), b);
    GIVES(pvm_upkint(&x, 1, 1), PvmNoData);
    GIVES(pvm_setrbuf(b), a); /* goes on where it was */
    GIVES(pvm_upkint(&x, 1, 1), 0);
    CHECK(x == 8, "%d", x);
    GIVES(pvm_upkint(&x, 1, 1), PvmNoData);
    GIVES(pvm_setsbuf(b), 0); /* packing appends, reading begins again */
    GIVES(pvm_getrbuf(), 0);
    GIVES(pvm_pkint(&seven, 1, 1), 0);
    GIVES(length_of(b), 12);
    GIVES(pvm_setrbuf(b), 0);
    for (int i = 0; i < 3; i++) {
        GIVES(pvm_upkint(&x, 1, 1), 0);
        CHECK(x == (i == 1 ? 8 : 7), "item %d is %d", i, x);
    }
    GIVES(pvm_freebuf(b), 0);
    GIVES(pvm_getrbuf(), 0);
    GIVES(pvm_upkint(&x, 1, 1), PvmNoBuf);
    GIVES(pvm_setsbuf(a), 0);
    GIVES(pvm_freebuf(a), 0);
    GIVES(pvm_getsbuf(), 0);
}

static void initsend(void)
{
    int a = pvm_initsend(PvmDataRaw), b, x = 1;

    OK(a);
    GIVES(pvm_getsbuf(), a);
    GIVES(pvm_pkint(&x, 1, 1), 0);
    b = pvm_initsend(PvmDataDefault);
    CHECK(b > 0 && b != a, "bufids %d, %d", a, b);
    GIVES(pvm_freebuf(a), PvmNoSuchBuf);
    GIVES(length_of(b), 0);
    GIVES(pvm_pkint(&x, 1, 1), 0);
    GIVES(pvm_initsend(9), PvmBadParam); /* leaves all as it was */
    GIVES(pvm_getsbuf(), b);
    GIVES(length_of(b), 4);
    a = pvm_mkbuf(PvmDataRaw);
    OK(pvm_initsend(PvmDataRaw));
    GIVES(length_of(a), 0);
    OK(pvm_freebuf(a));
}

static bool same(const struct pvmminfo *a, const struct pvmminfo *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void infos(void)
{
    static const struct {
        int encoding, shown;
    } known[] = {{PvmDataDefault, 0x10000000}, {PvmDataRaw, 0x408c41}, {PvmDataInPlace, 0x20000000}};
    struct pvmminfo info, expected;
    int bytes = -1, tag = -1, tid = -1, x[3] = {0};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        int buf = pvm_mkbuf(known[i].encoding);

        OK(pvm_setsbuf(buf));
        GIVES(pvm_bufinfo(buf, &bytes, &tag, &tid), 0);
        CHECK(bytes == 0 && tag == 0 && tid == pc_tid, "new buffer: %d bytes, tag %d, tid %x", bytes, tag,
              (unsigned)tid);
        GIVES(pvm_pkint(x, 3, 1), 0);
        GIVES(pvm_getminfo(buf, &info), 0);
        expected = (struct pvmminfo){
            .len = known[i].encoding == PvmDataInPlace ? 0 : 12, .enc = known[i].shown, .src = pc_tid};
        CHECK(same(&info, &expected), "len %d ctx %d tag %d wid %d enc %x crc %d src %x dst %x", info.len, info.ctx,
              info.tag, info.wid, (unsigned)info.enc, info.crc, (unsigned)info.src, (unsigned)info.dst);
        info = (struct pvmminfo){99, 4, 5, 6, 7, 8, 9, 10};
        GIVES(pvm_setminfo(buf, &info), 0);
        GIVES(pvm_getminfo(buf, &info), 0);
        expected =
            (struct pvmminfo){expected.len, 4, 5, 6, known[i].shown, 0, 9, 10}; /* len, enc and crc are not set */
        CHECK(same(&info, &expected), "len %d ctx %d tag %d wid %d enc %x crc %d src %x dst %x", info.len, info.ctx,
              info.tag, info.wid, (unsigned)info.enc, info.crc, (unsigned)info.src, (unsigned)info.dst);
        GIVES(pvm_bufinfo(buf, NULL, &tag, NULL), 0);
        CHECK(tag == 5, "tag %d", tag);
        GIVES(pvm_getmwid(buf), 6);
        GIVES(pvm_setmwid(buf, 77), 0);
        GIVES(pvm_getmwid(buf), 77);
        OK(pvm_freebuf(buf));
    }
}

static void errors(void)
{
    struct pvmminfo info = {0};
    static const int none[] = {-1, -1000, 0, 12345, 2147483647, (int)0x80000000};
    static const int bad_encodings[] = {-1, 3, 5, 7, 100, 0x10000000};
    int good = pvm_mkbuf(PvmDataRaw);

    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        int buf = none[i], code = buf > 0 ? PvmNoSuchBuf : PvmBadParam;

        GIVES(pvm_bufinfo(buf, NULL, NULL, NULL), code);
        GIVES(pvm_getminfo(buf, &info), code);
        GIVES(pvm_setminfo(buf, &info), code);
        GIVES(pvm_getmwid(buf), code);
        GIVES(pvm_setmwid(buf, 1), code);
        if (buf) {
            GIVES(pvm_freebuf(buf), code);
            GIVES(pvm_setsbuf(buf), code);
            GIVES(pvm_setrbuf(buf), code);
        }
    }
    GIVES(pvm_freebuf(0), 0);
    GIVES(pvm_getminfo(good, NULL), PvmBadParam);
    GIVES(pvm_setminfo(good, NULL), PvmBadParam);
    for (size_t i = 0; i < sizeof bad_encodings / sizeof *bad_encodings; i++) {
        GIVES(pvm_mkbuf(bad_encodings[i]), PvmBadParam);
        GIVES(pvm_initsend(bad_encodings[i]), PvmBadParam);
    }
    OK(pvm_freebuf(pvm_mkbuf(PvmDataTrace)));
    OK(pvm_freebuf(good));
}

int main(void)
{
    pc_start();
    ids();
    current();
    initsend();
    infos();
    errors();
    return pc_finish();
}
