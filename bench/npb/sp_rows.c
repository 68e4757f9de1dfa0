/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The eigenvectors of the fluxes' Jacobians, scaled so that they are of length one where they can be.
 */
#include "sp_rows.h"

#include "common/clones.h"

#define ROOT_HALF 0.70710678118654752440

NPB_CLONES static void sound_row(const double *restrict u, const double *restrict e, long lanes, double *restrict sound,
                                 long count)
{
    for (long i = 0; i < count; i++)
        sound[i] = sqrt(CFD_C1 * CFD_C2 * e[i] * (u[4 * lanes + i] - e[CFD_ENERGY * lanes + i] * u[i]));
}

void sp_rows_sound(const struct cfd *c, long at, double *sound, long count)
{
    sound_row(c->u + at, c->extra + at, c->lanes, sound, count);
}

NPB_CLONES static void begin_row(const double *restrict e, const double *restrict sound, double *restrict r, long n,
                                 long count)
{
    for (long i = 0; i < count; i++) {
        const double inverse = e[i], x = e[n + i], y = e[2 * n + i], z = e[3 * n + i], q = e[4 * n + i], c = sound[i];
        const double r1 = r[i], r2 = r[n + i], r3 = r[2 * n + i], r4 = r[3 * n + i], r5 = r[4 * n + i];
        const double pressure = CFD_C2 / (c * c) * (q * r1 - x * r2 - y * r3 - z * r4 + r5);
        const double moved = ROOT_HALF * inverse * (x * r1 - r2), pressed = ROOT_HALF * inverse * c * pressure;

        r[i] = r1 - pressure;
        r[n + i] = -inverse * (z * r1 - r4);
        r[2 * n + i] = inverse * (y * r1 - r3);
        r[3 * n + i] = pressed - moved;
        r[4 * n + i] = pressed + moved;
    }
}

void sp_rows_begin(const struct cfd *c, long at, const double *sound, long count)
{
    begin_row(c->extra + at, sound, c->rhs + at, c->lanes, count);
}

NPB_CLONES static void x_to_y_row(double *restrict r, long n, long count)
{
    for (long i = 0; i < count; i++) {
        const double r1 = r[i], r2 = r[n + i], r3 = r[2 * n + i], r4 = r[3 * n + i], r5 = r[4 * n + i];
        const double across = ROOT_HALF * r3, mean = 0.5 * (r4 + r5);

        r[i] = -r2;
        r[n + i] = r1;
        r[2 * n + i] = ROOT_HALF * (r4 - r5);
        r[3 * n + i] = mean - across;
        r[4 * n + i] = mean + across;
    }
}

void sp_rows_x_to_y(const struct cfd *c, long at, long count)
{
    x_to_y_row(c->rhs + at, c->lanes, count);
}

NPB_CLONES static void y_to_z_row(double *restrict r, long n, long count)
{
    for (long i = 0; i < count; i++) {
        const double r1 = r[i], r2 = r[n + i], r3 = r[2 * n + i], r4 = r[3 * n + i], r5 = r[4 * n + i];
        const double across = ROOT_HALF * r1, mean = 0.5 * (r4 + r5);

        r[i] = ROOT_HALF * (r4 - r5);
        r[n + i] = -r3;
        r[2 * n + i] = r2;
        r[3 * n + i] = mean - across;
        r[4 * n + i] = mean + across;
    }
}

void sp_rows_y_to_z(const struct cfd *c, long at, long count)
{
    y_to_z_row(c->rhs + at, c->lanes, count);
}

NPB_CLONES static void end_row(double *restrict u, const double *restrict e, const double *restrict sound,
                               const double *restrict r, long n, long count)
{
    for (long i = 0; i < count; i++) {
        const double x = e[n + i], y = e[2 * n + i], z = e[3 * n + i], q = e[4 * n + i], c = sound[i], density = u[i];
        const double r1 = r[i], r2 = r[n + i], r3 = r[2 * n + i], r4 = r[3 * n + i], r5 = r[4 * n + i];
        const double pressed = ROOT_HALF * density / c * (r4 + r5), moved = ROOT_HALF * density * (r4 - r5);
        const double mass = r3 + pressed;

        u[i] = density + mass;
        u[n + i] += x * mass - density * r2;
        u[2 * n + i] += y * mass + density * r1;
        u[3 * n + i] += z * mass + moved;
        u[4 * n + i] += density * (y * r1 - x * r2) + q * mass + c * c / CFD_C2 * pressed + z * moved;
    }
}

void sp_rows_end(const struct cfd *c, long at, const double *sound, long count)
{
    end_row(c->u + at, c->extra + at, sound, c->rhs + at, c->lanes, count);
}
