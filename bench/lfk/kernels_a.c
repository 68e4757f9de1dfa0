/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Livermore kernels 1 to 12 in C. Compiled once for each set of compiler options; LFK_NAME gives each copy its own
 * names. Loops are as their Fortran definition has them: what a compiler makes of them is what is measured.
 */
#include "names.h"

/* hydro fragment; reads past Z's end, into G */
void LFK_NAME(k01)(struct lfk *m, double *flat, int n)
{
    const double q = m->q, r = m->r, t = m->t;
    double *const x = flat + LFK_X;
    const double *const y = flat + LFK_Y, *const z = flat + LFK_Z;

    for (int k = 0; k < n; k++)
        x[k] = q + y[k] * (r * z[k + 10] + t * z[k + 11]);
}

/* incomplete Cholesky conjugate gradient: each sweep halves the vector and writes behind the one before */
void LFK_NAME(k02)(struct lfk *m, double *flat, int n)
{
    double *const x = m->x;
    const double *const v = m->v;
    int left = n, begin, end = 0;

    (void)flat;
    do {
        int i;

        begin = end;
        end += left;
        left /= 2;
        i = end;
        for (int k = begin + 1; k < end; k += 2)
            x[++i] = x[k] - v[k] * x[k - 1] - v[k + 1] * x[k + 1];
    } while (left > 1);
}

/* inner product */
void LFK_NAME(k03)(struct lfk *m, double *flat, int n)
{
    double q = 0;

    (void)flat;
    for (int k = 0; k < n; k++)
        q += m->z[k] * m->x[k];
    m->q = q;
}

/* banded linear equations; X runs on into Y */
void LFK_NAME(k04)(struct lfk *m, double *flat, int n)
{
    double *const x = flat + LFK_X;
    const double *const y = flat + LFK_Y;

    (void)m;
    for (int k = 6; k <= 1000; k += (1001 - 7) / 2) {
        const double *from = x + k - 6;
        double temp = x[k - 1];

        for (int j = 4; j < n; j += 5)
            temp -= *from++ * y[j];
        x[k - 1] = y[4] * temp;
    }
}

/* tri-diagonal elimination, below the diagonal */
void LFK_NAME(k05)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int i = 1; i < n; i++)
        m->x[i] = m->z[i] * (m->y[i] - m->x[i - 1]);
}

/* general linear recurrence */
void LFK_NAME(k06)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int i = 1; i < n; i++) {
        double w = 0.01;

        for (int k = 0; k < i; k++)
            w += m->b[k][i] * m->w[i - k - 1];
        m->w[i] = w;
    }
}

/* equation of state fragment */
void LFK_NAME(k07)(struct lfk *m, double *flat, int n)
{
    const double q = m->q, r = m->r, t = m->t;
    const double *const u = m->u;

    (void)flat;
    for (int k = 0; k < n; k++)
        m->x[k] = u[k] + r * (m->z[k] + r * m->y[k]) +
                  t * (u[k + 3] + r * (u[k + 2] + r * u[k + 1]) + t * (u[k + 6] + q * (u[k + 5] + q * u[k + 4])));
}

/* alternating direction implicit integration */
void LFK_NAME(k08)(struct lfk *m, double *flat, int n)
{
    const double sig = m->sig;

    (void)flat;
    for (int kx = 1; kx < 3; kx++)
        for (int ky = 1; ky < n; ky++) {
            double (*const u1)[5] = m->u1[0], (*const u2)[5] = m->u2[0], (*const u3)[5] = m->u3[0];
            const double d1 = u1[ky + 1][kx] - u1[ky - 1][kx];
            const double d2 = u2[ky + 1][kx] - u2[ky - 1][kx];
            const double d3 = u3[ky + 1][kx] - u3[ky - 1][kx];

            m->du1[ky] = d1;
            m->du2[ky] = d2;
            m->du3[ky] = d3;
            m->u1[1][ky][kx] = u1[ky][kx] + m->a11 * d1 + m->a12 * d2 + m->a13 * d3 +
                               sig * (u1[ky][kx + 1] - 2 * u1[ky][kx] + u1[ky][kx - 1]);
            m->u2[1][ky][kx] = u2[ky][kx] + m->a21 * d1 + m->a22 * d2 + m->a23 * d3 +
                               sig * (u2[ky][kx + 1] - 2 * u2[ky][kx] + u2[ky][kx - 1]);
            m->u3[1][ky][kx] = u3[ky][kx] + m->a31 * d1 + m->a32 * d2 + m->a33 * d3 +
                               sig * (u3[ky][kx + 1] - 2 * u3[ky][kx] + u3[ky][kx - 1]);
        }
}

/* integrate predictors */
void LFK_NAME(k09)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++) {
        double *const px = m->px[k];

        px[0] = m->dm28 * px[12] + m->dm27 * px[11] + m->dm26 * px[10] + m->dm25 * px[9] + m->dm24 * px[8] +
                m->dm23 * px[7] + m->dm22 * px[6] + m->c0 * (px[4] + px[5]) + px[2];
    }
}

/* difference predictors: each difference takes the place of the value it was made from */
void LFK_NAME(k10)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++) {
        double *const px = m->px[k];
        double now = m->cx[k][4];

        for (int i = 4; i < 13; i++) {
            const double next = now - px[i];

            px[i] = now;
            now = next;
        }
        px[13] = now;
    }
}

/* first sum */
void LFK_NAME(k11)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    m->x[0] = m->y[0];
    for (int k = 1; k < n; k++)
        m->x[k] = m->x[k - 1] + m->y[k];
}

/* first difference */
void LFK_NAME(k12)(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++)
        m->x[k] = m->y[k + 1] - m->y[k];
}
