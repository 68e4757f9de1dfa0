/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table of reductions: each operation on each kind of element, the loops for every processor and those for longer
 * vectors, at lengths that end in each place of a vector, into a third array, the left and the right one, against one
 * element at a time: integers at the ends of their ranges, reals with zeros of both signs, infinities and NaNs.
 */
#include <stdbool.h>
#include <string.h>

#include "coll/op_loops.h"
#include "harness.h"

typedef unsigned __int128 word;

enum { MOST = 100, SPECIALS = 9, WIDTH = 32 };

/* A kind of element: how one is made, and whether r is right for x op y. */
struct kind {
    enum coll_type type;
    const char *name;
    size_t size;
    enum { INTEGER, BYTES, LOGICAL, REAL, COMPLEX, ORDERED_COMPLEX, PAIR } class;
    void (*put)(void *at, unsigned seed);
    bool (*right)(enum coll_op op, const void *x, const void *y, const void *r);
};

static unsigned mix(unsigned a, unsigned b)
{
    a = (a ^ 61) * 2654435761u + b * 40503u;
    a ^= a >> 15;
    a *= 2246822519u;
    return a ^ a >> 13;
}

/* ---- integers ---- */

static word load(const void *at, size_t size, bool is_signed)
{
    word w = 0;

    memcpy(&w, at, size); /* little-endian or not: see below */
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    w >>= 8 * (sizeof w - size);
#endif
    if (is_signed && size < sizeof w && w >> (8 * size - 1))
        w |= ~(word)0 << 8 * size;
    return w;
}

static word integer_of(enum coll_op op, word x, word y, bool is_signed)
{
    bool less = is_signed ? (__int128)x < (__int128)y : x < y;

    switch (op) {
    case COLL_AND:
        return x & y;
    case COLL_OR:
        return x | y;
    case COLL_XOR:
        return x ^ y;
    case COLL_MAX:
        return less ? y : x;
    case COLL_MIN:
        return less ? x : y;
    case COLL_SUM:
        return x + y;
    case COLL_PROD:
        return x * y;
    case COLL_LAND:
        return x && y;
    case COLL_LOR:
        return x || y;
    default:
        return !x != !y;
    }
}

#define INTEGER_KIND(N, T, IS_SIGNED)                                                                     \
    static void put_##N(void *at, unsigned seed)                                                          \
    {                                                                                                     \
        const word top = (word)1 << (8 * sizeof(T) - 1);                                                  \
        const word values[] = {0, 1, top, top - 1, ~(word)0, (word)seed * seed * 0x9e3779b97f4a7c15u};    \
        T v = (T)values[seed % 6];                                                                        \
        memcpy(at, &v, sizeof v);                                                                         \
    }                                                                                                     \
    static bool right_##N(enum coll_op op, const void *x, const void *y, const void *r)                   \
    {                                                                                                     \
        T v = (T)integer_of(op, load(x, sizeof(T), IS_SIGNED), load(y, sizeof(T), IS_SIGNED), IS_SIGNED); \
        return memcmp(&v, r, sizeof v) == 0;                                                              \
    }
INTEGER_KIND(I8, int8_t, true)
INTEGER_KIND(I16, int16_t, true)
INTEGER_KIND(I32, int32_t, true)
INTEGER_KIND(I64, int64_t, true)
INTEGER_KIND(I128, __int128, true)
INTEGER_KIND(U8, uint8_t, false)
INTEGER_KIND(U16, uint16_t, false)
INTEGER_KIND(U32, uint32_t, false)
INTEGER_KIND(U64, uint64_t, false)

/* ---- reals ---- */

/* NaNs by any name are the same, zeros are not. */
#define SAME(a, b) \
    ((a) != (a) ? (b) != (b) : (a) == (b) && __builtin_signbit((double)(a)) == __builtin_signbit((double)(b)))

#define EXTREME(x, y, beyond) ((x) != (x) ? (x) : (y) != (y) ? (y) : (y)beyond(x) ? (y) : (x))

#define REAL_KIND(N, T)                                                                                             \
    static T special_##N(unsigned seed)                                                                             \
    {                                                                                                               \
        const T inf = (T)__builtin_inf(), nan = (T)__builtin_nan("");                                               \
        const T values[SPECIALS] = {0, (T) - 0.0, inf, -inf, nan, -nan, (T)1.5, (T) - 2, (T)(seed % 1000) / 8};     \
        return values[seed % SPECIALS];                                                                             \
    }                                                                                                               \
    static void put_##N(void *at, unsigned seed)                                                                    \
    {                                                                                                               \
        T v = special_##N(seed);                                                                                    \
        memcpy(at, &v, sizeof v);                                                                                   \
    }                                                                                                               \
    static bool right_##N(enum coll_op op, const void *left, const void *right, const void *result)                 \
    {                                                                                                               \
        T x, y, r, v;                                                                                               \
        memcpy(&x, left, sizeof x);                                                                                 \
        memcpy(&y, right, sizeof y);                                                                                \
        memcpy(&r, result, sizeof r);                                                                               \
        v = op == COLL_MAX ? EXTREME(x, y, >) : op == COLL_MIN ? EXTREME(x, y, <) : op == COLL_SUM ? x + y : x * y; \
        return SAME(v, r);                                                                                          \
    }
REAL_KIND(FLOAT, float)
REAL_KIND(DOUBLE, double)
REAL_KIND(LONGDOUBLE, long double)
#if defined(__x86_64__)
REAL_KIND(QUAD, __float128)
#else
REAL_KIND(QUAD, long double)
#endif

/* Half: powers of two, so that sums and products are exact or infinite; 0x7e00 a NaN. */
static const uint16_t halves[] = {0, 0x8000, 0x7c00, 0xfc00, 0x7e00, 0xfe00, 0x3c00, 0xc000, 0x4400};
static const float halves_are[] = {
    0, -0.0f, __builtin_inff(), -__builtin_inff(), __builtin_nanf(""), -__builtin_nanf(""), 1, -2, 4};

static void put_HALF(void *at, unsigned seed)
{
    memcpy(at, &halves[seed % SPECIALS], 2);
}

static float half_at(const void *at)
{
    uint16_t bits;
    int exponent;
    float v = 1;

    memcpy(&bits, at, sizeof bits);
    for (int i = 0; i < SPECIALS; i++)
        if (halves[i] == bits)
            return halves_are[i];
    if ((bits & 0x7c00) == 0x7c00)
        return bits & 0x3ff ? __builtin_nanf("") : bits & 0x8000 ? -__builtin_inff() : __builtin_inff();
    exponent = (bits >> 10 & 0x1f) - 15;
    for (; exponent > 0; exponent--)
        v *= 2;
    for (; exponent < 0; exponent++)
        v /= 2;
    v *= 1 + (float)(bits & 0x3ff) / 1024;
    return bits & 0x8000 ? -v : v;
}

static bool right_HALF(enum coll_op op, const void *left, const void *right, const void *result)
{
    float x = half_at(left), y = half_at(right), r = half_at(result);
    float v = op == COLL_MAX ? EXTREME(x, y, >) : op == COLL_MIN ? EXTREME(x, y, <) : op == COLL_SUM ? x + y : x * y;

    return SAME(v, r);
}

/* ---- complex numbers: whole ones and NaNs; of equal moduli there are many ---- */

static bool complex_right(enum coll_op op, const double *x, const double *y, const double *r)
{
    double v[2], key_x = x[0] * x[0] + x[1] * x[1], key_y = y[0] * y[0] + y[1] * y[1];
    bool both = key_x != key_x && key_y != key_y, right_one;

    if (op == COLL_SUM || op == COLL_PROD) {
        v[0] = op == COLL_SUM ? x[0] + y[0] : x[0] * y[0] - x[1] * y[1];
        v[1] = op == COLL_SUM ? x[1] + y[1] : x[0] * y[1] + x[1] * y[0];
    } else {
        right_one = key_y != key_y || (op == COLL_MAXABS ? key_y > key_x : key_y < key_x);
        if (both) /* either */
            right_one = SAME(r[0], y[0]) && SAME(r[1], y[1]);
        memcpy(v, right_one ? y : x, sizeof v);
    }
    return (v[0] != v[0] ? r[0] != r[0] : v[0] == r[0]) && (v[1] != v[1] ? r[1] != r[1] : v[1] == r[1]);
}

static double part_of(unsigned seed, int k)
{
    if (seed % 11 == 0 && (int)(seed / 11 & 1) == k)
        return __builtin_nan("");
    return (double)((k ? seed / 7 : seed) % 7) - 3;
}

#define COMPLEX_KIND(N, PART)                                                                       \
    static void put_##N(void *at, unsigned seed)                                                    \
    {                                                                                               \
        PART parts[2] = {(PART)part_of(seed, 0), (PART)part_of(seed, 1)};                           \
        memcpy(at, parts, sizeof parts);                                                            \
    }                                                                                               \
    static bool right_##N(enum coll_op op, const void *left, const void *right, const void *result) \
    {                                                                                               \
        PART p[3][2];                                                                               \
        double z[3][2];                                                                             \
        memcpy(p[0], left, sizeof p[0]);                                                            \
        memcpy(p[1], right, sizeof p[1]);                                                           \
        memcpy(p[2], result, sizeof p[2]);                                                          \
        for (int i = 0; i < 6; i++)                                                                 \
            z[i / 2][i % 2] = (double)p[i / 2][i % 2];                                              \
        return complex_right(op, z[0], z[1], z[2]);                                                 \
    }
COMPLEX_KIND(CFLOAT, float)
COMPLEX_KIND(CDOUBLE, double)
COMPLEX_KIND(CLONGDOUBLE, long double)
#if defined(__x86_64__)
COMPLEX_KIND(CQUAD, __float128)
#else
COMPLEX_KIND(CQUAD, long double)
#endif

static void put_CHALF(void *at, unsigned seed)
{
    static const uint16_t numbers[7] = {0xc200, 0xc000, 0xbc00, 0, 0x3c00, 0x4000, 0x4200}; /* -3 to 3 */
    uint16_t parts[2];

    for (int k = 0; k < 2; k++) {
        double v = part_of(seed, k);
        parts[k] = v != v ? 0x7e00 : numbers[(int)v + 3];
    }
    memcpy(at, parts, sizeof parts);
}

static bool right_CHALF(enum coll_op op, const void *left, const void *right, const void *result)
{
    const void *at[3] = {left, right, result};
    double z[3][2];

    for (int i = 0; i < 6; i++)
        z[i / 2][i % 2] = (double)half_at((const char *)at[i / 2] + i % 2 * 2);
    return complex_right(op, z[0], z[1], z[2]);
}

/* ---- pairs: few values, so that there are ties; the gap stays as it is ---- */

#define PAIR_KIND(N, V, I, VALUE)                                                                   \
    struct N {                                                                                      \
        V value;                                                                                    \
        I index;                                                                                    \
    };                                                                                              \
    static void put_##N(void *at, unsigned seed)                                                    \
    {                                                                                               \
        struct N *p = at;                                                                           \
        p->value = VALUE;                                                                           \
        p->index = (I)(seed / 16 % 5);                                                              \
    }                                                                                               \
    static bool right_##N(enum coll_op op, const void *left, const void *right, const void *result) \
    {                                                                                               \
        const struct N *x = left, *y = right, *r = result, *v;                                      \
        bool nan_x = x->value != x->value, nan_y = y->value != y->value;                            \
        if (nan_x || nan_y)                                                                         \
            v = nan_y ? y : x;                                                                      \
        else if (x->value == y->value)                                                              \
            return r->value == x->value && r->index == (x->index < y->index ? x->index : y->index); \
        else                                                                                        \
            v = (x->value > y->value) == (op == COLL_MAXLOC) ? x : y;                               \
        return SAME(v->value, r->value) && v->index == r->index;                                    \
    }
PAIR_KIND(FLOAT_INT, float, int, special_FLOAT(seed))
PAIR_KIND(DOUBLE_INT, double, int, special_DOUBLE(seed))
PAIR_KIND(LONG_INT, long, int, (long)(seed % 3) - 1)
PAIR_KIND(INT_INT, int, int, (int)(seed % 3) - 1)
PAIR_KIND(SHORT_INT, short, int, (short)(seed % 3 - 1))
PAIR_KIND(LONGDOUBLE_INT, long double, int, special_LONGDOUBLE(seed))
PAIR_KIND(FLOAT_FLOAT, float, float, special_FLOAT(seed))
PAIR_KIND(DOUBLE_DOUBLE, double, double, special_DOUBLE(seed))

/* ---- the table ---- */

#define KIND(N, AS, SIZE, CLASS) {COLL_##N, #N, SIZE, CLASS, put_##AS, right_##AS}
#define PAIR_OF(N) KIND(N, N, sizeof(struct N), PAIR)
static const struct kind kinds[COLL_TYPES] = {
    KIND(I8, I8, 1, INTEGER),
    KIND(I16, I16, 2, INTEGER),
    KIND(I32, I32, 4, INTEGER),
    KIND(I64, I64, 8, INTEGER),
    KIND(U8, U8, 1, INTEGER),
    KIND(U16, U16, 2, INTEGER),
    KIND(U32, U32, 4, INTEGER),
    KIND(U64, U64, 8, INTEGER),
    KIND(I128, I128, 16, INTEGER),
    KIND(BYTE, U8, 1, BYTES),
    KIND(L8, U8, 1, LOGICAL),
    KIND(L16, U16, 2, LOGICAL),
    KIND(L32, U32, 4, LOGICAL),
    KIND(L64, U64, 8, LOGICAL),
    KIND(L128, I128, 16, LOGICAL),
    KIND(FLOAT, FLOAT, 4, REAL),
    KIND(DOUBLE, DOUBLE, 8, REAL),
    KIND(LONGDOUBLE, LONGDOUBLE, sizeof(long double), REAL),
    KIND(QUAD, QUAD, 16, REAL),
    KIND(CFLOAT, CFLOAT, 8, ORDERED_COMPLEX),
    KIND(CDOUBLE, CDOUBLE, 16, ORDERED_COMPLEX),
    KIND(CLONGDOUBLE, CLONGDOUBLE, 2 * sizeof(long double), COMPLEX),
    KIND(CQUAD, CQUAD, 32, COMPLEX),
    KIND(HALF, HALF, 2, REAL),
    KIND(CHALF, CHALF, 4, COMPLEX),
    PAIR_OF(FLOAT_INT),
    PAIR_OF(DOUBLE_INT),
    PAIR_OF(LONG_INT),
    PAIR_OF(INT_INT),
    PAIR_OF(SHORT_INT),
    PAIR_OF(LONGDOUBLE_INT),
    PAIR_OF(FLOAT_FLOAT),
    PAIR_OF(DOUBLE_DOUBLE),
};

#define BIT(op) (1u << (op))
enum {
    BITS = BIT(COLL_AND) | BIT(COLL_OR) | BIT(COLL_XOR),
    TRUTH = BIT(COLL_LAND) | BIT(COLL_LOR) | BIT(COLL_LXOR),
    SUMS = BIT(COLL_SUM) | BIT(COLL_PROD),
    NUMBERS = SUMS | BIT(COLL_MAX) | BIT(COLL_MIN),
};
static const unsigned ops_of[] = {[INTEGER] = BITS | TRUTH | NUMBERS,
                                  [BYTES] = BITS,
                                  [LOGICAL] = TRUTH,
                                  [REAL] = NUMBERS,
                                  [COMPLEX] = SUMS,
                                  [ORDERED_COMPLEX] = SUMS | BIT(COLL_MAXABS) | BIT(COLL_MINABS),
                                  [PAIR] = BIT(COLL_MAXLOC) | BIT(COLL_MINLOC)};

static unsigned char left[MOST * WIDTH + 64] __attribute__((aligned(64))),
    right[sizeof left] __attribute__((aligned(64))), result[sizeof left] __attribute__((aligned(64))), was[sizeof left];

enum place { APART, LEFT, RIGHT };

/* n elements that begin `shift` bytes behind a multiple of 64. */
static void one(const struct kind *k, enum coll_op op, coll_op_fn *loop, size_t n, enum place place, size_t shift)
{
    unsigned char *x = left + shift, *y = right + shift, *r = place == LEFT ? x : place == RIGHT ? y : result + shift;
    static unsigned char kept[2][sizeof left] __attribute__((aligned(64)));
    const unsigned char *kept_x = kept[0] + shift, *kept_y = kept[1] + shift;
    size_t wrong = 0, first = 0;

    for (size_t i = 0; i < n; i++) {
        k->put(x + i * k->size, mix((unsigned)i, 2 * (unsigned)op + (unsigned)n));
        k->put(y + i * k->size, mix((unsigned)i + 500, 2 * (unsigned)op + (unsigned)n));
    }
    memset(result, 0xa5, sizeof result);
    memcpy(kept[0], left, sizeof left);
    memcpy(kept[1], right, sizeof right);
    memcpy(was, r - shift, sizeof was);
    loop(x, y, r, n);
    for (size_t i = 0; i < n; i++)
        if (!k->right(op, kept_x + i * k->size, kept_y + i * k->size, r + i * k->size) && wrong++ == 0)
            first = i;
    CHECK(wrong == 0, "%s, operation %d, place %d: %zu of %zu elements are wrong, the first is [%zu]", k->name, op,
          place, wrong, n, first);
    CHECK(memcmp(r + n * k->size, was + shift + n * k->size, sizeof was - shift - n * k->size) == 0,
          "%s, operation %d, place %d, %zu elements: wrote behind the end", k->name, op, place, n);
    CHECK(place == LEFT || memcmp(kept[0], left, sizeof left) == 0, "%s, operation %d: left changed", k->name, op);
    CHECK(place == RIGHT || memcmp(kept[1], right, sizeof right) == 0, "%s, operation %d: right changed", k->name, op);
}

static void lengths(const struct kind *k, enum coll_op op, coll_op_fn *loop)
{
    for (size_t n = 0; n <= MOST; n = n < 40 ? n + 1 : n + 12)
        for (enum place place = APART; place <= RIGHT; place++) {
            one(k, op, loop, n, place, 0);
            one(k, op, loop, n, place, k->class == PAIR ? k->size : k->size < 8 ? k->size : 8);
        }
}

/* The row that the processor would not take. */
static coll_op_fn *other_loop(enum coll_op op, enum coll_type type, coll_op_fn *taken)
{
    for (int longer = 0; longer < 2; longer++) {
        coll_op_fn *loop = type <= COLL_L128    ? coll_op_integers[longer][type - COLL_I8][op]
                           : type <= COLL_CQUAD ? coll_op_reals[longer][type - COLL_FLOAT][op]
                                                : NULL;
        if (loop != taken)
            return loop;
    }
    return NULL;
}

int main(void)
{
    bool longer = coll_op_find(COLL_SUM, COLL_DOUBLE) == coll_op_reals[1][COLL_DOUBLE - COLL_FLOAT][COLL_SUM];

    for (size_t t = 0; t < COLL_TYPES; t++) {
        const struct kind *k = &kinds[t];

        CHECK(k->type == t && coll_type_size(k->type) == k->size, "%s: size %zu", k->name, coll_type_size(k->type));
        for (enum coll_op op = 0; op < COLL_OPS; op++) {
            coll_op_fn *loop = coll_op_find(op, k->type), *other;

            CHECK(!loop == !(ops_of[k->class] & BIT(op)), "%s, operation %d is%s defined", k->name, op,
                  loop ? "" : " not");
            if (!loop)
                continue;
            lengths(k, op, loop);
            other = other_loop(op, k->type, loop);
            if (other && longer) /* what this processor has, or less */
                lengths(k, op, other);
        }
    }
    CHECK(!coll_op_find(COLL_OPS, COLL_I8) && !coll_op_find(COLL_SUM, COLL_TYPES) && coll_type_size(COLL_TYPES) == 0,
          "behind the ends of the table");
    return check_verdict();
}
