/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The right-hand side, direction by direction along a row's lanes: fluxes by central differences, viscous terms by
 * second ones, fourth-order dissipation, whose weights change beside the boundary.
 */
#include "cfd.h"
#include "common/clones.h"

#include <string.h>

#define TABLE (2 * CFD_MOST)

/* Weights by distance -2 … 2 and coordinate; beyond the grid they are 0 and what they weigh must only be finite. */
static struct {
    int n;
    double rising[CFD_WEIGHTS][TABLE], falling[CFD_WEIGHTS][TABLE]; /* of coordinate i, of n - 1 - i */
    double fixed[5][CFD_WEIGHTS][TABLE]; /* the same coordinate in all lanes: 1, 2, inside, n - 3, n - 2 */
} tables;

void cfd_weights(int i, int n, double w[CFD_WEIGHTS])
{
    static const double inside[CFD_WEIGHTS] = {1, -4, 6, -4, 1};

    memcpy(w, inside, sizeof inside);
    if (i == 1 || i == 2)
        w[0] = 0;
    if (i == n - 2 || i == n - 3)
        w[4] = 0;
    if (i == 1 || i == n - 2) {
        w[2] = 5;
        w[i == 1 ? 1 : 3] = 0;
    }
}

static void make_tables(int n)
{
    const int places[5] = {1, 2, 3, n - 3, n - 2};

    tables.n = n;
    for (int i = 0; i < n; i++) {
        double w[CFD_WEIGHTS];

        cfd_weights(i, n, w);
        for (int o = 0; o < CFD_WEIGHTS; o++)
            tables.rising[o][i] = tables.falling[o][n - 1 - i] = w[o];
        for (int p = 0; p < 5; p++) {
            cfd_weights(places[p], n, w);
            for (int o = 0; o < CFD_WEIGHTS; o++)
                tables.fixed[p][o][i] = w[o];
        }
    }
}

/* For coordinate `first` of lane 0, which rises, falls or stays by `slope` a lane. */
static void pick_weights(int n, int first, int slope, const double *w[CFD_WEIGHTS])
{
    const int place = first == 1 ? 0 : first == 2 ? 1 : first == n - 3 ? 3 : first == n - 2 ? 4 : 2;

    for (int o = 0; o < CFD_WEIGHTS; o++)
        w[o] = slope == 0   ? tables.fixed[place][o]
               : slope > 0 ? &tables.rising[o][first]
                           : &tables.falling[o][n - 1 - first];
}

NPB_CLONES static void extras_row(const double *restrict u, double *restrict e, long lanes, long count)
{
    for (long i = 0; i < count; i++) {
        const double inverse = 1 / u[i];
        const double x = u[lanes + i] * inverse, y = u[2 * lanes + i] * inverse, z = u[3 * lanes + i] * inverse;

        e[i] = inverse;
        e[lanes + i] = x;
        e[2 * lanes + i] = y;
        e[3 * lanes + i] = z;
        e[4 * lanes + i] = 0.5 * (x * x + y * y + z * z);
    }
}

/* Rows with their boundary: a skewed one has points (y, row - y) for 0 <= y < n only. */
void cfd_extras(struct cfd *c)
{
    for (int slab = c->from - 1; slab <= c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const int low = c->layout == CFD_SKEWED && row >= c->n ? row - c->n + 1 : 0;
            const int high = c->layout == CFD_SKEWED && row < c->n ? row : c->n - 1;
            const long at = slab * c->slab + row * 5 * c->lanes + low;

            extras_row(c->u + at, c->extra + at, c->lanes, high - low + 1);
        }
}

/* t1 = 1 / h^2, t2 = 1 / 2h, diffusion in one direction. */
struct scales {
    double t1, t2, d;
};

/* What one direction adds: `v` is the number of its velocity, s the words to the next point. */
NPB_INLINE void direction(const double *restrict u, const double *restrict e, double *restrict r, long lanes, long count,
                          long s, int v, const struct scales *k, const double *const *w)
{
    const double diffuse = k->d * k->t1, viscous = CFD_C34 * k->t1, t2 = k->t2;
    const double heat = viscous * (1 - CFD_C1C5), along = viscous / 6, conduct = viscous * CFD_C1C5;
    const double *const e0 = e, *const vel = e + v * lanes, *const q = e + CFD_ENERGY * lanes;
    const double *const u5 = u + 4 * lanes; /* total energy */

    NPB_INDEPENDENT
    for (long i = 0; i < count; i++) {
        const double w0 = w[0][i], w1 = w[1][i], w2 = w[2][i], w3 = w[3][i], w4 = w[4][i];
        const double up = vel[i + s], down = vel[i - s], here = vel[i];
        const double square_up = q[i + s] * u[i + s], square_down = q[i - s] * u[i - s];
        double change[5];

        change[0] = -t2 * (u[i + v * lanes + s] - u[i + v * lanes - s]);
        for (int m = 1; m < 4; m++) {
            const double *const um = u + m * lanes, *const em = e + m * lanes;

            change[m] = (m == v ? 4.0 / 3 : 1) * viscous * (em[i + s] - 2 * em[i] + em[i - s]) -
                        t2 * (um[i + s] * up - um[i - s] * down);
        }
        change[v] -= t2 * CFD_C2 * (u5[i + s] - square_up - u5[i - s] + square_down);
        change[4] = heat * (q[i + s] - 2 * q[i] + q[i - s]) + along * (up * up - 2 * here * here + down * down) +
                    conduct * (u5[i + s] * e0[i + s] - 2 * u5[i] * e0[i] + u5[i - s] * e0[i - s]) -
                    t2 * ((CFD_C1 * u5[i + s] - CFD_C2 * square_up) * up -
                          (CFD_C1 * u5[i - s] - CFD_C2 * square_down) * down);
        for (int m = 0; m < 5; m++) {
            const double *const um = u + m * lanes + i;

            r[m * lanes + i] += change[m] + diffuse * (um[s] - 2 * um[0] + um[-s]) -
                                CFD_DISSIPATION *
                                    (w0 * um[-2 * s] + w1 * um[-s] + w2 * um[0] + w3 * um[s] + w4 * um[2 * s]);
        }
    }
}

NPB_CLONES static void row_rhs(const double *u, const double *e, double *r, long lanes, long count, const long step[3],
                               const struct scales k[3], const double *const w[3][CFD_WEIGHTS])
{
    direction(u, e, r, lanes, count, step[0], 1, &k[0], w[0]);
    direction(u, e, r, lanes, count, step[1], 2, &k[1], w[1]);
    direction(u, e, r, lanes, count, step[2], 3, &k[2], w[2]);
}

void cfd_rhs(struct cfd *c)
{
    static const int slopes[2][3] = {[CFD_PLAIN] = {1, 0, 0}, [CFD_SKEWED] = {0, -1, 1}};
    static const double diffusion[3] = {0.75, 0.75, 1};
    struct scales k[3];

    if (tables.n != c->n)
        make_tables(c->n);
    for (int d = 0; d < 3; d++)
        k[d] = (struct scales){(double)(c->n - 1) * (c->n - 1), 0.5 * (c->n - 1), diffusion[d]};
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);
            const double *w[3][CFD_WEIGHTS];

            if (run.count <= 0)
                continue;
            for (int d = 0; d < 3; d++)
                pick_weights(c->n, run.first[d], slopes[c->layout][d], w[d]);
            for (int m = 0; m < 5; m++)
                memcpy(c->rhs + run.at + m * c->lanes, c->forcing + run.at + m * c->lanes,
                       (size_t)run.count * sizeof(double));
            row_rhs(c->u + run.at, c->extra + run.at, c->rhs + run.at, c->lanes, run.count, c->step, k, w);
        }
}

void cfd_update(struct cfd *c)
{
    cfd_exchange(c);
    cfd_extras(c);
    cfd_rhs(c);
}

NPB_CLONES static void scale_row(double *restrict v, double factor, long lanes, long count)
{
    for (int m = 0; m < 5; m++)
        for (long i = 0; i < count; i++)
            v[m * lanes + i] *= factor;
}

NPB_CLONES static void add_row(double *restrict u, const double *restrict v, double factor, long lanes, long count)
{
    for (int m = 0; m < 5; m++)
        for (long i = 0; i < count; i++)
            u[m * lanes + i] += factor * v[m * lanes + i];
}

void cfd_scale(const struct cfd *c, double factor)
{
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);

            scale_row(c->rhs + run.at, factor, c->lanes, run.count);
        }
}

void cfd_add(const struct cfd *c, double factor)
{
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);

            add_row(c->u + run.at, c->rhs + run.at, factor, c->lanes, run.count);
        }
}
