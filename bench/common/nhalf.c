/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The searches of nhalf.h. The rate isn't quite monotone (caches, noise); each step asks about one size and believes its
 * median, so the answer is a size at which half the rate was seen, with a size just below at which it wasn't.
 */
#include "nhalf.h"

void bench_rmax(bench_rate *rate, void *arg, long max_words, long step, struct bench_nhalf *out)
{
    *out = (struct bench_nhalf){0};
    for (long w = 1; w <= max_words; w *= step) {
        const double r = rate(arg, w);

        if (r <= out->r_inf)
            continue;
        out->r_inf = r;
        out->r_inf_words = w;
    }
}

void bench_nhalf(bench_rate *rate, void *arg, long max_words, struct bench_nhalf *out)
{
    const double half = out->r_inf / 2;
    long low = 0, high = 1;
    double r;

    while ((r = rate(arg, high)) < half && high < max_words) {
        low = high;
        high *= 2;
    }
    out->rate = r;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;

        r = rate(arg, middle);
        if (r < half) {
            low = middle;
        } else {
            high = middle;
            out->rate = r;
        }
    }
    out->words = high;
}

static int steps(long max_words, long step)
{
    int n = 0;

    for (long w = 1; w <= max_words; w *= step)
        n++;
    return n;
}

int bench_rmax_cases(long max_words, long step)
{
    return steps(max_words, step);
}

int bench_nhalf_cases(long max_words)
{
    return 2 * steps(max_words, 2);
}
