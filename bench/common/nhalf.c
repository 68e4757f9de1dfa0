/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The searches of nhalf.h. The rate isn't quite monotone (caches, noise); each step asks about one size and believes
 * its median, so the answer is a size at which half the rate was seen, with a size just below at which it wasn't.
 */
#include "nhalf.h"

/* A rate above all before it is the new r_inf, whichever search asked for it. */
static double ask(bench_rate *rate, void *arg, long words, struct bench_nhalf *out)
{
    const double r = rate(arg, words);

    if (r > out->r_inf) {
        out->r_inf = r;
        out->r_inf_words = words;
    }
    return r;
}

void bench_rmax(bench_rate *rate, void *arg, long max_words, long step, struct bench_nhalf *out)
{
    *out = (struct bench_nhalf){0};
    for (long w = 1; w <= max_words; w *= step)
        ask(rate, arg, w, out);
}

/*
 * r_inf may rise on the way. Then the size asked about is above the new half, and all that were below the old one are
 * below the new one: `low` and `high` stay on their sides.
 */
void bench_nhalf(bench_rate *rate, void *arg, long max_words, struct bench_nhalf *out)
{
    long low = 0, high = 1;
    double r;

    while ((r = ask(rate, arg, high, out)) < out->r_inf / 2 && high < max_words) {
        low = high;
        high *= 2;
    }
    out->rate = r;
    while (high - low > 1) {
        const long middle = low + (high - low) / 2;

        r = ask(rate, arg, middle, out);
        if (r < out->r_inf / 2) {
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
