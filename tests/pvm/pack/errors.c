/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Packing and unpacking that cannot be: each gives its code, takes nothing from the
 * message, adds nothing to it and changes no memory.
 */
#include "model.h"

static unsigned char memory[4096], before[4096];

static void unchanged(const char *what)
{
    CHECK(memcmp(memory, before, sizeof memory) == 0, "%s changed memory", what);
}

static void no_buffer(void)
{
    OK(pvm_setsbuf(0));
    OK(pvm_setrbuf(0));
    for (int i = 0; i < TYPES; i++) {
        GIVES(do_pack(types[i].id, memory, 1, 1), PvmNoBuf);
        GIVES(do_unpack(types[i].id, memory, 1, 1), PvmNoBuf);
    }
    GIVES(pvm_pkstr((char *)memory), PvmNoBuf);
    GIVES(pvm_upkstr((char *)memory), PvmNoBuf);
    GIVES(pvm_upkmesg(), PvmNoBuf);
    GIVES(pvm_pkmesg(1), PvmNoBuf);
    GIVES(pvm_pkmesgbody(1), PvmNoBuf);
    unchanged("no buffer");
}

static void bad_arguments(int encoding)
{
    int buf = pvm_mkbuf(encoding);

    for (int i = 0; i < TYPES; i++) {
        OK(pvm_setsbuf(buf));
        GIVES(do_pack(types[i].id, memory, -1, 1), PvmBadParam);
        GIVES(do_pack(types[i].id, memory, (int)0x80000000, 1), PvmBadParam);
        GIVES(do_pack(types[i].id, NULL, 1, 1), PvmBadParam);
        GIVES(do_pack(types[i].id, NULL, -1, 1), PvmBadParam);
        GIVES(do_pack(types[i].id, NULL, 0, 1), 0);
        GIVES(pvm_pkstr(NULL), PvmBadParam);
        GIVES(length_of(buf), 0);
        OK(pvm_setrbuf(buf));
        GIVES(do_unpack(types[i].id, memory, -1, 1), PvmBadParam);
        GIVES(do_unpack(types[i].id, NULL, 1, 1), PvmBadParam);
        GIVES(do_unpack(types[i].id, NULL, 0, 1), 0);
        GIVES(do_unpack(types[i].id, memory, 0, 5), 0);
        GIVES(do_unpack(types[i].id, memory, 1, 1), PvmNoData);
        GIVES(do_unpack(types[i].id, memory, 2147483647, 1), PvmNoData);
        GIVES(pvm_upkstr(NULL), PvmBadParam);
        GIVES(pvm_upkstr((char *)memory), PvmNoData);
        GIVES(pvm_upkmesg(), PvmNoData);
    }
    OK(pvm_freebuf(buf));
    unchanged("bad arguments");
}

/* Too little left: nothing is taken, and a call that wants less succeeds. */
static void exhausted(int encoding)
{
    int x[10], all[10] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    OK(pvm_initsend(encoding));
    GIVES(pvm_pkint(all, 10, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    for (int left = 10; left > 0; left--) {
        GIVES(pvm_upkint((int *)memory, left + 1, 1), PvmNoData);
        GIVES(pvm_upkdouble((double *)memory, left / 2 + 1, 1), PvmNoData);
        GIVES(pvm_upkbyte((char *)memory, 4 * left + 1, 1), PvmNoData);
        GIVES(pvm_upkdcplx((double *)memory, left / 4 + 1, 1), PvmNoData);
        unchanged("too little left");
        GIVES(pvm_upkint(x, 1, 1), 0);
        CHECK(x[0] == 11 - left, "%d", x[0]);
    }
    GIVES(pvm_upkint((int *)memory, 1, 1), PvmNoData);
    GIVES(pvm_upkshort((short *)memory, 1, 1), PvmNoData);
    GIVES(pvm_upkbyte((char *)memory, 1, 1), PvmNoData);
    GIVES(pvm_upkint((int *)memory, 0, 1), 0);
    unchanged("the end");
}

/* Where no string lies: its length is wrong, or it has no end, or an early one. */
static void no_string(int encoding)
{
    static const struct {
        int length, code;
        char text[8];
    } bad[] = {{0, PvmBadMsg, "abcdefg"},
               {-1, PvmBadMsg, "abcdefg"},
               {(int)0x80000000, PvmBadMsg, "abcdefg"},
               {9, PvmNoData, "abcdefg"},
               {1000, PvmNoData, "abcd"},
               {0x7fffffff, PvmNoData, "abcd"},
               {4, PvmBadMsg, "abcdefg"},
               {1, PvmBadMsg, "a"},
               {8, PvmBadMsg, "abc\0efg"},
               {8, PvmBadMsg, {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'}}};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int length = bad[i].length, x = -1;

        OK(pvm_initsend(encoding));
        GIVES(pvm_pkint(&length, 1, 1), 0);
        GIVES(pvm_pkbyte((char *)(uintptr_t)bad[i].text, 8, 1), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        CHECK(pvm_upkstr((char *)memory) == bad[i].code, "string %zu of length %d", i, length);
        unchanged("no string");
        GIVES(pvm_upkint(&x, 1, 1), 0);
        CHECK(x == length, "%d after a string that was none, expected %d", x, length);
    }
    OK(pvm_initsend(encoding)); /* a length alone */
    GIVES(pvm_pkint((int[]){5}, 1, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_upkstr((char *)memory), PvmNoData);
    unchanged("a length alone");
}

/* Numbers that are no message packed by pvm_pkmesg. */
static void no_message(int encoding)
{
    static const struct {
        int len, enc, more, code;
    } bad[] = {{-1, 0x10000000, 10, PvmBadMsg}, {(int)0x80000000, 0x10000000, 10, PvmBadMsg},
               {41, 0x10000000, 10, PvmNoData}, {0x7fffffff, 0x408c41, 10, PvmNoData},
               {40, 0, 10, PvmBadMsg},          {40, 0x20000000, 10, PvmBadMsg},
               {40, 5, 10, PvmBadMsg},          {1, 0x408c41, 0, PvmNoData}};
    int none[10] = {0}, x = -1;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int info[8] = {bad[i].len, 2, 3, 4, bad[i].enc, 6, 7, 8};

        OK(pvm_initsend(encoding));
        GIVES(pvm_pkint(info, 8, 1), 0);
        GIVES(pvm_pkint(none, bad[i].more, 1), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        CHECK(pvm_upkmesg() == bad[i].code, "message %zu", i);
        GIVES(pvm_upkint(&x, 1, 1), 0);
        CHECK(x == bad[i].len, "%d", x);
    }
    OK(pvm_initsend(encoding));
    GIVES(pvm_pkint(none, 7, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_upkmesg(), PvmNoData);
}

/* Another type than was packed: some value, never harm. */
static void other_types(int encoding)
{
    unsigned char area[2][4096];
    uint64_t random = check_seed(5);

    check_fill(area[0], sizeof area[0], 3);
    for (int i = 0; i < 400; i++) {
        const struct type *packed = &types[check_random_below(&random, TYPES)];
        int left;

        OK(pvm_initsend(encoding));
        GIVES(do_pack(packed->id, area[0], (int)check_random_below(&random, 4096 / packed->size), 1), 0);
        left = length_of(pvm_getsbuf());
        OK(pvm_setrbuf(pvm_getsbuf()));
        for (int k = 0; k < 20; k++) {
            const struct type *t = &types[check_random_below(&random, TYPES)];
            int n = (int)check_random_below(&random, 1024 / t->size);
            int wire = n * (int)(encoding == PvmDataRaw || t->wire == 1 ? t->size : t->size / t->part * t->wire);

            if (encoding != PvmDataRaw)
                wire = (wire + 3) & ~3;
            GIVES(do_unpack(t->id, area[1], n, 1), wire <= left ? 0 : PvmNoData);
            left -= wire <= left ? wire : 0;
        }
    }
}

/* XDR of other lengths: shorts and ints are alike; what does not fit is cut. */
static void other_lengths(void)
{
    int x[2] = {70000, -3};
    short s[2] = {-3, 5};

    OK(pvm_initsend(PvmDataDefault));
    GIVES(pvm_pkint(x, 2, 1), 0);
    GIVES(pvm_pkshort(s, 2, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_upkshort(s, 2, 1), 0);
    CHECK(s[0] == 4464 && s[1] == -3, "%d %d", s[0], s[1]);
    GIVES(pvm_upkint(x, 2, 1), 0);
    CHECK(x[0] == -3 && x[1] == 5, "%d %d", x[0], x[1]);
}

static void bytes_in_parts(void)
{
    char c[20];

    OK(pvm_initsend(PvmDataDefault));
    GIVES(pvm_pkbyte((char[]){"abcde"}, 5, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_upkbyte(c, 2, 1), 0); /* takes four, as every XDR array of bytes does */
    GIVES(pvm_upkbyte(c, 2, 1), 0);
    CHECK(c[0] == 'e', "%c", c[0]);
    GIVES(pvm_upkbyte(c, 1, 1), PvmNoData);
    OK(pvm_initsend(PvmDataRaw));
    GIVES(pvm_pkbyte((char[]){"abcde"}, 5, 1), 0);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_upkbyte(c, 2, 1), 0);
    GIVES(pvm_upkbyte(c, 2, 1), 0);
    CHECK(c[0] == 'c', "%c", c[0]);
    GIVES(pvm_upkbyte(c, 2, 1), PvmNoData);
    GIVES(pvm_upkbyte(c, 1, 1), 0);
    CHECK(c[0] == 'e', "%c", c[0]);
}

int main(void)
{
    pc_start();
    check_fill(memory, sizeof memory, 1);
    memcpy(before, memory, sizeof memory);
    no_buffer();
    for (int encoding = 0; encoding < 2; encoding++) {
        bad_arguments(encoding);
        exhausted(encoding);
        no_string(encoding);
        no_message(encoding);
        other_types(encoding);
    }
    other_lengths();
    bytes_in_parts();
    return pc_finish();
}
