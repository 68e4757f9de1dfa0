/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The external32 representation (14.5.2) byte by byte: order, sizes, signs,
 * IEEE quadruples, and back.
 */
#include <float.h>
#include <math.h>
#include <wchar.h>

#include "mcheck.h"

static void check(const char *what, const void *value, size_t n, MPI_Datatype t, const char *hex)
{
    MPI_Aint size = -1, at = 0;
    char text[200] = "", back[64];
    unsigned char bytes[64];

    OK(MPI_Pack_external_size("external32", 1, t, &size));
    OK(MPI_Pack_external("external32", value, 1, t, bytes, sizeof bytes, &at));
    for (int i = 0; i < at; i++)
        sprintf(text + 2 * i, "%02x", bytes[i]);
    CHECK(at == size && strcmp(text, hex) == 0, "%s is %s (%ld bytes), expected %s", what, text, (long)size, hex);
    memset(back, 0, sizeof back);
    at = 0;
    OK(MPI_Unpack_external("external32", bytes, size, &at, back, 1, t));
    CHECK(at == size && memcmp(back, value, n) == 0, "%s back from %s", what, hex);
}

#define VALUE(type, mpi, value, hex) check(#mpi " " #value, &(type){value}, sizeof(type), mpi, hex)

static void check_integers(void)
{
    VALUE(char, MPI_CHAR, 'A', "41");
    VALUE(signed char, MPI_SIGNED_CHAR, -2, "fe");
    VALUE(unsigned char, MPI_BYTE, 0xfe, "fe");
    VALUE(short, MPI_SHORT, -2, "fffe");
    VALUE(unsigned short, MPI_UNSIGNED_SHORT, 0x1234, "1234");
    VALUE(int, MPI_INT, 0x12345678, "12345678");
    VALUE(int, MPI_INT, -2, "fffffffe");
    VALUE(unsigned, MPI_UNSIGNED, 0xfedcba98u, "fedcba98");
    VALUE(long, MPI_LONG, -5, "fffffffb"); /* 4 bytes: the sign comes back */
    VALUE(long, MPI_LONG, 0x7fffffff, "7fffffff");
    VALUE(unsigned long, MPI_UNSIGNED_LONG, 0xfffffffbu, "fffffffb");
    VALUE(long long, MPI_LONG_LONG, -5, "fffffffffffffffb");
    VALUE(int8_t, MPI_INT8_T, -1, "ff");
    VALUE(uint16_t, MPI_UINT16_T, 0xabcd, "abcd");
    VALUE(int32_t, MPI_INT32_T, 1, "00000001");
    VALUE(int64_t, MPI_INT64_T, 0x0123456789abcdef, "0123456789abcdef");
    VALUE(MPI_Aint, MPI_AINT, -1, "ffffffffffffffff");
    VALUE(MPI_Count, MPI_COUNT, 258, "0000000000000102");
    VALUE(MPI_Offset, MPI_OFFSET, 258, "0000000000000102");
    VALUE(_Bool, MPI_C_BOOL, 1, "01");
    VALUE(wchar_t, MPI_WCHAR, 0x20ac, "20ac");
    VALUE(int, MPI_LOGICAL, 1, "00000001");
    VALUE(int, MPI_INTEGER, -2, "fffffffe");
    VALUE(int8_t, MPI_INTEGER1, -2, "fe");
    VALUE(int64_t, MPI_INTEGER8, -2, "fffffffffffffffe");
    VALUE(char, MPI_CHARACTER, 'z', "7a");
    check("MPI_INTEGER16", (uint64_t[]){0x8899aabbccddeeff, 0x0011223344556677}, 16, MPI_INTEGER16,
          "00112233445566778899aabbccddeeff");
}

static void check_reals(void)
{
    VALUE(float, MPI_FLOAT, 1.0f, "3f800000");
    VALUE(float, MPI_REAL, -2.5f, "c0200000");
    VALUE(double, MPI_DOUBLE, 1.0, "3ff0000000000000");
    VALUE(double, MPI_DOUBLE_PRECISION, -0.1, "bfb999999999999a");
    VALUE(double, MPI_REAL8, INFINITY, "7ff0000000000000");
    VALUE(uint16_t, MPI_REAL2, 0x3c00, "3c00");
    check("MPI_C_COMPLEX", (float[]){1.0f, -2.0f}, 8, MPI_C_COMPLEX, "3f800000c0000000");
    check("MPI_C_DOUBLE_COMPLEX", (double[]){1.0, -2.0}, 16, MPI_C_DOUBLE_COMPLEX, "3ff0000000000000c000000000000000");
    check("MPI_DOUBLE_COMPLEX", (double[]){0.5, 0.0}, 16, MPI_DOUBLE_COMPLEX, "3fe00000000000000000000000000000");
    check("MPI_REAL16", (uint64_t[]){1, 0x3fff000000000000}, 16, MPI_REAL16, "3fff0000000000000000000000000001");
}

static void check_long_double(const char *what, long double value, const char *hex)
{
    long double clean;

    memset(&clean, 0, sizeof clean); /* padding, too */
    clean = value;
    memset((char *)&clean + (LDBL_MANT_DIG == 64 ? 10 : 16), 0, sizeof clean - (LDBL_MANT_DIG == 64 ? 10 : 16));
    check(what, &clean, sizeof clean, MPI_LONG_DOUBLE, hex);
}

static long double unpack_quad(uint64_t high, uint64_t low)
{
    uint64_t words[2] = {__builtin_bswap64(high), __builtin_bswap64(low)};
    long double value = 0;
    MPI_Aint at = 0;

    OK(MPI_Unpack_external("external32", words, 16, &at, &value, 1, MPI_LONG_DOUBLE));
    return value;
}

static void check_long_doubles(void)
{
    check_long_double("1.0L", 1.0L, "3fff0000000000000000000000000000");
    check_long_double("-2.5L", -2.5L, "c0004000000000000000000000000000");
    check_long_double("0.0L", 0.0L, "00000000000000000000000000000000");
    check_long_double("-0.0L", -0.0L, "80000000000000000000000000000000");
    check_long_double("infinity", INFINITY, "7fff0000000000000000000000000000");
    check_long_double("-infinity", -INFINITY, "ffff0000000000000000000000000000");
#if LDBL_MANT_DIG == 64
    check_long_double("1 + epsilon", 1.0L + LDBL_EPSILON, "3fff0000000000000002000000000000");
    check_long_double("largest", LDBL_MAX, "7ffefffffffffffffffe000000000000");
    check_long_double("smallest normal", LDBL_MIN, "00010000000000000000000000000000");
    check_long_double("smallest", LDBL_TRUE_MIN, "00000000000000000002000000000000");
    /* quadruples between two of ours: to the nearest, to even on a tie */
    CHECK(unpack_quad(0x3fff000000000000, 0x0000ffffffffffff) == 1.0L, "below the middle");
    CHECK(unpack_quad(0x3fff000000000000, 0x0001000000000000) == 1.0L, "a tie, to even below");
    CHECK(unpack_quad(0x3fff000000000000, 0x0001000000000001) == 1.0L + LDBL_EPSILON, "above the middle");
    CHECK(unpack_quad(0x3fff000000000000, 0x0003000000000000) == 1.0L + 2 * LDBL_EPSILON, "a tie, to even above");
    CHECK(unpack_quad(0x3fffffffffffffff, 0xffffffffffffffff) == 2.0L, "carried into the exponent");
    CHECK(unpack_quad(0x7ffeffffffffffff, 0xffffffffffffffff) == (long double)INFINITY, "beyond the largest");
    CHECK(unpack_quad(0x0000ffffffffffff, 0xffffffffffffffff) == LDBL_MIN, "a denormal that becomes normal");
#endif
    CHECK(isnan(unpack_quad(0x7fff000000000000, 1)), "a small NaN stays one");
    CHECK(isnan(unpack_quad(0xffff800000000000, 0)), "NaN");
}

/* Derived types, positions, both forms. */
static void check_derived(void)
{
    struct {
        int i;
        double d;
        long l[2];
    } in[3] = {{1, 1.0, {-1, 2}}, {2, -2.0, {3, -4}}, {3, 0.5, {5, 6}}}, out[3];
    MPI_Datatype t, strided;
    unsigned char bytes[80], wanted[] = {0, 0, 0, 1, 0x3f, 0xf0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 2};
    MPI_Aint size = 0, at = 0, values[2];
    MPI_Count size_c = 0, at_c = 0;

    OK(MPI_Type_create_struct(3, (int[]){1, 1, 2}, (MPI_Aint[]){0, 8, 16},
                              (MPI_Datatype[]){MPI_INT, MPI_DOUBLE, MPI_LONG}, &t));
    OK(MPI_Type_commit(&t));
    OK(MPI_Pack_external_size("external32", 3, t, &size));
    OK(MPI_Pack_external_size_c("external32", 3, t, &size_c));
    CHECK(size == 60 && size_c == 60, "size %ld, %lld", (long)size, (long long)size_c);
    OK(MPI_Pack_external("external32", in, 1, t, bytes, 60, &at));
    OK(MPI_Pack_external("external32", in + 1, 2, t, bytes, 60, &at));
    CHECK(at == 60 && memcmp(bytes, wanted, sizeof wanted) == 0, "packed struct ends at %ld", (long)at);
    memset(out, 0, sizeof out);
    OK(MPI_Unpack_external_c("external32", bytes, 60, &at_c, out, 2, t));
    OK(MPI_Unpack_external_c("external32", bytes, 60, &at_c, out + 2, 1, t));
    for (int i = 0; i < 3; i++)
        CHECK(in[i].i == out[i].i && in[i].d == out[i].d && in[i].l[0] == out[i].l[0] && in[i].l[1] == out[i].l[1],
              "struct %d", i);
    OK(MPI_Type_create_hvector(2, 1, sizeof *in, MPI_LONG, &strided));
    OK(MPI_Type_commit(&strided));
    at = 0;
    OK(MPI_Pack_external("external32", &in[1].l[1], 1, strided, bytes, 80, &at));
    CHECK(at == 8 && bytes[3] == 0xfc && bytes[7] == 6, "strided longs: %ld bytes", (long)at);
    at = 0;
    OK(MPI_Unpack_external("external32", bytes, 8, &at, values, 2, MPI_LONG));
    CHECK(values[0] == -4 && values[1] == 6, "as contiguous longs: %ld %ld", (long)values[0], (long)values[1]);
    OK(MPI_Type_free(&t));
    OK(MPI_Type_free(&strided));
}

static void check_errors(void)
{
    MPI_Aint at = 0, size = 0;
    char bytes[16];
    int x = 1;

    FAILS(MPI_Pack_external("internal", &x, 1, MPI_INT, bytes, 16, &at), MPI_ERR_ARG);
    FAILS(MPI_Pack_external(NULL, &x, 1, MPI_INT, bytes, 16, &at), MPI_ERR_ARG);
    FAILS(MPI_Pack_external("external32", &x, 1, MPI_DATATYPE_NULL, bytes, 16, &at), MPI_ERR_TYPE);
    FAILS(MPI_Pack_external("external32", &x, -1, MPI_INT, bytes, 16, &at), MPI_ERR_COUNT);
    FAILS(MPI_Pack_external("external32", NULL, 1, MPI_INT, bytes, 16, &at), MPI_ERR_BUFFER);
    FAILS(MPI_Pack_external("external32", &x, 1, MPI_INT, bytes, 3, &at), MPI_ERR_TRUNCATE);
    FAILS(MPI_Pack_external_size("external32", 1, MPI_INT, NULL), MPI_ERR_ARG);
    at = 14;
    FAILS(MPI_Unpack_external("external32", bytes, 16, &at, &x, 1, MPI_INT), MPI_ERR_TRUNCATE);
    CHECK(at == 14 && x == 1, "nothing happened: %ld %d", (long)at, x);
    at = 17;
    FAILS(MPI_Unpack_external("external32", bytes, 16, &at, &x, 1, MPI_INT), MPI_ERR_ARG);
    OK(MPI_Pack_external_size("external32", 0, MPI_INT, &size));
    CHECK(size == 0, "no elements: %ld", (long)size);
}

int main(void)
{
    mc_start();
    OK(MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN));
    check_integers();
    check_reals();
    check_long_doubles();
    check_derived();
    check_errors();
    return mc_finish();
}
