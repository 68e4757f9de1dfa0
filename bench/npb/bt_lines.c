/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elimination without pivots of blocks of five by five, as the benchmark specifies.
 */
#include "bt_lines.h"

#include "cfd.h"

#define C1345 (CFD_C1C5 * CFD_C34)

/* block := flux F' + viscous N' + same I, the Jacobians of point k's convective and viscous fluxes. */
NPB_INLINE void make_block(const struct bt_lines *l, long k, int dir, double flux, double viscous, double same,
                           npb_vector block[5][5])
{
    const double *const e = l->extra + k * l->extra_step;
    const npb_vector inverse = *(const npb_vector *)e, q = *(const npb_vector *)(e + CFD_ENERGY * l->extra_lanes);
    const npb_vector energy = *(const npb_vector *)(l->energy + k * l->energy_step) * inverse;
    const npb_vector shear = inverse * (viscous * CFD_C34), heat = inverse * (viscous * C1345);
    npb_vector v[4], along, enthalpy, first;

    NPB_UNROLL
    for (int c = 1; c < 4; c++)
        v[c] = *(const npb_vector *)(e + c * l->extra_lanes);
    along = v[dir] * flux;
    enthalpy = (energy * CFD_C1 - q * CFD_C2) * flux;
    first = energy * heat;
    NPB_UNROLL
    for (int j = 0; j < 5; j++)
        block[0][j] = (npb_vector){0};
    block[0][0] += same;
    block[0][dir] += flux;
    NPB_UNROLL
    for (int c = 1; c < 4; c++) {
        const npb_vector stress = c == dir ? shear * (4.0 / 3) : shear, net = (stress - heat) * v[c];

        NPB_UNROLL
        for (int j = 1; j < 5; j++)
            block[c][j] = (npb_vector){0};
        block[c][0] = -v[c] * along - stress * v[c];
        block[c][c] += along + stress + same;
        block[c][dir] += v[c] * flux;
        block[4][c] = net - along * v[c] * CFD_C2;
        first += net * v[c];
    }
    block[dir][0] += q * (flux * CFD_C2);
    NPB_UNROLL
    for (int j = 1; j < 4; j++)
        block[dir][j] -= v[j] * (flux * CFD_C2);
    block[dir][4] += flux * CFD_C2;
    block[4][0] = along * q * CFD_C2 - enthalpy * v[dir] - first;
    block[4][dir] += enthalpy;
    block[4][4] = along * CFD_C1 + heat + same;
}

/* b -= a m for one column of m. */
NPB_INLINE void take_product(npb_vector *b, long stride, npb_vector a[5][5], const npb_vector *m)
{
    NPB_UNROLL
    for (int i = 0; i < 5; i++) {
        npb_vector sum = a[i][0] * m[0];

        NPB_UNROLL
        for (int k = 1; k < 5; k++)
            sum += a[i][k] * m[k * stride];
        b[i * stride] -= sum;
    }
}

/* b := its triangular factors, with the inverses of the pivots on the diagonal. */
NPB_INLINE void factor(npb_vector b[5][5])
{
    NPB_UNROLL
    for (int p = 0; p < 5; p++) {
        b[p][p] = 1 / b[p][p];
        NPB_UNROLL
        for (int i = p + 1; i < 5; i++) {
            b[i][p] *= b[p][p];
            NPB_UNROLL
            for (int j = p + 1; j < 5; j++)
                b[i][j] -= b[i][p] * b[p][j];
        }
    }
}

/* x := b^-1 x for one column. */
NPB_INLINE void solve(npb_vector b[5][5], npb_vector *x, long stride)
{
    NPB_UNROLL
    for (int i = 1; i < 5; i++)
        NPB_UNROLL
    for (int k = 0; k < i; k++)
        x[i * stride] -= b[i][k] * x[k * stride];
    NPB_UNROLL
    for (int i = 4; i >= 0; i--) {
        NPB_UNROLL
        for (int k = i + 1; k < 5; k++)
            x[i * stride] -= b[i][k] * x[k * stride];
        x[i * stride] *= b[i][i];
    }
}

NPB_INLINE void eliminate(const struct bt_lines *l, const struct bt_scheme *s, int from, int to, int dir,
                          npb_vector (*matrices)[5][5], struct bt_point *last)
{
    const double spread = s->t1 * l->diffusion;

    for (int k = from; k < to; k++, matrices++) {
        double *const rhs = l->rhs + k * l->rhs_step;
        npb_vector a[5][5], b[5][5], c[5][5], r[5];

        make_block(l, k - 1, dir, -s->t2, -s->t1, -spread, a);
        make_block(l, k, dir, 0, 2 * s->t1, 1 + 2 * spread, b);
        NPB_UNROLL
        for (int m = 0; m < 5; m++)
            r[m] = *(const npb_vector *)(rhs + m * l->rhs_lanes);
        NPB_UNROLL
        for (int j = 0; j < 5; j++)
            take_product(&b[0][j], 5, a, &last->matrix[0][j]);
        take_product(r, 1, a, last->rest);
        factor(b);
        make_block(l, k + 1, dir, s->t2, -s->t1, -spread, c);
        NPB_UNROLL
        for (int j = 0; j < 5; j++)
            solve(b, &c[0][j], 5);
        solve(b, r, 1);
        NPB_UNROLL
        for (int m = 0; m < 5; m++) {
            last->rest[m] = *(npb_vector *)(rhs + m * l->rhs_lanes) = r[m];
            NPB_UNROLL
            for (int j = 0; j < 5; j++)
                last->matrix[m][j] = (*matrices)[m][j] = c[m][j];
        }
    }
}

NPB_CLONES void bt_lines_eliminate(const struct bt_lines *l, const struct bt_scheme *s, int from, int to,
                                   npb_vector (*matrices)[5][5], struct bt_point *last)
{
    if (l->direction == 1)
        eliminate(l, s, from, to, 1, matrices, last);
    else if (l->direction == 2)
        eliminate(l, s, from, to, 2, matrices, last);
    else
        eliminate(l, s, from, to, 3, matrices, last);
}

NPB_CLONES void bt_lines_substitute(const struct bt_lines *l, int from, int to, npb_vector (*matrices)[5][5],
                                    npb_vector next[5])
{
    for (int k = to - 1; k >= from; k--) {
        double *const rhs = l->rhs + k * l->rhs_step;
        npb_vector r[5];

        NPB_UNROLL
        for (int m = 0; m < 5; m++)
            r[m] = *(const npb_vector *)(rhs + m * l->rhs_lanes);
        take_product(r, 1, matrices[k - from], next);
        NPB_UNROLL
        for (int m = 0; m < 5; m++)
            next[m] = *(npb_vector *)(rhs + m * l->rhs_lanes) = r[m];
    }
}
