/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernels' data: numbers near 1/16 from the generator of Park and Miller, begun anew for each of the three areas,
 * and what some kernels need besides. An area is filled as one array, which it is in memory.
 */
#include "lfk.h"

#include <string.h>

#define AT(member) (offsetof(struct lfk, member) / sizeof(double))
_Static_assert(AT(x) == LFK_X && AT(y) == LFK_Y && AT(z) == LFK_Z, "the places of X, Y and Z");
_Static_assert(AT(p) == LFK_AREA1 && AT(a11) == LFK_AREA1 + LFK_AREA2, "the areas' sizes");
_Static_assert(AT(k2) == LFK_AREA1 + LFK_AREA2 + LFK_SCALARS, "the number of scalars");

#define SEED 256
#define MODULUS 2147483647.0 /* 2^31 - 1 */

/* Everything stays below 2^53, so it is exact in doubles; only the quotient is rounded. */
static double next(double *k, double span)
{
    const double product = *k * 16807;

    *k = product - (double)(int64_t)(product / MODULUS) * MODULUS;
    return (double)(int64_t)(1 + *k * span / MODULUS);
}

static void fill(double *to, int n)
{
    double k = SEED;

    for (int i = 0; i < n; i++) {
        const double high = next(&k, 16777214), low = next(&k, 16777214);

        to[i] = 0.0625 + (high / 0x1p24 + low / 0x1p50) / 0x1p14;
    }
}

/* A ramp over the particles' four coordinates, one coordinate after the other. */
static void special13(struct lfk *m)
{
    double v = 1;

    for (int j = 0; j < 4; j++)
        for (int k = 0; k < 512; k++, v += 0.5)
            m->p[k][j] = v;
    for (int i = 0; i < 96; i++)
        m->e[i] = m->f[i] = 1;
}

static void special14(struct lfk *m)
{
    double k = SEED;

    for (int i = 0; i < 1001; i++) {
        m->ix[i] = (int32_t)next(&k, 1000);
        m->grd[i] = m->ix[i];
        m->dex[i] *= -100;
    }
    m->flx = 0.001;
}

/* Two groups of twice n zones. */
static void special16(struct lfk *m, int n)
{
    m->d[0] = 1.01980486428764;
    for (int k = 1; k < 300; k++)
        m->d[k] = m->d[k - 1] + 1e-4 / m->d[k - 1];
    m->r = m->d[n - 1];
    m->s = m->d[n - 2];
    m->t = m->d[n - 3];
    for (int i = 0; i < 4 * n; i++) {
        const int k = i % n + 1;

        m->plan[i] = m->r * ((k + 1.0) / k);
        m->zone[i] = 2 * k;
    }
    m->zone[2 * n] = n;
}

void lfk_data(struct lfk *m, int kernel, int span)
{
    static struct lfk plain;
    double *const flat = (double *)&plain;

    if (flat[0] == 0) {
        fill(flat, LFK_AREA1);
        fill(flat + LFK_AREA1, LFK_AREA2);
        fill(flat + LFK_AREA1 + LFK_AREA2, LFK_SCALARS);
    }
    memcpy(m, &plain, sizeof *m);
    if (kernel == 13)
        special13(m);
    if (kernel == 14)
        special14(m);
    if (kernel == 16)
        special16(m, span);
    if (kernel == 22)
        m->u[span - 1] = 0.99 * 20 * m->v[span - 1];
    if (kernel == 24)
        m->x[span / 2 - 1] = -1e10;
}

/*
 * None of the three reads another, and all else they read stays: each is y5 (x - a - b x) of itself, where b is the Y
 * that meets x in its own sum and a the rest of that sum.
 */
void lfk_expect_four(const struct lfk *fresh, const struct lfk_run *run, double x[3])
{
    const double *const flat = (const double *)fresh;
    const double *const xs = flat + LFK_X, *const ys = flat + LFK_Y;

    for (int i = 0; i < 3; i++) {
        const int at = 5 + 497 * i; /* of the value, less one */
        long double rest = 0, own = 0, value = xs[at];

        for (int j = 4, from = at - 5; j < run->span; j += 5, from++) {
            if (from == at)
                own = ys[j];
            else
                rest += (long double)xs[from] * ys[j];
        }
        for (int l = 0; l < run->loop; l++)
            value = ys[4] * (value - rest - own * value);
        x[i] = (double)value;
    }
}
