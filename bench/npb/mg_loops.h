/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG's work on one plane of rows of n points. Points wrap around, and rows do where the plane is whole; the planes
 * beside it are given.
 */
#ifndef NPB_MG_LOOPS_H
#define NPB_MG_LOOPS_H

#include <stdbool.h>

#define MG_LONGEST 512 /* points of a row */

/* Weights of the 27 points by distance: same point, faces, edges, corners. */
struct mg_stencil {
    double c[4];
};

/* Three planes that follow each other, each with `rows` rows of n points, `row` words apart. They wrap around, or there
 * are rows -1 and `rows`, too. */
struct mg_planes {
    const double *below, *at, *above;
    long n, rows, row;
    bool wraps;
};

/* Rows `from` to `to` - 1 of a plane; row 0 lies at row `at` / 2 of the coarse planes. */
struct mg_rows {
    long from, to, at, row;
};

/* r := v - S u, where S has no weight for faces. r may be v. */
void mg_loops_residual(double *r, const double *v, const struct mg_planes *u, const struct mg_stencil *s);
/* u += S r, where S has no weight for corners. */
void mg_loops_smooth(double *u, const struct mg_planes *r, const struct mg_stencil *s);
/* A coarse plane, half of the fine one's rows: each point from the fine one it lies on, 2 c + 1, and the 26 around it,
 * half the weight for each direction they are off in. */
void mg_loops_restrict(double *coarse, long coarse_row, const struct mg_planes *fine);
/* fine += the coarse points between which the fine ones lie; c->below and c->at are the coarse planes around the fine
 * one, the same twice where it lies on a coarse one. n is that of the coarse plane. */
void mg_loops_prolong(double *fine, const struct mg_rows *rows, const struct mg_planes *c);
double mg_loops_squares(const double *r, long n, long rows, long row);

#endif
