/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Series of samples and their order statistics. Times on a shared machine have a long upper tail,
 * so what is said of a series are ranks. The mean is there to be read beside them: it tells how much the run as a
 * whole suffered from what the median doesn't see.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

void bench_series_clear(struct bench_series *s)
{
    s->n = 0;
    s->rates = false;
}

void bench_series_add(struct bench_series *s, double value)
{
    if (s->n < BENCH_MAX_SAMPLES)
        s->v[s->n++] = value;
}

void bench_series_append(struct bench_series *to, const struct bench_series *from)
{
    to->rates = from->rates;
    for (size_t i = 0; i < from->n; i++)
        bench_series_add(to, from->v[i]);
}

void bench_series_scale(struct bench_series *to, const struct bench_series *from, double factor)
{
    to->n = from->n;
    to->rates = from->rates;
    for (size_t i = 0; i < from->n; i++)
        to->v[i] = from->v[i] * factor;
}

void bench_series_invert(struct bench_series *to, const struct bench_series *from, double factor)
{
    to->n = from->n;
    to->rates = !from->rates;
    for (size_t i = 0; i < from->n; i++)
        to->v[i] = factor / from->v[i];
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Linear interpolation between the closest ranks. */
static double quantile(const double *sorted, size_t n, double q)
{
    const double at = q * (double)(n - 1);
    const size_t i = (size_t)at;

    if (i + 1 >= n)
        return sorted[n - 1];
    return sorted[i] + (at - (double)i) * (sorted[i + 1] - sorted[i]);
}

/*
 * Largest k for which [sorted[k], sorted[n-1-k]] holds the median with at least 95 %: the number of samples
 * below the median is binomial(n, 1/2). Below six samples no interval reaches 95 %: the whole range.
 */
static size_t median_rank(size_t n)
{
    double term = 1, below = 0;

    if (n > 1000) {
        const double k = floor(0.5 * (double)n - 0.98 * sqrt((double)n));

        return k > 0 ? (size_t)k : 0;
    }
    for (size_t i = 0; i < n; i++)
        term *= 0.5;
    for (size_t k = 0; k < n / 2; k++) {
        below += term;
        if (below > 0.025)
            return k > 0 ? k - 1 : 0;
        term *= (double)(n - k) / (double)(k + 1);
    }
    return 0;
}

/* Batches are equally long, so the mean of the times is the time of the whole. */
static double mean_of(const struct bench_series *s)
{
    double sum = 0;

    for (size_t i = 0; i < s->n; i++)
        sum += s->rates ? 1 / s->v[i] : s->v[i];
    return s->rates ? (double)s->n / sum : sum / (double)s->n;
}

struct bench_stats bench_stats(const struct bench_series *s)
{
    static double sorted[BENCH_MAX_SAMPLES];
    struct bench_stats r = {.n = s->n};
    size_t k;

    if (s->n == 0) {
        r.min = r.p25 = r.median = r.p75 = r.p95 = r.max = r.mean = r.ci_low = r.ci_high = NAN;
        return r;
    }
    memcpy(sorted, s->v, s->n * sizeof *sorted);
    qsort(sorted, s->n, sizeof *sorted, ascending);
    k = median_rank(s->n);
    r.min = sorted[0];
    r.p25 = quantile(sorted, s->n, 0.25);
    r.median = quantile(sorted, s->n, 0.5);
    r.p75 = quantile(sorted, s->n, 0.75);
    r.p95 = quantile(sorted, s->n, 0.95);
    r.max = sorted[s->n - 1];
    r.mean = mean_of(s);
    r.ci_low = sorted[k];
    r.ci_high = sorted[s->n - 1 - k];
    return r;
}
