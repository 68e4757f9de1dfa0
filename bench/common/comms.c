/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The tests of comms.h. Three fits: plain least squares, as ParkBench; with each size's error as part of its time, else
 * the longest messages alone rule; and in two pieces where that says more, as libraries change their protocol
 * somewhere.
 */
#include "comms.h"

#include "fit.h"

#define MAX_SIZES 32
#define HALVINGS 6 /* of the interval that half the rate lies in */

int bench_comms_cases(void)
{
    int n = 1 + HALVINGS;

    for (size_t bytes = 8; bytes; bytes = bench_next_size(bytes, BENCH_COMMS_LARGEST))
        n++;
    return n;
}

static void line(const struct bench_comms *c, const char *fit, int piece, const struct bench_line *l, bool right)
{
    struct bench_params p = *c->params;

    if (!isfinite(l->r_inf))
        return;
    bench_param_text(&p, "fit", fit);
    if (piece)
        bench_param_integer(&p, "piece", piece);
    bench_report_value(c->test, &p, "startup_zero_length", "us", l->t0, right);
    bench_report_value(c->test, &p, "bandwidth", "MB/s", l->r_inf, right);
    bench_report_value(c->test, &p, "n_half_bytes", "bytes", l->n_half, right);
    if (l->t0 > 0)
        bench_report_value(c->test, &p, "specific_performance", "1/us", 1 / l->t0, right);
}

static void fits(const struct bench_comms *c, const struct bench_point *points, int n, bool right)
{
    const struct bench_line plain = bench_fit(points, (size_t)n, BENCH_PLAIN);
    const struct bench_line relative = bench_fit(points, (size_t)n, BENCH_RELATIVE);
    const struct bench_pieces pieces = bench_fit_pieces(points, (size_t)n);
    struct bench_params p = *c->params;

    line(c, "plain", 0, &plain, right);
    line(c, "relative", 0, &relative, right);
    if (pieces.split == 0)
        return;
    line(c, "pieces", 1, &pieces.low, right);
    line(c, "pieces", 2, &pieces.high, right);
    bench_param_text(&p, "fit", "pieces");
    bench_report_value(c->test, &p, "breakpoint", "bytes", points[pieces.split].bytes, right);
}

/* The shortest message that reaches half the rate, by halving the interval between two sizes of the sweep. */
static double half_rate(const struct bench_comms *c, const struct bench_point *points, int n, double best, bool *right)
{
    double low, high;
    int first = 1;

    while (first < n - 1 && points[first].bytes / points[first].us < best / 2)
        first++;
    low = points[first - 1].bytes;
    high = points[first].bytes;
    for (int i = 0; i < HALVINGS && high - low > 8; i++) {
        const long bytes = (long)((low + high) / 16) * 8;

        *((double)bytes / c->one_way(c->arg, bytes, right) < best / 2 ? &low : &high) = (double)bytes;
    }
    return high;
}

void bench_comms(const struct bench_comms *c)
{
    struct bench_point points[MAX_SIZES];
    struct bench_params p = *c->params;
    double best = 0, half;
    bool right = true;
    int n = 1;

    points[0] = (struct bench_point){0, c->one_way(c->arg, 0, &right)};
    for (size_t bytes = 8; bytes; bytes = bench_next_size(bytes, BENCH_COMMS_LARGEST), n++) {
        points[n] = (struct bench_point){(double)bytes, c->one_way(c->arg, (long)bytes, &right)};
        if (points[n].bytes / points[n].us > best)
            best = points[n].bytes / points[n].us;
    }
    half = half_rate(c, points, n, best, &right);
    fits(c, points, n, right);
    bench_param_text(&p, "fit", "none");
    bench_report_value(c->test, &p, "startup_zero_length", "us", points[0].us, right);
    bench_report_value(c->test, &p, "bandwidth", "MB/s", best, right);
    bench_report_value(c->test, &p, "n_half_bytes", "bytes", half, right);
}
