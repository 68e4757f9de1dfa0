/* SPDX-License-Identifier: BSD-3-Clause */
/* Minima and maxima of floating-point numbers as all faces promise them: a NaN wins over every number, of zeros of both
 * signs the first is taken. Values are mostly special ones. */
#ifndef TESTS_EXTREMES_H
#define TESTS_EXTREMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Where vectors of each length begin and end, and what goes by parts. */
static const size_t extremes_lengths[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 100, 1000, 1023, 20000};
enum { EXTREMES_LENGTHS = sizeof extremes_lengths / sizeof *extremes_lengths, EXTREMES_MOST = 20000 };

static inline unsigned extremes_mix(int pe, size_t i)
{
    uint64_t x = (uint64_t)(unsigned)(pe + 1) * 0x9e3779b97f4a7c15u + i * 0xbf58476d1ce4e5b9u;

    x ^= x >> 29;
    x *= 0x94d049bb133111ebu;
    return (unsigned)(x >> 33);
}

/* Names of type T: NAME_value of PE pe's element i, NAME_extreme of x and y, and NAME_same. A fifth of the values are
 * NaNs where few take part, less where many do, or all results would be. */
#define EXTREMES_DEFINE(NAME, T)                                                                           \
    static inline T NAME##_value(int pe, int npes, size_t i)                                               \
    {                                                                                                      \
        unsigned r = extremes_mix(pe, i);                                                                  \
        T zero = 0;                                                                                        \
        if (r % (4 + (unsigned)npes) == 0)                                                                 \
            return r & 64 ? (T)__builtin_nan("") : -(T)__builtin_nan("");                                  \
        switch (i % 4 ? r / 64 % 8 : r / 64 % 2) {                                                         \
        case 0:                                                                                            \
            return zero;                                                                                   \
        case 1:                                                                                            \
            return -zero;                                                                                  \
        case 2:                                                                                            \
            return (T)__builtin_inf();                                                                     \
        case 3:                                                                                            \
            return -(T)__builtin_inf();                                                                    \
        default:                                                                                           \
            return ((T)(r / 512 % 1000) - 500) / 8;                                                        \
        }                                                                                                  \
    }                                                                                                      \
    static inline T NAME##_extreme(bool max, T x, T y)                                                     \
    {                                                                                                      \
        if (x != x || y != y)                                                                              \
            return x != x ? x : y;                                                                         \
        return (max ? y > x : y < x) ? y : x;                                                              \
    }                                                                                                      \
    static inline bool NAME##_same(T x, T y)                                                               \
    {                                                                                                      \
        return x != x ? y != y : x == y && !__builtin_signbit((double)x) == !__builtin_signbit((double)y); \
    }

#endif
