/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages packed into messages: pvm_pkmesg, pvm_upkmesg, pvm_pkmesgbody.
 */
#include "model.h"

static unsigned char data[1 << 20], model[1 << 21];

static int filled(int encoding, int ints)
{
    int buf = pvm_mkbuf(encoding), old = pvm_setsbuf(buf);

    GIVES(pvm_pkint((int *)data, ints, 1), 0);
    OK(pvm_setsbuf(old));
    return buf;
}

static void holds(int buf, int ints)
{
    static int x[1 << 18];
    int old = pvm_setrbuf(buf);

    GIVES(pvm_upkint(x, ints, 1), 0);
    CHECK(memcmp(x, data, (size_t)ints * sizeof *x) == 0, "%d ints", ints);
    GIVES(pvm_upkint(x, 1, 1), PvmNoData);
    OK(pvm_setrbuf(old));
}

/* Every encoding in every other, between other items, of every size; header and body arrive as they were. */
static void nest(int outer, int inner, int ints)
{
    struct pvmminfo set = {0, 11, 12, 13, 0, 0, 14, 15}, before, after;
    int buf = filled(inner, ints), x = 0, got;

    OK(pvm_setminfo(buf, &set));
    OK(pvm_getminfo(buf, &before));
    OK(pvm_initsend(outer));
    GIVES(pvm_packf("%d", 1), 0);
    GIVES(pvm_pkmesg(buf), 0);
    GIVES(pvm_pkmesg(buf), 0);
    GIVES(pvm_packf("%d", 2), 0);
    holds(buf, ints); /* left as it was */
    OK(pvm_freebuf(buf));
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_unpackf("%d", &x), 0);
    CHECK(x == 1, "%d", x);
    for (int k = 0; k < 2; k++) {
        int outer_buf = pvm_getrbuf();

        got = pvm_upkmesg();
        CHECK(got > 0 && pvm_getrbuf() == outer_buf, "pvm_upkmesg gave %d", got);
        GIVES(pvm_getminfo(got, &after), 0);
        CHECK(memcmp(&before, &after, sizeof after) == 0, "len %d ctx %d tag %d wid %d enc %x crc %d src %x dst %x",
              after.len, after.ctx, after.tag, after.wid, (unsigned)after.enc, after.crc, (unsigned)after.src,
              (unsigned)after.dst);
        holds(got, ints);
        OK(pvm_freebuf(got));
    }
    GIVES(pvm_unpackf("%d", &x), 0);
    CHECK(x == 2, "%d", x);
    GIVES(pvm_upkmesg(), PvmNoData);
}

static void deep(void)
{
    int buf = filled(PvmDataRaw, 5);

    for (int depth = 0; depth < 50; depth++) {
        int next = pvm_mkbuf(depth % 2);

        OK(pvm_setsbuf(next));
        GIVES(pvm_pkmesg(buf), 0);
        OK(pvm_freebuf(buf));
        buf = next;
    }
    for (int depth = 0; depth < 50; depth++) {
        OK(pvm_setrbuf(buf));
        int next = pvm_upkmesg();

        OK(next);
        OK(pvm_freebuf(buf));
        buf = next;
    }
    holds(buf, 5);
    OK(pvm_freebuf(buf));
}

static void bodies(int encoding)
{
    int buf = filled(encoding, 40000), a = pvm_mkbuf(encoding);
    size_t n;

    OK(pvm_setsbuf(a));
    GIVES(pvm_pkstr((char[]){"first"}), 0);
    GIVES(pvm_pkmesgbody(buf), 0);
    GIVES(pvm_pkbyte((char[]){"xyz"}, 3, 1), 0);
    GIVES(pvm_pkmesgbody(buf), 0);
    n = model_string(model, 0, encoding, "first");
    n = model_pack(model, n, &types[3], encoding, data, 40000, 1);
    n = model_pack(model, n, &types[0], encoding, "xyz", 3, 1);
    n = model_pack(model, n, &types[3], encoding, data, 40000, 1);
    check_bytes(a, model, n, "bodies spliced");
    holds(buf, 40000);
    OK(pvm_setsbuf(a));
    GIVES(pvm_pkmesgbody(a), PvmBadParam);
    GIVES(pvm_pkmesg(a), PvmBadParam);
    GIVES(pvm_pkmesg(0), PvmBadParam);
    GIVES(pvm_pkmesg(-1), PvmBadParam);
    GIVES(pvm_pkmesg(99999), PvmNoSuchBuf);
    GIVES(pvm_pkmesgbody(0), PvmBadParam);
    GIVES(pvm_pkmesgbody(99999), PvmNoSuchBuf);
    OK(pvm_freebuf(buf));
    buf = filled(1 - encoding, 3);
    GIVES(pvm_pkmesgbody(buf), PvmMismatch);
    GIVES(length_of(a), (int)n);
    OK(pvm_freebuf(buf));
    OK(pvm_freebuf(a));
}

int main(void)
{
    static const int sizes[] = {0, 1, 3, 200, 224, 225, 5000, 1 << 18};

    pc_start();
    check_fill(data, sizeof data, 9);
    for (int outer = 0; outer < 2; outer++)
        for (int inner = 0; inner < 2; inner++)
            for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
                nest(outer, inner, sizes[i]);
    deep();
    bodies(PvmDataDefault);
    bodies(PvmDataRaw);
    return pc_finish();
}
