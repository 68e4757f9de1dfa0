/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BT's block tridiagonal systems, eight lines at a time.
 */
#ifndef NPB_BT_LINES_H
#define NPB_BT_LINES_H

#include "common/turn.h"

struct bt_scheme {
    double t1, t2; /* dt / h^2, dt / 2h */
};

/* Where eight lines are: quantity m of point k at k * step + m * lanes, of u only the energy. Aligned to vectors. */
struct bt_lines {
    const double *extra, *energy;
    double *rhs;
    long extra_step, extra_lanes, energy_step, rhs_step, rhs_lanes;
    int direction; /* 1 x, 2 y, 3 z */
    double diffusion;
};

/* What is left of a point's equations: unknowns + matrix times the next point's = rest. */
struct bt_point {
    npb_vector matrix[5][5], rest[5];
};

/* Eliminates points from … to - 1, whose matrices go to `matrices`; *last has the point before and gets the last one.
 */
void bt_lines_eliminate(const struct bt_lines *l, const struct bt_scheme *s, int from, int to,
                        npb_vector (*matrices)[5][5], struct bt_point *last);
/* next[] has the solution after point to - 1 and gets that of point `from`. */
void bt_lines_substitute(const struct bt_lines *l, int from, int to, npb_vector (*matrices)[5][5], npb_vector next[5]);

#endif
