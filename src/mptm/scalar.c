/* SPDX-License-Identifier: BSD-3-Clause
 *
 * exp, log, sin and cos for arguments that need no care, by small tables and short series. The rest (not a number,
 * overflow, underflow, arguments past a million) goes to functions of libm that this library doesn't replace. Compiled
 * with and without fused multiply-add (CMakeLists.txt); the constants are cut so that both are right.
 */
#include "mptm/scalar.h"

#include "mptm/tables.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#if defined(__FMA__) || defined(__aarch64__)
#define FOR_ISA(name) name##_fma
#else
#define FOR_ISA(name) name##_base
#endif

/* Added and taken away again it rounds to a whole number, which is then in its last bits. */
#define ROUND 0x1.8p52

static inline uint64_t bits_of(double x)
{
    uint64_t b;

    memcpy(&b, &x, sizeof b);
    return b;
}

static inline double from_bits(uint64_t b)
{
    double x;

    memcpy(&x, &b, sizeof x);
    return x;
}

/* x = k log 2 / 64 + r; e^x = 2^(k / 64) e^r, |r| < 0.0055. */
static double fast_exp(double x)
{
    if (!(fabs(x) < 708.0))
        return (double)expl(x);
    const double shifted = x * 0x1.71547652b82fep+6 + ROUND, k = shifted - ROUND;
    const uint64_t whole = bits_of(shifted), i = whole % 64;
    const double r = (x - k * 0x1.62e42feep-7) - k * 0x1.a39ef35793c76p-39, r2 = r * r;
    const double scale = from_bits(bits_of(powers[i].high) + ((whole - i) << 46));
    const double series = (1.0 / 2 + r * (1.0 / 6)) + r2 * ((1.0 / 24 + r * (1.0 / 120)) + r2 * (1.0 / 720));

    return scale + scale * (powers[i].low + (r + r2 * series));
}

/* x = 2^k z, z from 0.6875 to 1.375 near c of a table; log x = k log 2 + log c + log(1 + r), |r| < 2^-7. */
static double fast_log(double x)
{
    const uint64_t b = bits_of(x);

    if (b - 0x0010000000000000 >= 0x7fe0000000000000) /* not a positive normal number */
        return (double)logl(x);
    const uint64_t above = b - 0x3fe6000000000000;
    const double k = (double)((int64_t)above >> 52), z = from_bits(b - (above & 0xfffull << 52));
    const uint64_t i = above >> 45 & 127;
    const double r = (z - logs[i].c) * logs[i].inverse, r2 = r * r; /* z - c is exact */
    const double octaves = k * 0x1.62e42fefa38p-1; /* exact */
    const double high = octaves + logs[i].high, sum = high + r;
    const double lost = ((octaves - high) + logs[i].high) + ((high - sum) + r);
    const double low = k * 0x1.ef35793c7673p-45 + logs[i].low;
    const double tail = (1.0 / 3 - r * (1.0 / 4)) + r2 * ((1.0 / 5 - r * (1.0 / 6)) + r2 * (1.0 / 7 - r * (1.0 / 8)));

    return sum + (lost + (low + r2 * (r * tail - 1.0 / 2)));
}

/* Of the series of sine after r, over r^3, and of cosine after 1, over r^2; both in powers of r^2. */
static const double series[2][8] = {
    {-1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880, -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000,
     1.0 / 355687428096000},
    {-1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320, -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200,
     1.0 / 20922789888000},
};

static inline double one_of(double even, double odd, uint64_t all_if_odd)
{
    return from_bits(bits_of(even) ^ ((bits_of(even) ^ bits_of(odd)) & all_if_odd));
}

#define FAR 1e6 /* k has 20 bits up to here, and the first two parts of pi / 2 have 33 */

/*
 * x = k pi / 2 + r, |r| <= pi / 4: sine or cosine of r by the quarter of the circle, which `more` quarters shift, and
 * its sign. No branch: which one it is nobody can foresee.
 */
static inline double by_quarter(double x, uint64_t more)
{
    const double shifted = x * 0x1.45f306dc9c883p-1 + ROUND, k = shifted - ROUND;
    const double first = x - k * 0x1.921fb544p+0, r = (first - k * 0x1.0b4611a6p-34) - k * 0x1.3198a2e037073p-69;
    const uint64_t quarter = bits_of(shifted) + more, odd = -(quarter & 1);
    const double *const s = series[quarter & 1], z = r * r, z2 = z * z;
    const double tail =
        ((s[0] + z * s[1]) + z2 * (s[2] + z * s[3])) + z2 * z2 * ((s[4] + z * s[5]) + z2 * (s[6] + z * s[7]));
    const double value = one_of(r, 1, odd) + one_of(r * z, z, odd) * tail;

    return from_bits(bits_of(value) ^ (quarter & 2) << 62);
}

static double fast_sin(double x)
{
    if (!(fabs(x) < FAR))
        return (double)sinl(x);
    return fabs(x) < 0x1p-27 ? x : by_quarter(x, 0); /* keeps the sign of 0 */
}

static double fast_cos(double x)
{
    return fabs(x) < FAR ? by_quarter(x, 1) : (double)cosl(x);
}

const struct mptm_scalars FOR_ISA(mptm_scalars) = {fast_exp, fast_log, fast_sin, fast_cos};
