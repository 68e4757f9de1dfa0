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
