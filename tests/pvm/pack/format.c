/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_packf and pvm_unpackf: every form of a format, what it packs, and those that
 * mean nothing.
 */
#include "model.h"

static int d[16];
static short h[16];
static long l[16];
static float f[32];
static double g[32];
static char c[17] = "abcdefghijklmnop";

static const struct type *const BYTE = &types[0], *const SHORT = &types[1], *const USHORT = &types[2],
                                *const INT = &types[3], *const UINT = &types[4], *const LONG = &types[5],
                                *const ULONG = &types[6], *const FLOAT = &types[7], *const DOUBLE = &types[8],
                                *const CPLX = &types[9], *const DCPLX = &types[10];

static unsigned char model[4096];

/* The format packs these items of the type. */
#define PACKS(t, at, count, stride, ...)                                                                     \
    do {                                                                                                     \
        for (int e_ = 0; e_ < 2; e_++) {                                                                     \
            OK(pvm_initsend(e_));                                                                            \
            GIVES(pvm_packf(__VA_ARGS__), 0);                                                                \
            check_bytes(pvm_getsbuf(), model, model_pack(model, 0, t, e_, at, count, stride), #__VA_ARGS__); \
        }                                                                                                    \
    } while (0)

static void values(void)
{
    PACKS(INT, d, 1, 1, "%d", d[0]);
    PACKS(INT, d + 1, 1, 1, "a %d b\n", d[1]);
    PACKS(UINT, d, 1, 1, "%ud", (unsigned)d[0]);
    PACKS(SHORT, h, 1, 1, "%hd", h[0]);
    PACKS(SHORT, h + 1, 1, 1, "%hhd", h[1]);
    PACKS(USHORT, h, 1, 1, "%uhd", h[0]);
    PACKS(USHORT, h, 1, 1, "%hud", h[0]);
    PACKS(LONG, l, 1, 1, "%ld", l[0]);
    PACKS(LONG, l, 1, 1, "%hld", l[0]);
    PACKS(LONG, l, 1, 1, "%lhd", l[0]);
    PACKS(LONG, l, 1, 1, "%lld", l[0]);
    PACKS(ULONG, l, 1, 1, "%uld", (unsigned long)l[0]);
    PACKS(ULONG, l, 1, 1, "%lud", (unsigned long)l[0]);
    PACKS(FLOAT, f, 1, 1, "%f", (double)f[0]);
    PACKS(FLOAT, f, 1, 1, "%hf", (double)f[0]);
    PACKS(FLOAT, f, 1, 1, "%uf", (double)f[0]);
    PACKS(DOUBLE, g, 1, 1, "%lf", g[0]);
    PACKS(BYTE, c, 1, 1, "%c", c[0]);
    PACKS(BYTE, c, 1, 1, "%hc", c[0]);
    PACKS(BYTE, c, 1, 1, "%lc", c[0]);
    PACKS(CPLX, f, 1, 1, "%x", f);
    PACKS(DCPLX, g, 1, 1, "%lx", g);
}

static void arrays(void)
{
    PACKS(INT, d, 2, 1, "%2d", d);
    PACKS(INT, d, 2, 2, "%2.2d", d);
    PACKS(INT, d, 3, 1, "%*d", 3, d);
    PACKS(INT, d, 2, 3, "%*.*d", 2, 3, d);
    PACKS(INT, d, 2, 3, "%2.*d", 3, d);
    PACKS(INT, d, 2, 3, "%*.3d", 2, d);
    PACKS(INT, d, 1, 1, "%.2d", d);
    PACKS(INT, d, 1, 1, "%.*d", 3, d);
    PACKS(INT, d, 1, 1, "%1d", d);
    PACKS(INT, d, 0, 1, "%0d", d);
    PACKS(INT, d, 0, 1, "%*d", 0, d);
    PACKS(INT, d, 2, 0, "%2.0d", d);
    PACKS(INT, d + 3, 2, -1, "%2.*d", -1, d + 3);
    PACKS(SHORT, h, 3, 1, "%3hd", h);
    PACKS(LONG, l, 10, 1, "%10ld", l);
    PACKS(FLOAT, f, 3, 2, "%3.2f", f);
    PACKS(DOUBLE, g, 16, 1, "%16lf", g);
    PACKS(CPLX, f, 2, 1, "%2x", f);
    PACKS(CPLX, f, 2, 3, "%2.3x", f);
    PACKS(DCPLX, g, 2, 1, "%2lx", g);
    PACKS(BYTE, c, 5, 1, "%5c", c);
    PACKS(BYTE, c, 5, 2, "%5.2c", c);
}

static void several(void)
{
    for (int encoding = 0; encoding < 2; encoding++) {
        size_t n = model_pack(model, 0, INT, encoding, d, 1, 1);
        char text[20] = "";
        int back[6] = {0}, count = 0;
        double x[4] = {0};

        n = model_pack(model, n, INT, encoding, d + 1, 3, 1);
        n = model_pack(model, n, DOUBLE, encoding, g, 4, 1);
        n = model_string(model, n, encoding, "hey");
        GIVES(pvm_packf("%+ %d %*d %4lf,%s", encoding, d[0], 3, d + 1, g, "hey"), 0);
        check_bytes(pvm_getsbuf(), model, n, "the manual's example");
        OK(pvm_setrbuf(pvm_getsbuf()));
        GIVES(pvm_unpackf("%d %*d %4lf,%s", &count, 3, back, x, text), 0);
        CHECK(count == d[0] && memcmp(back, d + 1, 3 * sizeof *d) == 0 && back[3] == 0 && memcmp(x, g, sizeof x) == 0,
              "count %d", count);
        CHECK(strcmp(text, "hey") == 0, "%s", text);
        GIVES(pvm_unpackf("%d", &count), PvmNoData);
        GIVES(pvm_unpackf(""), 0);
        GIVES(pvm_unpackf("nothing"), 0);
    }
}

static void unpacks(void)
{
    for (int encoding = 0; encoding < 2; encoding++) {
        int back[8] = {0};
        unsigned u;
        short s[2] = {0};
        long q;
        float x[4];
        double y;
        char b[4];

        OK(pvm_initsend(encoding));
        GIVES(pvm_packf("%4d %d %2hd %ld %2x %lf %4c %ud", d, d[4], h, l[0], f, g[0], c, 4000000000u), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        GIVES(pvm_unpackf("%2.2d", back), 0);
        GIVES(pvm_unpackf("%*.*d", 2, -1, back + 6), 0);
        CHECK(back[0] == d[0] && back[1] == 0 && back[2] == d[1] && back[6] == d[2] && back[5] == d[3] && back[7] == 0,
              "%d %d", back[5], back[6]);
        GIVES(pvm_unpackf("%.3d%2hd%ld%2x%lf%4c%ud", back, s, &q, x, &y, b, &u), 0);
        CHECK(back[0] == d[4] && s[0] == h[0] && s[1] == h[1] && q == l[0] && memcmp(x, f, sizeof x) == 0 && y == g[0],
              "%d %d", back[0], s[0]);
        CHECK(memcmp(b, c, 4) == 0 && u == 4000000000u, "%.4s %u", b, u);
    }
}

static void nonsense(void)
{
    static const char *const bad[] = {"%",   "%q",   "%% ",           "%u",           "%-3d",           "%2.-1d",
                                      "% d", "%2 d", "%l d",          "%i",           "%3*d",           "%d %+",
                                      "%.",  "%l",   "%99999999999d", "%4294967297d", "%1.99999999999d"};
    int x = 0, next = 0;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OK(pvm_initsend(PvmDataRaw));
        CHECK(pvm_packf(bad[i], PvmDataRaw, 2, &x) == PvmBadParam, "pvm_packf %s", bad[i]);
    }
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        OK(pvm_initsend(PvmDataRaw));
        GIVES(pvm_pkint(d, 3, 1), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        CHECK(pvm_unpackf(bad[i], &x, &x) == PvmBadParam, "pvm_unpackf %s", bad[i]);
        GIVES(pvm_unpackf("%+ %d", 1, &x), PvmBadParam);
    }
    OK(pvm_initsend(PvmDataRaw));
    GIVES(pvm_packf("%d %q", 7), PvmBadParam); /* what came before stays */
    GIVES(length_of(pvm_getsbuf()), 4);
    GIVES(pvm_packf("%*d", -1, d), PvmBadParam);
    GIVES(pvm_packf("%2d", (int *)NULL), PvmBadParam);
    GIVES(pvm_packf("%s", (char *)NULL), PvmBadParam);
    GIVES(pvm_packf(NULL), PvmBadParam);
    GIVES(length_of(pvm_getsbuf()), 4);
    OK(pvm_setrbuf(pvm_getsbuf()));
    GIVES(pvm_packf("%d", 1), PvmNoBuf);
    GIVES(pvm_unpackf("%5d", d), PvmNoData);
    GIVES(pvm_unpackf("%*d", -1, d), PvmBadParam);
    GIVES(pvm_unpackf("%d", (int *)NULL), PvmBadParam);
    GIVES(pvm_unpackf(NULL), PvmBadParam);
    GIVES(pvm_unpackf("%d", &next), 0); /* nothing was taken so far */
    CHECK(next == 7, "%d", next);
    OK(pvm_setrbuf(0));
    GIVES(pvm_unpackf("%d", &x), PvmNoBuf);
    GIVES(pvm_packf("%+ %d", 9, 1), PvmBadParam);
    GIVES(pvm_packf("%+", PvmDataRaw), 0);
    GIVES(length_of(pvm_getsbuf()), 0);
    GIVES(pvm_packf("%+2d", PvmDataDefault, 1), 0); /* "2d" is text */
    GIVES(length_of(pvm_getsbuf()), 0);
}

int main(void)
{
    pc_start();
    for (int i = 0; i < 16; i++) {
        d[i] = 3 - 1000001 * i;
        h[i] = (short)(-4 + 301 * i);
        l[i] = -7000000000 * i - 1;
    }
    for (int i = 0; i < 32; i++) {
        f[i] = 0.5f * (float)i - 3;
        g[i] = 1e100 * i - 1;
    }
    values();
    arrays();
    several();
    unpacks();
    nonsense();
    return pc_finish();
}
