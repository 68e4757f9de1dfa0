/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Element-wise combination: one loop for each kind of element and operation that
 * the standard lets go together (6.9.2, 6.9.4), and the table by which predefined
 * types find their kind. Plain loops, so that the compiler vectorises them.
 */
#include <complex.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "mpi/type/op_loops.h"
#include "mpt/fast.h"

typedef __int128 i128;
typedef float _Complex c_float;
typedef double _Complex c_double;
typedef long double _Complex c_long;
#if defined(__x86_64__)
typedef __float128 quad;
typedef _Complex float __attribute__((mode(TC))) c_quad;
#else
typedef long double quad; /* is the IEEE quadruple format there */
typedef long double _Complex c_quad;
#endif

/* Half precision is held in 16 bits and computed in float: not every compiler has the type. */
typedef struct { uint16_t bits; } half;
typedef struct { half re, im; } c_half;

static float from_half(half h)
{
    uint32_t sign = (uint32_t)(h.bits & 0x8000) << 16, rest = h.bits & 0x7fff, bits;
    float f;

    if (rest < 0x400) { /* zero or subnormal: exact in float */
        f = (float)rest * 0x1p-24f;
        return sign ? -f : f;
    }
    bits = sign | (rest >= 0x7c00 ? 0x7f800000 | (rest & 0x3ff) << 13 : (rest << 13) + ((127 - 15) << 23));
    memcpy(&f, &bits, sizeof f);
    return f;
}

/* To nearest, ties to even. */
static half to_half(float f)
{
    uint32_t bits, rest, sign, kept;
    int drop;

    memcpy(&bits, &f, sizeof bits);
    sign = bits >> 16 & 0x8000;
    rest = bits & 0x7fffffff;
    if (rest >= 0x7f800000) /* infinite, or not a number */
        return (half){(uint16_t)(sign | 0x7c00 | (rest > 0x7f800000 ? 0x200 | (rest >> 13 & 0x3ff) : 0))};
    if (rest < 0x33000000) /* less than half of the least */
        return (half){(uint16_t)sign};
    drop = rest >= 0x38800000 ? 13 : 126 - (int)(rest >> 23);
    kept = rest >= 0x38800000 ? rest - (112u << 23) : (rest & 0x7fffff) | 0x800000;
    kept = (kept >> drop) + ((kept >> (drop - 1) & 1) && ((kept >> drop & 1) || (kept & ((1u << (drop - 1)) - 1))));
    return (half){(uint16_t)(sign | (kept < 0x7c00 ? kept : 0x7c00))};
}

static c_float from_c_half(c_half h)
{
    c_float z;

    __real__ z = from_half(h.re);
    __imag__ z = from_half(h.im);
    return z;
}

/* ---- kinds of elements, and what each serves ---- */

#define INTEGERS(X) X(i8, int8_t) X(i16, int16_t) X(i32, int32_t) X(i64, int64_t) X(u8, uint8_t) X(u16, uint16_t) \
    X(u32, uint32_t) X(u64, uint64_t) X(i128, i128)
#define REALS(X) X(f32, float) X(f64, double) X(flong, long double) X(f128, quad)
#define COMPLEXES(X) X(c32, c_float) X(c64, c_double) X(clong, c_long) X(c128, c_quad)
#define BYTES(X) X(byte, uint8_t)
#define LOGICALS(X) X(l8, uint8_t) X(l16, uint16_t) X(l32, uint32_t) X(l64, uint64_t) X(l128, i128)
#define PAIRS(X) X(float_int, float, int) X(double_int, double, int) X(long_int, long, int) X(int_int, int, int) \
    X(short_int, short, int) X(long_double_int, long double, int) X(two_real, float, float) X(two_double, double, double)

/* An operand may be the result, element by element: no iteration depends on another. */
#if defined(__clang__)
#define INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define INDEPENDENT _Pragma("GCC ivdep")
#endif

#define OPERANDS const void *left, const void *right, void *result, size_t count

#define LOOP_NAMED(NAME, TARGET, T, EXPR)         \
    TARGET static void NAME(OPERANDS)             \
    {                                             \
        const T *a = left, *b = right;            \
        T *r = result;                            \
        INDEPENDENT for (size_t i = 0; i < count; i++) \
            r[i] = (T)(EXPR);                     \
    }

/* A build serves every processor of its architecture: twice, where newer ones have longer vectors. No contraction to
 * multiply-add comes with them: results are the same everywhere. */
#if defined(__x86_64__)
#define LOOP(OP, KIND, T, EXPR)                                                                 \
    LOOP_NAMED(OP##_##KIND, , T, EXPR)                                                          \
    LOOP_NAMED(OP##_##KIND##_avx2, __attribute__((target("avx2"))), T, EXPR)
#else
#define LOOP(OP, KIND, T, EXPR) LOOP_NAMED(OP##_##KIND, , T, EXPR)
#endif
#define SUM(K, T) LOOP(sum, K, T, a[i] + b[i])
#define PROD(K, T) LOOP(prod, K, T, a[i] * b[i])
#define MIN(K, T) LOOP(min, K, T, a[i] < b[i] ? a[i] : b[i])
#define MAX(K, T) LOOP(max, K, T, a[i] > b[i] ? a[i] : b[i])
#define BAND(K, T) LOOP(band, K, T, a[i] & b[i])
#define BOR(K, T) LOOP(bor, K, T, a[i] | b[i])
#define BXOR(K, T) LOOP(bxor, K, T, a[i] ^ b[i])
#define LAND(K, T) LOOP(land, K, T, (a[i] != 0) & (b[i] != 0))
#define LOR(K, T) LOOP(lor, K, T, (a[i] != 0) | (b[i] != 0))
#define LXOR(K, T) LOOP(lxor, K, T, (a[i] != 0) ^ (b[i] != 0))

INTEGERS(SUM) INTEGERS(PROD) INTEGERS(MIN) INTEGERS(MAX) INTEGERS(BAND) INTEGERS(BOR) INTEGERS(BXOR) INTEGERS(LAND)
INTEGERS(LOR) INTEGERS(LXOR)
REALS(SUM) REALS(PROD) REALS(MIN) REALS(MAX)
COMPLEXES(SUM) COMPLEXES(PROD)
BYTES(BAND) BYTES(BOR) BYTES(BXOR)
LOGICALS(LAND) LOGICALS(LOR) LOGICALS(LXOR)

#define HALF(OP, EXPR)                                                      \
    static void OP##_f16(OPERANDS)                                        \
    {                                                                     \
        const half *a = left, *b = right;                                 \
        half *r = result;                                                 \
        for (size_t i = 0; i < count; i++) {                              \
            float x = from_half(a[i]), y = from_half(b[i]);               \
            r[i] = to_half(EXPR);                                         \
        }                                                                 \
    }
HALF(sum, x + y) HALF(prod, x * y) HALF(min, x < y ? x : y) HALF(max, x > y ? x : y)

#define COMPLEX_HALF(OP, SIGN)                                                                            \
    static void OP##_c16(OPERANDS)                                                                      \
    {                                                                                                   \
        const c_half *a = left, *b = right;                                                             \
        c_half *r = result;                                                                             \
        for (size_t i = 0; i < count; i++) {                                                            \
            c_float z = from_c_half(a[i]) SIGN from_c_half(b[i]);                                       \
            r[i] = (c_half){to_half(crealf(z)), to_half(cimagf(z))};                                    \
        }                                                                                               \
    }
COMPLEX_HALF(sum, +) COMPLEX_HALF(prod, *)

/* Of equal values the lower index (6.9.4). Members one by one: the gap in between stays as it is. */
#define LOCATE(OP, KIND, V, I, BEATS)                                                                              \
    static void OP##_##KIND(OPERANDS)                                                                              \
    {                                                                                                              \
        const struct { V value; I index; } *a = left, *b = right;                                                  \
        struct { V value; I index; } *r = result;                                                                  \
        for (size_t i = 0; i < count; i++) {                                                                       \
            bool first = a[i].value BEATS b[i].value || (a[i].value == b[i].value && a[i].index < b[i].index);     \
            V value = first ? a[i].value : b[i].value;                                                             \
            I index = first ? a[i].index : b[i].index;                                                             \
            r[i].value = value;                                                                                    \
            r[i].index = index;                                                                                    \
        }                                                                                                          \
    }
#define MINLOC(K, V, I) LOCATE(minloc, K, V, I, <)
#define MAXLOC(K, V, I) LOCATE(maxloc, K, V, I, >)
PAIRS(MINLOC) PAIRS(MAXLOC)

/* ---- tables ---- */

#define NAME(K, ...) K_##K,
enum kind { K_none, INTEGERS(NAME) REALS(NAME) COMPLEXES(NAME) BYTES(NAME) LOGICALS(NAME) PAIRS(NAME) K_f16, K_c16, KINDS };

#define AT(op) ((uintptr_t)(op) & 0x1f)
#define ARITHMETIC(K, S) [AT(MPI_SUM)] = sum_##K##S, [AT(MPI_PROD)] = prod_##K##S
#define ORDER(K, S) [AT(MPI_MIN)] = min_##K##S, [AT(MPI_MAX)] = max_##K##S
#define BITS(K, S) [AT(MPI_BAND)] = band_##K##S, [AT(MPI_BOR)] = bor_##K##S, [AT(MPI_BXOR)] = bxor_##K##S
#define TRUTH(K, S) [AT(MPI_LAND)] = land_##K##S, [AT(MPI_LOR)] = lor_##K##S, [AT(MPI_LXOR)] = lxor_##K##S

#define INTEGER_OPS(K, S) [K_##K] = {ARITHMETIC(K, S), ORDER(K, S), BITS(K, S), TRUTH(K, S)},
#define REAL_OPS(K, S) [K_##K] = {ARITHMETIC(K, S), ORDER(K, S)},
#define COMPLEX_OPS(K, S) [K_##K] = {ARITHMETIC(K, S)},
#define BYTE_OPS(K, S) [K_##K] = {BITS(K, S)},
#define LOGICAL_OPS(K, S) [K_##K] = {TRUTH(K, S)},
#define PAIR_ROW(K, V, I) [K_##K] = {[AT(MPI_MINLOC)] = minloc_##K, [AT(MPI_MAXLOC)] = maxloc_##K},
#define OTHER_ROWS PAIRS(PAIR_ROW) [K_f16] = {ARITHMETIC(f16, ), ORDER(f16, )}, [K_c16] = {ARITHMETIC(c16, )}

#define INTEGER_ROW(K, T) INTEGER_OPS(K, )
#define REAL_ROW(K, T) REAL_OPS(K, )
#define COMPLEX_ROW(K, T) COMPLEX_OPS(K, )
#define BYTE_ROW(K, T) BYTE_OPS(K, )
#define LOGICAL_ROW(K, T) LOGICAL_OPS(K, )
typedef mpii_op_loop *const loops_of_kind[32];
static loops_of_kind plain[KINDS] = {
    INTEGERS(INTEGER_ROW) REALS(REAL_ROW) COMPLEXES(COMPLEX_ROW) BYTES(BYTE_ROW) LOGICALS(LOGICAL_ROW) OTHER_ROWS};

#if defined(__x86_64__)
#define INTEGER_AVX2(K, T) INTEGER_OPS(K, _avx2)
#define REAL_AVX2(K, T) REAL_OPS(K, _avx2)
#define COMPLEX_AVX2(K, T) COMPLEX_OPS(K, _avx2)
#define BYTE_AVX2(K, T) BYTE_OPS(K, _avx2)
#define LOGICAL_AVX2(K, T) LOGICAL_OPS(K, _avx2)
static loops_of_kind avx2[KINDS] = {
    INTEGERS(INTEGER_AVX2) REALS(REAL_AVX2) COMPLEXES(COMPLEX_AVX2) BYTES(BYTE_AVX2) LOGICALS(LOGICAL_AVX2) OTHER_ROWS};

static loops_of_kind *best(void)
{
    return __builtin_cpu_supports("avx2") ? avx2 : plain;
}
#else
static loops_of_kind *best(void)
{
    return plain;
}
#endif

#define SIGNED(T) (sizeof(T) == 1 ? K_i8 : sizeof(T) == 2 ? K_i16 : sizeof(T) == 4 ? K_i32 : K_i64)
#define UNSIGNED(T) (sizeof(T) == 1 ? K_u8 : sizeof(T) == 2 ? K_u16 : sizeof(T) == 4 ? K_u32 : K_u64)
#define IS(type, kind) [(uintptr_t)(type) & 0xff] = (kind)
/* Characters are not for reductions by the letter of 6.9.2; MPI_CHAR serves as the integer it is in C. */
static const uint8_t kind_of[256] = {
    IS(MPI_AINT, K_i64), IS(MPI_COUNT, K_i64), IS(MPI_OFFSET, K_i64),
    IS(MPI_SHORT, SIGNED(short)), IS(MPI_INT, SIGNED(int)), IS(MPI_LONG, SIGNED(long)), IS(MPI_LONG_LONG, SIGNED(long long)),
    IS(MPI_UNSIGNED_SHORT, UNSIGNED(short)), IS(MPI_UNSIGNED, UNSIGNED(int)), IS(MPI_UNSIGNED_LONG, UNSIGNED(long)),
    IS(MPI_UNSIGNED_LONG_LONG, UNSIGNED(long long)), IS(MPI_CHAR, (char)-1 < 0 ? K_i8 : K_u8),
    IS(MPI_SIGNED_CHAR, K_i8), IS(MPI_UNSIGNED_CHAR, K_u8),
    IS(MPI_INT8_T, K_i8), IS(MPI_INT16_T, K_i16), IS(MPI_INT32_T, K_i32), IS(MPI_INT64_T, K_i64),
    IS(MPI_UINT8_T, K_u8), IS(MPI_UINT16_T, K_u16), IS(MPI_UINT32_T, K_u32), IS(MPI_UINT64_T, K_u64),
    IS(MPI_INTEGER, K_i32), IS(MPI_INTEGER1, K_i8), IS(MPI_INTEGER2, K_i16), IS(MPI_INTEGER4, K_i32), IS(MPI_INTEGER8, K_i64),
    IS(MPI_INTEGER16, K_i128),
    IS(MPI_FLOAT, K_f32), IS(MPI_DOUBLE, K_f64), IS(MPI_LONG_DOUBLE, K_flong), IS(MPI_REAL, K_f32),
    IS(MPI_DOUBLE_PRECISION, K_f64), IS(MPI_REAL2, K_f16), IS(MPI_REAL4, K_f32), IS(MPI_REAL8, K_f64), IS(MPI_REAL16, K_f128),
    IS(MPI_C_COMPLEX, K_c32), IS(MPI_CXX_FLOAT_COMPLEX, K_c32), IS(MPI_C_DOUBLE_COMPLEX, K_c64),
    IS(MPI_CXX_DOUBLE_COMPLEX, K_c64), IS(MPI_C_LONG_DOUBLE_COMPLEX, K_clong), IS(MPI_CXX_LONG_DOUBLE_COMPLEX, K_clong),
    IS(MPI_COMPLEX, K_c32), IS(MPI_DOUBLE_COMPLEX, K_c64), IS(MPI_COMPLEX4, K_c16), IS(MPI_COMPLEX8, K_c32),
    IS(MPI_COMPLEX16, K_c64), IS(MPI_COMPLEX32, K_c128),
    IS(MPI_BYTE, K_byte), IS(MPI_C_BOOL, K_l8), IS(MPI_CXX_BOOL, K_l8),
    IS(MPI_LOGICAL, K_l32), IS(MPI_LOGICAL1, K_l8), IS(MPI_LOGICAL2, K_l16), IS(MPI_LOGICAL4, K_l32), IS(MPI_LOGICAL8, K_l64),
    IS(MPI_LOGICAL16, K_l128),
    IS(MPI_FLOAT_INT, K_float_int), IS(MPI_DOUBLE_INT, K_double_int), IS(MPI_LONG_INT, K_long_int), IS(MPI_2INT, K_int_int),
    IS(MPI_SHORT_INT, K_short_int), IS(MPI_LONG_DOUBLE_INT, K_long_double_int), IS(MPI_2REAL, K_two_real),
    IS(MPI_2DOUBLE_PRECISION, K_two_double), IS(MPI_2INTEGER, K_int_int),
};

mpii_op_loop *mpii_op_loop_of(MPI_Op op, MPI_Datatype type)
{
    static loops_of_kind *loops; /* found out again by each thread that comes early: the same */

    if (((uintptr_t)type & ~(uintptr_t)0xff) != 0x200)
        return NULL;
    if (MPT_UNLIKELY(!loops))
        loops = best();
    return loops[kind_of[(uintptr_t)type & 0xff]][AT(op)];
}
