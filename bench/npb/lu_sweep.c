/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The blocks are never made: a product with the Jacobian of a flux is the flux's differential, which takes fewer
 * operations; and the diagonal block has but its diagonal, its first column and its last row.
 */
#include "lu_sweep.h"

#include "cfd.h"
#include "common/clones.h"

/* c1 c3 c4 c5, and what the energy's viscous term has along the direction and across it. */
#define C1345 (CFD_C1C5 * CFD_C34)
#define ALONG (4.0 / 3 * CFD_C34 - C1345)
#define ACROSS (CFD_C34 - C1345)

struct arrays {
    const double *u, *e;
    double *v;
    long lanes;
};

/*
 * sum += (sign t2 F' - t1 N' - t1 d) v of point i, in direction `dir`: F the convective flux, N the viscous one, d the
 * diffusion.
 */
NPB_INLINE void add_block(double sum[5], const struct arrays *a, long i, int dir, double sign_t2, double t1, double d)
{
    const long lanes = a->lanes;
    const double *const u = a->u + i, *const e = a->e + i, *const v = a->v + i;
    const double inverse = e[0], q = e[CFD_ENERGY * lanes], along = e[dir * lanes], v1 = v[0], v5 = v[4 * lanes];
    const double x = e[lanes], y = e[2 * lanes], z = e[3 * lanes];
    const double vx = v[lanes], vy = v[2 * lanes], vz = v[3 * lanes];
    const double energy = u[4 * lanes] * inverse; /* per mass */
    const double enthalpy = CFD_C1 * energy - CFD_C2 * q;
    const double pressure = CFD_C2 * (v5 - x * vx - y * vy - z * vz + q * v1);
    const double mass = dir == 1 ? vx : dir == 2 ? vy : vz; /* change of the mass flux */
    const double rest = mass - along * v1;
    const double dx = vx - x * v1, dy = vy - y * v1, dz = vz - z * v1; /* density times the velocity's change */
    const double third = 1.0 / 3 * CFD_C34 * inverse * t1;
    const double shear = CFD_C34 * inverse * t1, ease = d * t1;
    const double viscous =
        ((ACROSS * (x * dx + y * dy + z * dz) + (ALONG - ACROSS) * along * rest) + C1345 * (v5 - energy * v1)) *
        (inverse * t1);

    sum[0] += sign_t2 * mass - ease * v1;
    sum[1] += sign_t2 * (along * vx + x * rest) - shear * dx - ease * vx;
    sum[2] += sign_t2 * (along * vy + y * rest) - shear * dy - ease * vy;
    sum[3] += sign_t2 * (along * vz + z * rest) - shear * dz - ease * vz;
    sum[dir] += sign_t2 * pressure - third * rest;
    sum[4] += sign_t2 * (along * (v5 + pressure) + enthalpy * rest) - viscous - ease * v5;
}

/* b := D^-1 b for point i: D = 1 + 2 dt t1 (sum over the directions of N' + d). */
NPB_INLINE void solve_diagonal(double b[5], const struct arrays *a, long i, double twice)
{
    const double spread = 0.75 + 0.75 + 1; /* the diffusion of the three directions */
    const double inverse = a->e[i], energy = a->u[i + 4 * a->lanes] * inverse;
    const double *const e = a->e + i;
    const double x = e[a->lanes], y = e[2 * a->lanes], z = e[3 * a->lanes];
    const double base = 1 + twice * spread, f = twice * inverse;
    /* Each velocity is along one direction and across two. */
    const double momentum = f * CFD_C34 * (4.0 / 3 + 2), heat = f * (ALONG + 2 * ACROSS), conduct = f * 3 * C1345;
    const double v1 = b[0] / base;
    const double of_momentum = 1 / (base + momentum);
    const double v2 = (b[1] + momentum * x * v1) * of_momentum, v3 = (b[2] + momentum * y * v1) * of_momentum,
                 v4 = (b[3] + momentum * z * v1) * of_momentum;

    b[0] = v1;
    b[1] = v2;
    b[2] = v3;
    b[3] = v4;
    b[4] = (b[4] - heat * (x * (v2 - x * v1) + y * (v3 - y * v1) + z * (v4 - z * v1)) + conduct * energy * v1) /
           (base + conduct);
}

NPB_CLONES void lu_sweep_lower(const struct cfd *c, const struct lu_scheme *s, long at, long count)
{
    const struct arrays a = {c->u + at, c->extra + at, c->rhs + at, c->lanes};
    const long x = c->step[0], y = c->step[1], z = c->step[2];
    const double factor = s->omega * s->dt, t1 = factor * s->t1, t2 = factor * s->t2, twice = 2 * s->dt * s->t1;

    NPB_INDEPENDENT
    for (long i = 0; i < count; i++) {
        double sum[5] = {0};

        add_block(sum, &a, i - z, 3, -t2, t1, 1);
        add_block(sum, &a, i - y, 2, -t2, t1, 0.75);
        add_block(sum, &a, i - x, 1, -t2, t1, 0.75);
        for (int m = 0; m < 5; m++)
            sum[m] = a.v[i + m * a.lanes] - sum[m];
        solve_diagonal(sum, &a, i, twice);
        for (int m = 0; m < 5; m++)
            a.v[i + m * a.lanes] = sum[m];
    }
}

NPB_CLONES void lu_sweep_upper(const struct cfd *c, const struct lu_scheme *s, long at, long count)
{
    const struct arrays a = {c->u + at, c->extra + at, c->rhs + at, c->lanes};
    const long x = c->step[0], y = c->step[1], z = c->step[2];
    const double factor = s->omega * s->dt, t1 = factor * s->t1, t2 = factor * s->t2, twice = 2 * s->dt * s->t1;

    NPB_INDEPENDENT
    for (long i = 0; i < count; i++) {
        double sum[5] = {0};

        add_block(sum, &a, i + z, 3, t2, t1, 1);
        add_block(sum, &a, i + y, 2, t2, t1, 0.75);
        add_block(sum, &a, i + x, 1, t2, t1, 0.75);
        solve_diagonal(sum, &a, i, twice);
        for (int m = 0; m < 5; m++)
            a.v[i + m * a.lanes] -= sum[m];
    }
}
