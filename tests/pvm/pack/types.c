/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every type in every encoding with every kind of stride: the bytes that lie in the
 * message, and what unpacking makes of them, memory round the items included.
 */
#include "model.h"

enum { AREA = 1 << 17, MIDDLE = AREA / 2 };

static const int strides[] = {1, 2, 3, 7, 40, 0, -1, -2, -5};
static const int counts[] = {0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 33, 64, 100, 255, 256, 700};
static _Alignas(64) unsigned char from[AREA], to[AREA], expected[AREA], model[AREA];

#define N(array) (sizeof(array) / sizeof *(array))

/* Pack and unpack one array, between places of any alignment. */
static void round_trip(const struct type *t, int encoding, int count, int stride, int back, uint64_t *random)
{
    char what[100];
    const unsigned char *s = from + MIDDLE + check_random_below(random, 64);
    unsigned char *d = to + MIDDLE + check_random_below(random, 64);
    size_t n = model_pack(model, 0, t, encoding, s, count, stride);
    int buf = pvm_mkbuf(encoding);

    snprintf(what, sizeof what, "%d of %s, encoding %d, stride %d, back with %d", count, t->name, encoding, stride,
             back);
    OK(pvm_setsbuf(buf));
    CHECK(do_pack(t->id, s, count, stride) == 0, "%s", what);
    check_bytes(buf, model, n, what);
    memset(to, 0x5a, sizeof to);
    memset(expected, 0x5a, sizeof expected);
    for (int i = 0; i < count; i++)
        memcpy(expected + (d - to) + (ptrdiff_t)i * back * (ptrdiff_t)t->size,
               s + (ptrdiff_t)i * stride * (ptrdiff_t)t->size, t->size);
    OK(pvm_setrbuf(buf));
    CHECK(do_unpack(t->id, d, count, back) == 0, "%s", what);
    CHECK(memcmp(to, expected, sizeof to) == 0, "%s: wrong memory", what);
    CHECK(do_unpack(t->id, d, 1, 1) == PvmNoData, "%s: more than there was", what);
    OK(pvm_freebuf(buf));
}

static void all_of(const struct type *t, int encoding, uint64_t *random)
{
    for (size_t c = 0; c < N(counts); c++)
        for (size_t s = 0; s < N(strides); s++) {
            int n = counts[c], widest = MIDDLE / 2 / (int)t->size / (n + 1);
            int stride = strides[s], back = strides[(s + c) % N(strides)];

            if (abs(stride) <= widest && abs(back) <= widest)
                round_trip(t, encoding, n, stride, back, random);
        }
}

/* One after the other in one buffer, as programs do. */
static void all_in_one(int encoding)
{
    size_t n = 0;
    int buf = pvm_initsend(encoding);
    char text[32];

    OK(buf);
    for (int i = 0; i < TYPES; i++) {
        GIVES(do_pack(types[i].id, from + 100 * i, 3 + i, 1), 0);
        n = model_pack(model, n, &types[i], encoding, from + 100 * i, 3 + i, 1);
        snprintf(text, sizeof text, "%.*s", i, "some text here");
        GIVES(pvm_pkstr(text), 0);
        n = model_string(model, n, encoding, text);
    }
    check_bytes(buf, model, n, "all types in one buffer");
    OK(pvm_setrbuf(buf));
    for (int i = 0; i < TYPES; i++) {
        GIVES(do_unpack(types[i].id, to, 3 + i, 1), 0);
        CHECK(memcmp(to, from + 100 * i, (size_t)(3 + i) * types[i].size) == 0, "%s", types[i].name);
        GIVES(pvm_upkstr(text), 0);
        CHECK(strlen(text) == (size_t)i && strncmp(text, "some text here", (size_t)i) == 0, "string %d is %s", i, text);
    }
    GIVES(pvm_upkbyte(text, 1, 1), PvmNoData);
}

/* The lengths that the library of old gives, but for long, which keeps its 8 bytes. */
static void lengths(void)
{
    static const struct {
        int count, length[2];
    } known[TYPES] = {{5, {8, 5}}, {1, {4, 2}}, {1, {4, 2}}, {1, {4, 4}}, {1, {4, 4}},  {1, {8, 8}},
                      {1, {8, 8}}, {1, {4, 4}}, {1, {8, 8}}, {1, {8, 8}}, {1, {16, 16}}};

    for (int encoding = 0; encoding < 2; encoding++) {
        for (int i = 0; i < TYPES; i++) {
            OK(pvm_initsend(encoding));
            GIVES(do_pack(types[i].id, from, known[i].count, 1), 0);
            CHECK(length_of(pvm_getsbuf()) == known[i].length[encoding], "%s in encoding %d: %d bytes", types[i].name,
                  encoding, length_of(pvm_getsbuf()));
        }
        OK(pvm_initsend(encoding));
        GIVES(pvm_pkstr((char[]){"hello"}), 0);
        GIVES(length_of(pvm_getsbuf()), encoding == PvmDataRaw ? 10 : 12);
    }
}

static void numbers(void)
{
    long l[2] = {-5, 0};
    unsigned long ul[2] = {0xfedcba9876543210u, 0};
    short h[2] = {-3, 0};
    unsigned short uh[2] = {65533, 0};
    int d[2] = {-70000, 0};
    float f[2] = {-1.5f, 0};
    double g[2] = {1e300, 0};

    for (int encoding = 0; encoding < 2; encoding++) {
        OK(pvm_initsend(encoding));
        GIVES(pvm_pklong(l, 1, 1), 0);
        GIVES(pvm_pkulong(ul, 1, 1), 0);
        GIVES(pvm_pkshort(h, 1, 1), 0);
        GIVES(pvm_pkushort(uh, 1, 1), 0);
        GIVES(pvm_pkint(d, 1, 1), 0);
        GIVES(pvm_pkfloat(f, 1, 1), 0);
        GIVES(pvm_pkdouble(g, 1, 1), 0);
        OK(pvm_setrbuf(pvm_getsbuf()));
        GIVES(pvm_upklong(l + 1, 1, 1), 0);
        GIVES(pvm_upkulong(ul + 1, 1, 1), 0);
        GIVES(pvm_upkshort(h + 1, 1, 1), 0);
        GIVES(pvm_upkushort(uh + 1, 1, 1), 0);
        GIVES(pvm_upkint(d + 1, 1, 1), 0);
        GIVES(pvm_upkfloat(f + 1, 1, 1), 0);
        GIVES(pvm_upkdouble(g + 1, 1, 1), 0);
        CHECK(l[1] == -5 && ul[1] == 0xfedcba9876543210u && h[1] == -3 && uh[1] == 65533, "%ld %lx %d %u", l[1], ul[1],
              h[1], uh[1]);
        CHECK(d[1] == -70000 && f[1] == f[0] && g[1] == g[0], "%d %g %g", d[1], (double)f[1], g[1]);
    }
}

int main(void)
{
    uint64_t random = check_seed(11);

    pc_start();
    check_fill(from, sizeof from, random);
    for (int encoding = 0; encoding < 2; encoding++) {
        for (int i = 0; i < TYPES; i++)
            all_of(&types[i], encoding, &random);
        all_in_one(encoding);
    }
    all_in_one(PvmDataTrace);
    lengths();
    numbers();
    return pc_finish();
}
