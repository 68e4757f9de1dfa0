/* SPDX-License-Identifier: BSD-3-Clause */
/* The types of OpenSHMEM 1.6 by family, written from the standard's own tables and apart from the library's,
 * so that a type missing from either shows. Each list applies X(TYPENAME, TYPE) to every member of the family. */
#ifndef TESTS_TYPES_H
#define TESTS_TYPES_H

#include <stddef.h>
#include <stdint.h>

/* 7: atomic and, or, xor */
#define TYPES_AMO_BITS(X)            \
    X(uint, unsigned int)            \
    X(ulong, unsigned long)          \
    X(ulonglong, unsigned long long) \
    X(int32, int32_t)                \
    X(int64, int64_t)                \
    X(uint32, uint32_t)              \
    X(uint64, uint64_t)

/* 12: atomic compare_swap, inc, add and their fetching forms; the array forms of wait_until and test */
#define TYPES_AMO(X)       \
    TYPES_AMO_BITS(X)      \
    X(int, int)            \
    X(long, long)          \
    X(longlong, long long) \
    X(size, size_t)        \
    X(ptrdiff, ptrdiff_t)

/* 14: atomic fetch, set, swap */
#define TYPES_AMO_EXTENDED(X) \
    TYPES_AMO(X)              \
    X(float, float)           \
    X(double, double)

/* 12 and 14: point-to-point synchronization; short and ushort have wait_until and test only */
#define TYPES_SYNC(X) TYPES_AMO(X)
#define TYPES_SYNC_ALL(X) \
    TYPES_SYNC(X)         \
    X(short, short)       \
    X(ushort, unsigned short)

/* 24: put, get, p, g, strided and block forms, put_signal, broadcast, collect, alltoall, max, min */
#define TYPES_RMA(X)          \
    TYPES_AMO_EXTENDED(X)     \
    X(char, char)             \
    X(schar, signed char)     \
    X(short, short)           \
    X(uchar, unsigned char)   \
    X(ushort, unsigned short) \
    X(int8, int8_t)           \
    X(int16, int16_t)         \
    X(uint8, uint8_t)         \
    X(uint16, uint16_t)       \
    X(longdouble, long double)

/* 14: and, or, xor of a team */
#define TYPES_REDUCE_BITS(X)  \
    TYPES_AMO_BITS(X)         \
    X(uchar, unsigned char)   \
    X(ushort, unsigned short) \
    X(int8, int8_t)           \
    X(int16, int16_t)         \
    X(uint8, uint8_t)         \
    X(uint16, uint16_t)       \
    X(size, size_t)

/* 24 and 26: max, min of a team; sum, prod and the scans */
#define TYPES_REDUCE_MINMAX(X) TYPES_RMA(X)
#define TYPES_COMPLEX(X)         \
    X(complexd, double _Complex) \
    X(complexf, float _Complex)
#define TYPES_REDUCE_SUM(X) \
    TYPES_RMA(X)            \
    TYPES_COMPLEX(X)

/* 4, 7 and 9: the deprecated reductions over active sets */
#define TYPES_TO_ALL_BITS(X) \
    X(short, short)          \
    X(int, int)              \
    X(long, long)            \
    X(longlong, long long)
#define TYPES_TO_ALL_MINMAX(X) \
    TYPES_TO_ALL_BITS(X)       \
    X(float, float)            \
    X(double, double)          \
    X(longdouble, long double)
#define TYPES_TO_ALL_SUM(X) \
    TYPES_TO_ALL_MINMAX(X)  \
    TYPES_COMPLEX(X)

/* 3 and 5: deprecated atomics (cswap, finc, inc, fadd, add; fetch, set, swap); 4: deprecated typed wait */
#define TYPES_OLD_AMO(X) \
    X(int, int)          \
    X(long, long)        \
    X(longlong, long long)
#define TYPES_OLD_AMO_EXTENDED(X) \
    TYPES_OLD_AMO(X)              \
    X(float, float)               \
    X(double, double)
#define TYPES_OLD_WAIT(X) TYPES_TO_ALL_BITS(X)

/* 5: the sized families, X(BITS, BYTES) */
#define SIZES(X) \
    X(8, 1)      \
    X(16, 2)     \
    X(32, 4)     \
    X(64, 8)     \
    X(128, 16)

#endif
