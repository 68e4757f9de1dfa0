/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least squares of fit.h. Sums are taken about the weighted mean, as sizes go from 0 to millions and the plain
 * formula would lose the start-up in the rounding.
 */
#include "fit.h"

#include <math.h>

static double weight(const struct bench_point *p, enum bench_weights weights)
{
    return weights == BENCH_RELATIVE ? 1 / (p->us * p->us) : 1;
}

struct bench_line bench_fit(const struct bench_point *points, size_t n, enum bench_weights weights)
{
    const struct bench_line none = {NAN, NAN, NAN};
    struct bench_line line;
    double sum = 0, x = 0, y = 0, xx = 0, xy = 0;

    for (size_t i = 0; i < n; i++) {
        const double w = weight(&points[i], weights);

        sum += w;
        x += w * points[i].bytes;
        y += w * points[i].us;
    }
    if (!(sum > 0))
        return none;
    x /= sum;
    y /= sum;
    for (size_t i = 0; i < n; i++) {
        const double w = weight(&points[i], weights), dx = points[i].bytes - x;

        xx += w * dx * dx;
        xy += w * dx * (points[i].us - y);
    }
    if (!(xx > 0 && xy > 0))
        return none;
    line.r_inf = xx / xy; /* bytes a microsecond are MB/s */
    line.t0 = y - x / line.r_inf;
    line.n_half = line.t0 * line.r_inf;
    return line;
}

#define LEAST_PIECE 3
#define CLOCK_ERROR 1e-3 /* no fit is believed to be better than this share of the time */

/* Sum of the squares of relative errors. */
static double misfit(const struct bench_point *points, size_t n, const struct bench_line *line)
{
    double sum = 0;

    for (size_t i = 0; i < n; i++) {
        const double error = (line->t0 + points[i].bytes / line->r_inf - points[i].us) / points[i].us;

        sum += error * error;
    }
    return sum + (double)n * CLOCK_ERROR * CLOCK_ERROR;
}

static double schwarz(double sum, size_t n, int parameters)
{
    return (double)n * log(sum / (double)n) + parameters * log((double)n);
}

struct bench_pieces bench_fit_pieces(const struct bench_point *points, size_t n)
{
    struct bench_pieces best = {0, bench_fit(points, n, BENCH_RELATIVE), {NAN, NAN, NAN}};
    double least;

    if (!isfinite(best.low.r_inf))
        return best;
    least = schwarz(misfit(points, n, &best.low), n, 2);
    for (size_t split = LEAST_PIECE; split + LEAST_PIECE <= n; split++) {
        const struct bench_line low = bench_fit(points, split, BENCH_RELATIVE);
        const struct bench_line high = bench_fit(points + split, n - split, BENCH_RELATIVE);
        double now;

        if (!isfinite(low.r_inf) || !isfinite(high.r_inf))
            continue;
        now = schwarz(misfit(points, split, &low) + misfit(points + split, n - split, &high), n, 5);
        if (now < least) {
            least = now;
            best = (struct bench_pieces){split, low, high};
        }
    }
    return best;
}
