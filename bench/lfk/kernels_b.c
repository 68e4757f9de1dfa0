/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Livermore kernels 13 to 24 in C; see kernels_a.c. Those whose definition jumps by computed branches are written with
 * the same decisions in the same order.
 */
#include "names.h"

#include <math.h>

static inline double larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double smaller(double a, double b)
{
    return a < b ? a : b;
}

static inline double square(double a)
{
    return a * a;
}

/* particles in a two-dimensional cell */
void LFK_NAME(k13)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++) {
        double *const p = m->p[k];
        const int i1 = (int)p[0] & 63, j1 = (int)p[1] & 63;
        int i2, j2;

        p[2] += m->b[j1][i1];
        p[3] += m->c[j1][i1];
        p[0] += p[2];
        p[1] += p[3];
        i2 = (int)p[0] & 63;
        j2 = (int)p[1] & 63;
        p[0] += m->y[i2 + 31];
        p[1] += m->z[j2 + 31];
        i2 += m->e[i2 + 31];
        j2 += m->f[j2 + 31];
        m->h[j2 - 1][i2 - 1] += 1;
    }
}

/* particles in a one-dimensional cell */
void LFK_NAME(k14)(struct lfk *m, double *flat, int n)
{
    const double flx = m->flx;

    (void)flat;
    for (int k = 0; k < n; k++) {
        m->vx[k] = 0;
        m->xx[k] = 0;
        m->ix[k] = (int)m->grd[k];
        m->xi[k] = m->ix[k];
        m->ex1[k] = m->ex[m->ix[k] - 1];
        m->dex1[k] = m->dex[m->ix[k] - 1];
    }
    for (int k = 0; k < n; k++) {
        m->vx[k] = m->vx[k] + m->ex1[k] + (m->xx[k] - m->xi[k]) * m->dex1[k];
        m->xx[k] = m->xx[k] + m->vx[k] + flx;
        m->ir[k] = (int)m->xx[k];
        m->rx[k] = m->xx[k] - m->ir[k];
        m->ir[k] = (m->ir[k] & 2047) + 1;
        m->xx[k] = m->rx[k] + m->ir[k];
    }
    for (int k = 0; k < n; k++) {
        m->rh[m->ir[k] - 1] = m->rh[m->ir[k] - 1] + 1 - m->rx[k];
        m->rh[m->ir[k]] += m->rx[k];
    }
}

/* casual Fortran: decisions at every point of a grid */
void LFK_NAME(k15)(struct lfk *m, double *flat, int n)
{
    const double ar = 0.053, br = 0.073;

    (void)flat;
    for (int j = 1; j < 7; j++)
        for (int k = 1; k < n; k++) {
            double r, s, t;

            if (j == 6) {
                m->vy[j][k] = 0;
                continue;
            }
            t = m->vh[j + 1][k] > m->vh[j][k] ? ar : br;
            if (m->vf[j][k] < m->vf[j][k - 1]) {
                r = larger(m->vh[j][k - 1], m->vh[j + 1][k - 1]);
                s = m->vf[j][k - 1];
            } else {
                r = larger(m->vh[j][k], m->vh[j + 1][k]);
                s = m->vf[j][k];
            }
            m->vy[j][k] = sqrt(m->vg[j][k] * m->vg[j][k] + r * r) * t / s;
            if (k == n - 1) {
                m->vs[j][k] = 0;
                continue;
            }
            if (m->vf[j][k] < m->vf[j - 1][k]) {
                r = larger(m->vg[j - 1][k], m->vg[j - 1][k + 1]);
                s = m->vf[j - 1][k];
                t = br;
            } else {
                r = larger(m->vg[j][k], m->vg[j][k + 1]);
                s = m->vf[j][k];
                t = ar;
            }
            m->vs[j][k] = sqrt(m->vh[j][k] * m->vh[j][k] + r * r) * t / s;
        }
}

/* The test of one zone in kernel 16; m->k3 counts those beyond the table. */
static inline double beside(struct lfk *m, int zone, int n)
{
    const int third = n / 3;
    const double *const d = m->d + zone - 1;

    if (zone > n) {
        m->k3++;
        return d[0] - (d[-1] * square(m->t - d[-2]) + square(m->s - d[-3]) + square(m->r - d[-4]));
    }
    if (zone < n - 2 * third)
        return m->plan[zone - 1] - m->t;
    return m->plan[zone - 1] - (zone < n - third ? m->s : m->r);
}

/* Monte Carlo search: from group to group until a test is met or all groups were seen */
void LFK_NAME(k16)(struct lfk *m, double *flat, int n)
{
    const int first = 1;

    (void)flat;
    m->m = first;
    for (int k = 1, base = 1; k <= n; k++) {
        const int at = base + k + k;
        double test;
        int turn;

        m->k2++;
        m->j5 = m->zone[at - 1];
        if (m->j5 == n)
            return;
        test = beside(m, m->j5, n);
        turn = m->zone[at - 2];
        if (test == 0 || turn == 0)
            return;
        if ((test < 0) == (turn < 0))
            continue;
        if (++m->m > m->zone[0])
            m->m = 1;
        if (m->m == first)
            return;
        base = 2 * n * (m->m - 1) + 1;
        k = 0;
    }
}

/* implicit, conditional computation */
void LFK_NAME(k17)(struct lfk *m, double *flat, int n)
{
    const double scale = 5.0 / 3.0;
    double xnm = 1.0 / 3.0, e6 = 1.03 / 3.07;

    (void)flat;
    for (int k = n - 1; k > 0; k--) {
        const double e3 = xnm * m->vlr[k] + m->vlin[k], xnei = m->vxne[k], xnc = scale * e3;

        m->vxnd[k] = e6;
        if (xnm > xnc || xnei > xnc) {
            e6 = xnm * m->vsp[k] + m->vstp[k];
            m->vxne[k] = e6;
            m->ve3[k] = e6;
        } else {
            m->ve3[k] = e3;
            e6 = e3 + e3 - xnm;
            m->vxne[k] = e3 + e3 - xnei;
        }
        xnm = e6;
    }
    m->xnm = xnm;
}

/* explicit hydrodynamics in two dimensions */
void LFK_NAME(k18)(struct lfk *m, double *flat, int n)
{
    const double t = 0.0037, s = 0.0041;

    (void)flat;
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < n; j++) {
            m->za[k][j] = (m->zp[k + 1][j - 1] + m->zq[k + 1][j - 1] - m->zp[k][j - 1] - m->zq[k][j - 1]) *
                          (m->zr[k][j] + m->zr[k][j - 1]) / (m->zm[k][j - 1] + m->zm[k + 1][j - 1]);
            m->zb[k][j] = (m->zp[k][j - 1] + m->zq[k][j - 1] - m->zp[k][j] - m->zq[k][j]) *
                          (m->zr[k][j] + m->zr[k - 1][j]) / (m->zm[k][j] + m->zm[k][j - 1]);
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < n; j++) {
            m->zu[k][j] +=
                s * (m->za[k][j] * (m->zz[k][j] - m->zz[k][j + 1]) - m->za[k][j - 1] * (m->zz[k][j] - m->zz[k][j - 1]) -
                     m->zb[k][j] * (m->zz[k][j] - m->zz[k - 1][j]) + m->zb[k + 1][j] * (m->zz[k][j] - m->zz[k + 1][j]));
            m->zv[k][j] +=
                s * (m->za[k][j] * (m->zr[k][j] - m->zr[k][j + 1]) - m->za[k][j - 1] * (m->zr[k][j] - m->zr[k][j - 1]) -
                     m->zb[k][j] * (m->zr[k][j] - m->zr[k - 1][j]) + m->zb[k + 1][j] * (m->zr[k][j] - m->zr[k + 1][j]));
        }
    for (int k = 1; k < 6; k++)
        for (int j = 1; j < n; j++) {
            m->zr[k][j] += t * m->zu[k][j];
            m->zz[k][j] += t * m->zv[k][j];
        }
}

/* general linear recurrence, forwards and then backwards */
void LFK_NAME(k19)(struct lfk *m, double *flat, int n)
{
    double stb5 = m->stb5;

    (void)flat;
    for (int k = 0; k < n; k++) {
        m->b5[k] = m->sa[k] + stb5 * m->sb[k];
        stb5 = m->b5[k] - stb5;
    }
    for (int k = n - 1; k >= 0; k--) {
        m->b5[k] = m->sa[k] + stb5 * m->sb[k];
        stb5 = m->b5[k] - stb5;
    }
    m->stb5 = stb5;
}

/* discrete ordinates transport */
void LFK_NAME(k20)(struct lfk *m, double *flat, int n)
{
    const double dk = m->dk, s = m->s, t = m->t;

    (void)flat;
    for (int k = 0; k < n; k++) {
        const double di = m->y[k] - m->g[k] / (m->xx[k] + dk);
        const double dn = di != 0 ? larger(s, smaller(m->z[k] / di, t)) : 0.2;

        m->x[k] = ((m->w[k] + m->v[k] * dn) * m->xx[k] + m->u[k]) / (m->vx[k] + m->v[k] * dn);
        m->xx[k + 1] = (m->x[k] - m->xx[k]) * dn + m->xx[k];
    }
}

/* matrix times matrix */
void LFK_NAME(k21)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < 25; k++)
        for (int i = 0; i < 25; i++)
            for (int j = 0; j < n; j++)
                m->px[j][i] += m->vy[k][i] * m->cx[j][k];
}

/* Planckian distribution */
void LFK_NAME(k22)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++) {
        m->y[k] = m->u[k] / m->v[k];
        m->w[k] = m->x[k] / (exp(m->y[k]) - 1);
    }
}

/* implicit hydrodynamics in two dimensions */
void LFK_NAME(k23)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int j = 1; j < 6; j++)
        for (int k = 1; k < n; k++) {
            const double qa = m->za[j + 1][k] * m->zr[j][k] + m->za[j - 1][k] * m->zb[j][k] +
                              m->za[j][k + 1] * m->zu[j][k] + m->za[j][k - 1] * m->zv[j][k] + m->zz[j][k];

            m->za[j][k] += 0.175 * (qa - m->za[j][k]);
        }
}

/* place of the first minimum */
void LFK_NAME(k24)(struct lfk *m, double *flat, int n)
{
    int least = 0;

    (void)flat;
    for (int k = 1; k < n; k++)
        if (m->x[k] < m->x[least])
            least = k;
    m->m = least + 1;
}
