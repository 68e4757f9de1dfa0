/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU's two triangular systems, row by row. A row's points (fixed x and y + z) depend only on those of other rows.
 */
#ifndef NPB_LU_SWEEP_H
#define NPB_LU_SWEEP_H

struct cfd;

struct lu_scheme {
    double dt, omega;
    double t1, t2; /* 1 / h^2, 1 / 2h */
};

/* v := D^-1 (v - omega (sum of the lower blocks times v before, in x, y and z)) for a row of so many points. */
void lu_sweep_lower(const struct cfd *c, const struct lu_scheme *s, long at, long count);
/* v -= D^-1 omega (sum of the upper blocks times v after). */
void lu_sweep_upper(const struct cfd *c, const struct lu_scheme *s, long at, long count);
#endif
