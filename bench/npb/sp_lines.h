/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SP's scalar pentadiagonal systems, eight lines at a time: three for each line, of waves that move with the flow, with
 * the sound and against it.
 */
#ifndef NPB_SP_LINES_H
#define NPB_SP_LINES_H

#include "common/turn.h"

#define SP_SYSTEMS 3

struct sp_scheme {
    int n;
    double t1, t2, dissipation; /* dt / h^2, dt / 2h, dt times the coefficient of the fourth differences */
};

/* Where eight lines are: point k's value is k * its step further, quantity m of rhs m * lanes beside. */
struct sp_lines {
    const double *inverse, *velocity, *sound; /* 1 / density, the velocity along the line, the speed of sound */
    double *rhs;
    long step, sound_step, rhs_step, rhs_lanes;
    double diffusion;
};

/* What is left of a point's equations: unknown + next times the next point's + second times the one after that = rest.
 */
struct sp_factors {
    npb_vector next[SP_SYSTEMS], second[SP_SYSTEMS];
};

struct sp_point {
    struct sp_factors factors;
    npb_vector rest[5];
};

/* Eliminates points from … to - 1; last[] has the two points before, the nearer one first, and gets the last two. */
void sp_lines_eliminate(const struct sp_lines *l, const struct sp_scheme *s, int from, int to,
                        struct sp_factors *factors, struct sp_point last[2]);
/* next[] has the solution at the two points from `to` on and gets that at the two from `from` on. */
void sp_lines_substitute(const struct sp_lines *l, int from, int to, const struct sp_factors *factors,
                         npb_vector next[2][5]);

#endif
