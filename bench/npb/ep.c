/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * EP: 2^M pairs of uniform random numbers become Gaussian deviates by acceptance and rejection (the polar method);
 * their sums, and how many fall into each square ring |x|, |y| < l + 1. Nothing but the last sums is communicated.
 */
#include "common/clones.h"
#include "common/npb.h"

#include <string.h>

#define SEED 271828183ull
#define LANES 64       /* pairs computed together; lane j has pairs j, j + LANES, ... */
#define STEPS 60       /* of the lanes; a ring's counter has 6 bits until it is added up */
#define RINGS 10
#define RING_BITS 6
#define CHUNK (LANES * STEPS) /* pairs; the smallest class has more chunks than PEs */

static const struct {
    int log2_pairs;
    double sx, sy;
} classes[NPB_CLASSES] = {
    [NPB_S] = {24, -3247.83465203474, -6958.407078382297},  [NPB_W] = {25, -2863.319731645753, -6320.053679109499},
    [NPB_A] = {28, -4295.875165629892, -15807.32573678431}, [NPB_B] = {30, 40338.15542441498, -26606.69192809235},
    [NPB_C] = {32, 47643.67927995374, -80840.72988043731},
};

static enum npb_class cls;

struct lanes {
    uint64_t state[LANES]; /* before the first number of the lane's next pair */
    uint64_t rings[LANES]; /* RINGS counters each */
    double sx[LANES], sy[LANES];
};

/* sx, sy, then the rings */
static double sums[2 + RINGS];

/* x / 2^46 for x < 2^46, exactly: the bits become the fraction of a number of [1, 2). */
NPB_INLINE double fraction(uint64_t x)
{
    const uint64_t bits = x << 6 | 0x3ff0000000000000ull;
    double one_and;

    memcpy(&one_and, &bits, sizeof bits);
    return one_and - 1;
}

/*
 * sqrt(-2 ln t / t) for t of (0, 1]. ln(2^k m) = k ln 2 + 2 artanh((m - 1) / (m + 1)) with m of [1/sqrt 2, sqrt 2),
 * whose series ends where a double does. One division serves 1 / (m + 1) and 1 / t.
 */
NPB_INLINE double polar(double t)
{
    const uint64_t half_root = 0x3fe6a09e00000000ull, bias = 1024ull << 52;
    uint64_t bits, shifted, power, mantissa;
    double k, m, s, w, series, both;

    memcpy(&bits, &t, sizeof bits);
    shifted = bits - half_root + bias; /* its exponent is k + 1024 */
    power = shifted >> 52 | 0x4330000000000000ull;
    mantissa = bits - (shifted & 0xfff0000000000000ull) + bias;
    memcpy(&k, &power, sizeof k);
    memcpy(&m, &mantissa, sizeof m);
    k -= 0x1p52 + 1024;
    both = 1 / ((m + 1) * t);
    s = (m - 1) * (both * t);
    w = s * s;
    series = 1.0 / 21;
    series = series * w + 1.0 / 19;
    series = series * w + 1.0 / 17;
    series = series * w + 1.0 / 15;
    series = series * w + 1.0 / 13;
    series = series * w + 1.0 / 11;
    series = series * w + 1.0 / 9;
    series = series * w + 1.0 / 7;
    series = series * w + 1.0 / 5;
    series = series * w + 1.0 / 3;
    series = series * w + 1;
    return sqrt(-2 * (k * 0x1.62e42fefa39efp-1 + 2 * s * series) * (both * (m + 1)));
}

NPB_CLONES static void advance(struct lanes *restrict l, uint64_t jump, long steps)
{
    for (long i = 0; i < steps; i++)
        for (int j = 0; j < LANES; j++) {
            const uint64_t first = npb_random_times(NPB_RANDOM_A, l->state[j]);
            const uint64_t second = npb_random_times(NPB_RANDOM_A, first);
            const double x = 2 * fraction(first) - 1, y = 2 * fraction(second) - 1, t = x * x + y * y;
            const bool in = t <= 1;
            const double f = polar(in ? t : 1);
            const double gx = in ? x * f : 0, gy = in ? y * f : 0;
            const double ax = fabs(gx), ay = fabs(gy);
            const uint64_t ring = (uint64_t)(int)(ax > ay ? ax : ay);

            l->state[j] = npb_random_times(jump, l->state[j]);
            l->sx[j] += gx;
            l->sy[j] += gy;
            l->rings[j] += (uint64_t)in << RING_BITS * ring;
        }
}

static void empty(struct lanes *l)
{
    for (int j = 0; j < LANES; j++)
        for (int r = 0; r < RINGS; r++)
            sums[2 + r] += (double)(l->rings[j] >> RING_BITS * r & ((1 << RING_BITS) - 1));
    memset(l->rings, 0, sizeof l->rings);
}

static void run(void)
{
    static struct lanes l __attribute__((aligned(64)));
    const uint64_t jump = npb_random_power(2 * LANES);
    long from, rows = npb_part((1l << classes[cls].log2_pairs) / LANES, bench_job.npes, bench_job.me, &from);

    memset(&l, 0, sizeof l);
    memset(sums, 0, sizeof sums);
    for (int j = 0; j < LANES; j++)
        l.state[j] = npb_random_skip(SEED, 2 * (uint64_t)(from * LANES + j));
    for (; rows > 0; rows -= STEPS) {
        advance(&l, jump, rows < STEPS ? rows : STEPS);
        empty(&l);
    }
    for (int j = 0; j < LANES; j++) {
        sums[0] += l.sx[j];
        sums[1] += l.sy[j];
    }
    npb_sum(sums, 2 + RINGS);
}

static void setup(enum npb_class c)
{
    cls = c;
}

/* Of the pairs, pi / 4 are in the circle; a count off by six standard deviations isn't theirs. */
static bool verify(void)
{
    const double pairs = exp2(classes[cls].log2_pairs), part = 0.78539816339744831;
    double in = 0;

    for (int r = 0; r < RINGS; r++)
        in += sums[2 + r];
    return npb_same("sum of x", sums[0], classes[cls].sx, 1e-8) &&
           npb_same("sum of y", sums[1], classes[cls].sy, 1e-8) &&
           npb_same("number of deviates", in, pairs * part, 6 * sqrt((1 - part) / (pairs * part)));
}

static double operations(enum npb_class c)
{
    return exp2(classes[c].log2_pairs + 1);
}

int main(int argc, char **argv)
{
    static const struct npb_kernel ep = {
        .name = "EP",
        .purpose = "NAS parallel benchmark EP: Gaussian deviates, almost no communication",
        .quick = NPB_W,
        .usual = NPB_A,
        .setup = setup,
        .run = run,
        .verify = verify,
        .operations = operations,
    };

    return npb_main(argc, argv, &ep);
}
