/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels that the paper made faster by hand, with the means of today: a library's inner product, loads of B and C
 * that don't displace what the caches hold, three loops made two in strips of 128, and a search for the minimum.
 */
#include "lfk.h"

#define STRIP 128
#define AHEAD 8 /* particles */

#ifdef LFK_OPENBLAS
double ddot_(const int *n, const double *x, const int *step_x, const double *y, const int *step_y);
#define DOT "ddot of OpenBLAS"

static double dot(int n, const double *x, const double *y)
{
    const int one = 1;

    return ddot_(&n, x, &one, y, &one);
}
#else
#define DOT "sixteen sums side by side"

static double dot(int n, const double *x, const double *y)
{
    double part[16] = {0}, sum = 0;
    int k = 0;

    for (; k + 16 <= n; k += 16)
        for (int i = 0; i < 16; i++)
            part[i] += x[k + i] * y[k + i];
    for (; k < n; k++)
        sum += x[k] * y[k];
    for (int i = 0; i < 16; i++)
        sum += part[i];
    return sum;
}
#endif

static void kernel3(struct lfk *m, double *flat, int n)
{
    (void)flat;
    m->q = dot(n, m->z, m->x);
}

static inline int cell(double at)
{
    return (int)at & 63;
}

/* Particles don't meet before H, so those to come are where they will be read from. */
static void kernel13(struct lfk *m, double *flat, int n)
{
    (void)flat;
    for (int k = 0; k < n; k++) {
        double *const p = m->p[k];
        const double *const next = m->p[k + AHEAD < n ? k + AHEAD : k];
        const int i1 = cell(p[0]), j1 = cell(p[1]);
        int i2, j2;

        __builtin_prefetch(&m->b[cell(next[1])][cell(next[0])], 0, 0);
        __builtin_prefetch(&m->c[cell(next[1])][cell(next[0])], 0, 0);
        p[2] += m->b[j1][i1];
        p[3] += m->c[j1][i1];
        p[0] += p[2];
        p[1] += p[3];
        i2 = cell(p[0]);
        j2 = cell(p[1]);
        p[0] += m->y[i2 + 31];
        p[1] += m->z[j2 + 31];
        i2 += m->e[i2 + 31];
        j2 += m->f[j2 + 31];
        m->h[j2 - 1][i2 - 1] += 1;
    }
}

static void kernel14(struct lfk *m, double *flat, int n)
{
    const double flx = m->flx;

    (void)flat;
    for (int begin = 0; begin < n; begin += STRIP) {
        const int end = begin + STRIP < n ? begin + STRIP : n;

        for (int k = begin; k < end; k++) {
            m->ix[k] = (int)m->grd[k];
            m->xi[k] = m->ix[k];
            m->ex1[k] = m->ex[m->ix[k] - 1];
            m->dex1[k] = m->dex[m->ix[k] - 1];
            m->vx[k] = m->ex1[k] + (0 - m->xi[k]) * m->dex1[k];
            m->xx[k] = m->vx[k] + flx;
        }
        for (int k = begin; k < end; k++) {
            m->ir[k] = (int)m->xx[k];
            m->rx[k] = m->xx[k] - m->ir[k];
            m->ir[k] = (m->ir[k] & 2047) + 1;
            m->xx[k] = m->rx[k] + m->ir[k];
            m->rh[m->ir[k] - 1] = m->rh[m->ir[k] - 1] + 1 - m->rx[k];
            m->rh[m->ir[k]] += m->rx[k];
        }
    }
}

/* The least value of sixteen at a time, then the first place that has it. */
static void kernel24(struct lfk *m, double *flat, int n)
{
    double part[16], least = m->x[0];
    int k = 0;

    (void)flat;
    for (int i = 0; i < 16; i++)
        part[i] = least;
    for (; k + 16 <= n; k += 16)
        for (int i = 0; i < 16; i++)
            part[i] = m->x[k + i] < part[i] ? m->x[k + i] : part[i];
    for (; k < n; k++)
        least = m->x[k] < least ? m->x[k] : least;
    for (int i = 0; i < 16; i++)
        least = part[i] < least ? part[i] : least;
    for (k = 0; m->x[k] != least; k++)
        ;
    m->m = k + 1;
}

const struct lfk_hand lfk_hands[] = {
    {3, "SDOT library substitution", DOT, kernel3},
    {13, "cache_bypass b,c", "non-temporal prefetch of B and C", kernel13},
    {14, "loops combined, strip-mined by 128", "as published", kernel14},
    {24, "ISMIN library substitution", "sixteen minima side by side", kernel24},
};
const int lfk_hand_count = sizeof lfk_hands / sizeof *lfk_hands;
