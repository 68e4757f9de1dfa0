/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Elements to and from external32 (14.5.2): big endian, IEEE numbers, integers
 * of the standard's sizes. A longer integer loses its high bytes, as the
 * standard says; a C long double becomes an IEEE quadruple.
 */
#include <float.h>
#include <string.h>

#include "mpi/type/pack.h"

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "integers are stored with their low bytes first");

/* ------------------------------------------------------ parts of the same size -- */

#define SWAP(bits)                                                   \
    static void swap_##bits(char *to, const char *from, MPI_Count n) \
    {                                                                \
        uint##bits##_t x;                                            \
                                                                     \
        for (MPI_Count i = 0; i < n; i++) {                          \
            memcpy(&x, from + i * (MPI_Count)sizeof x, sizeof x);    \
            x = __builtin_bswap##bits(x);                            \
            memcpy(to + i * (MPI_Count)sizeof x, &x, sizeof x);      \
        }                                                            \
    }
SWAP(16)
SWAP(32)
SWAP(64)

static void swap_8(char *to, const char *from, MPI_Count n)
{
    memcpy(to, from, (size_t)n);
}

static void swap_128(char *to, const char *from, MPI_Count n)
{
    for (; n > 0; n--, to += 16, from += 16) {
        uint64_t x[2];

        memcpy(x, from, 16);
        x[0] = __builtin_bswap64(x[0]);
        x[1] = __builtin_bswap64(x[1]);
        memcpy(to, &x[1], 8);
        memcpy(to + 8, &x[0], 8);
    }
}

static void (*const swaps[])(char *to, const char *from, MPI_Count n) = {swap_8, swap_16, swap_32, swap_64, swap_128};

/* --------------------------------------------------- integers of another size -- */

static void shorten(char *to, const char *from, MPI_Count n, const struct mpii_basic *row)
{
    for (; n > 0; n--, to += row->external, from += row->size)
        for (int i = 0; i < row->external; i++)
            to[i] = from[row->external - 1 - i];
}

static void lengthen(char *to, const char *from, MPI_Count n, const struct mpii_basic *row)
{
    for (; n > 0; n--, to += row->size, from += row->external) {
        int fill = row->class == MPII_INT && (signed char)from[0] < 0 ? 0xff : 0;

        for (int i = 0; i < row->external; i++)
            to[i] = from[row->external - 1 - i];
        memset(to + row->external, fill, (size_t)(row->size - row->external));
    }
}

/* ------------------------------------------------------------------ long double -- */

#if LDBL_MANT_DIG == 64
/* 80 bits: sign and exponent as the quadruple's, then 64 bits of which the first is
 * the 1 that others imply. Quadruple: 112 bits behind the exponent. */
typedef unsigned __int128 quadword;

enum { DROPPED = 49 }; /* 112 - 63 */
static const uint64_t TOP = (uint64_t)1 << 63;
#define FRACTION (((quadword)1 << 112) - 1)

static quadword quad_of(const char *from)
{
    uint64_t mantissa;
    uint16_t head;

    memcpy(&mantissa, from, 8);
    memcpy(&head, from + 8, 2);
    if (!(head & 0x7fff) && mantissa & TOP)
        head++; /* a denormal that is none */
    return (quadword)head << 112 | (quadword)(mantissa & ~TOP) << DROPPED;
}

static void of_quad(char *to, quadword x)
{
    quadword fraction = x & FRACTION, rest = fraction & (((quadword)1 << DROPPED) - 1),
             half = (quadword)1 << (DROPPED - 1);
    uint64_t mantissa = (uint64_t)(fraction >> DROPPED);
    uint16_t head = (uint16_t)(x >> 112), exponent = head & 0x7fff;

    if (exponent)
        mantissa |= TOP;
    if (exponent == 0x7fff) {
        mantissa |= rest ? TOP >> 1 : 0; /* still not a number */
    } else if (rest > half || (rest == half && mantissa & 1)) {
        if (++mantissa == 0) {
            mantissa = TOP;
            head++;
        } else if (!exponent && mantissa & TOP) {
            head++;
        }
    }
    memset(to, 0, 16);
    memcpy(to, &mantissa, 8);
    memcpy(to + 8, &head, 2);
}

static void long_double_out(char *to, const char *from, MPI_Count n)
{
    for (; n > 0; n--, to += 16, from += 16) {
        quadword x = quad_of(from);

        swap_128(to, (const char *)&x, 1);
    }
}

static void long_double_in(char *to, const char *from, MPI_Count n)
{
    for (; n > 0; n--, to += 16, from += 16) {
        quadword x;

        swap_128((char *)&x, from, 1);
        of_quad(to, x);
    }
}
#elif LDBL_MANT_DIG == 113
#define long_double_out swap_128
#define long_double_in swap_128
#else
#error "this long double is not known here"
#endif

void mpii_convert_out(char *to, const char *from, MPI_Count n, const struct mpii_basic *row)
{
    n *= row->parts;
    if (row->class == MPII_LONG_DOUBLE)
        long_double_out(to, from, n);
    else if (row->size == row->external)
        swaps[__builtin_ctz(row->size)](to, from, n);
    else
        shorten(to, from, n, row);
}

void mpii_convert_in(char *to, const char *from, MPI_Count n, const struct mpii_basic *row)
{
    n *= row->parts;
    if (row->class == MPII_LONG_DOUBLE)
        long_double_in(to, from, n);
    else if (row->size == row->external)
        swaps[__builtin_ctz(row->size)](to, from, n);
    else
        lengthen(to, from, n, row);
}
