/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Hockney's line through measured times, t(n) = t0 + n / r_inf, as ParkBench's COMMS1 gives it: start-up, asymptotic
 * rate, and the n_half = t0 r_inf at which half of that rate is reached.
 */
#ifndef BENCH_FIT_H
#define BENCH_FIT_H

#include <stddef.h>

struct bench_point {
    double bytes, us; /* a message's size, and its time one way */
};

struct bench_line {
    double t0;     /* us; may come out negative */
    double r_inf;  /* MB/s */
    double n_half; /* bytes */
};

/* PLAIN: least squares, ParkBench's own, ruled by the longest messages. RELATIVE: each point's error as part of its
 * time. */
enum bench_weights { BENCH_PLAIN, BENCH_RELATIVE };
/* All NAN when the points make no line: fewer than two sizes, or times that don't grow. */
struct bench_line bench_fit(const struct bench_point *points, size_t n, enum bench_weights weights);

/* Two lines, one for the first `split` points and one for the rest, as where a library changes its protocol. */
struct bench_pieces {
    size_t split; /* 0: one line says as much (by Schwarz's criterion), and is `low` */
    struct bench_line low, high;
};
/* Points in the order of their sizes; relative errors. A piece has at least three points. */
struct bench_pieces bench_fit_pieces(const struct bench_point *points, size_t n);

#endif
