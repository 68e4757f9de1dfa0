/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The field's memory, its exact and initial values, and the exchange of slabs between PEs.
 */
#include "cfd.h"

#include <string.h>

#define GHOSTS 2
#define MARGIN 1024 /* words on either side that dissipation may read with weight 0 */

/* The exact solution is a polynomial: by quantity, the constant, then the coefficients of x, y, z, their squares, … */
static const double exact[5][13] = {
    {2, 0, 0, 4, 5, 3, 0.5, 0.02, 0.01, 0.03, 0.5, 0.4, 0.3},
    {1, 0, 0, 0, 1, 2, 3, 0.01, 0.03, 0.02, 0.4, 0.3, 0.5},
    {2, 2, 0, 0, 0, 2, 3, 0.04, 0.03, 0.05, 0.3, 0.5, 0.4},
    {2, 2, 0, 0, 0, 2, 3, 0.03, 0.05, 0.04, 0.2, 0.1, 0.3},
    {5, 4, 3, 2, 0.1, 0.4, 0.3, 0.05, 0.04, 0.03, 0.1, 0.3, 0.2},
};

/* At coordinates of [0, 1]. */
static void exact_at(const double at[3], double u[5])
{
    for (int m = 0; m < 5; m++) {
        const double *const c = exact[m];

        u[m] = c[0];
        for (int d = 0; d < 3; d++)
            u[m] += at[d] * (c[1 + d] + at[d] * (c[4 + d] + at[d] * (c[7 + d] + at[d] * c[10 + d])));
    }
}

static void coordinates(int n, const int point[3], double at[3])
{
    for (int d = 0; d < 3; d++)
        at[d] = (double)point[d] / (n - 1);
}

void cfd_exact(int n, int x, int y, int z, double u[5])
{
    const int point[3] = {x, y, z};
    double at[3];

    coordinates(n, point, at);
    exact_at(at, u);
}

/* Exact on the boundary, inside interpolated between the faces: P + Q + R - PQ - QR - RP + PQR. */
static void initial_at(const double at[3], double u[5])
{
    double face[3][5];

    for (int d = 0; d < 3; d++) {
        double low[3], high[3], a[5], b[5];

        memcpy(low, at, sizeof low);
        memcpy(high, at, sizeof high);
        low[d] = 0;
        high[d] = 1;
        exact_at(low, a);
        exact_at(high, b);
        for (int m = 0; m < 5; m++)
            face[d][m] = (1 - at[d]) * a[m] + at[d] * b[m];
    }
    for (int m = 0; m < 5; m++) {
        const double p = face[0][m], q = face[1][m], r = face[2][m];

        u[m] = p + q + r - p * q - q * r - r * p + p * q * r;
    }
}

static bool on_boundary(int n, const int point[3])
{
    for (int d = 0; d < 3; d++)
        if (point[d] == 0 || point[d] == n - 1)
            return true;
    return false;
}

/* All points of my slabs and the ghosts that exist. */
static void fill(struct cfd *c, bool with_exact)
{
    const int axis = c->layout == CFD_PLAIN ? 2 : 0, others[2] = {axis == 0, axis == 2 ? 1 : 2};
    int p[3];

    for (int slab = c->from - GHOSTS; slab < c->from + c->slabs + GHOSTS; slab++) {
        if (slab < 0 || slab >= c->n)
            continue;
        p[axis] = slab;
        for (int i = 0; i < c->n * c->n; i++) {
            const int k = i / c->n, j = i % c->n;
            double at[3], u[5];

            p[others[0]] = j;
            p[others[1]] = k;
            coordinates(c->n, p, at);
            if (with_exact || on_boundary(c->n, p))
                exact_at(at, u);
            else
                initial_at(at, u);
            for (int m = 0; m < 5; m++)
                c->u[cfd_offset(c, p[0], p[1], p[2]) + m * c->lanes] = u[m];
        }
    }
}

struct cfd_run cfd_run(const struct cfd *c, int slab, int row)
{
    const int last = c->n - 2, low = row - last > 1 ? row - last : 1, high = row - 1 < last ? row - 1 : last;
    struct cfd_run r;

    if (c->layout == CFD_PLAIN)
        r = (struct cfd_run){.first = {1, row, slab}, .count = row >= 1 && row <= last ? last : 0};
    else
        r = (struct cfd_run){.first = {slab, row - low, low}, .count = high - low + 1};
    r.at = cfd_offset(c, r.first[0], r.first[1], r.first[2]);
    return r;
}

/* An array of words a slab, with ghosts; returned is where coordinate 0 would be. */
static double *slabs_make(const struct cfd *c, bool symmetric)
{
    const long most = (c->n - 2 + bench_job.npes - 1) / bench_job.npes + 2 * GHOSTS;
    const size_t bytes = (size_t)(most * c->slab + 2 * MARGIN) * sizeof(double);
    double *p = symmetric && bench_job.npes > 1 ? npb_symmetric(bytes) : npb_private(bytes);

    return p + MARGIN + (GHOSTS - c->from) * c->slab;
}

void cfd_make(struct cfd *c, int n, enum cfd_layout layout)
{
    long from;

    c->layout = layout;
    c->n = n;
    c->lanes = (n + 7) / 8 * 8;
    c->rows = layout == CFD_PLAIN ? n : 2 * n - 1;
    c->slab = c->rows * 5 * c->lanes;
    c->slabs = (int)npb_part(n - 2, bench_job.npes, bench_job.me, &from);
    c->from = (int)from + 1;
    c->step[layout == CFD_PLAIN ? 2 : 0] = c->slab;
    c->step[1] = 5 * c->lanes;
    c->step[layout == CFD_PLAIN ? 0 : 2] = layout == CFD_PLAIN ? 1 : 5 * c->lanes + 1;
    c->u = slabs_make(c, true);
    c->rhs = slabs_make(c, true);
    c->forcing = slabs_make(c, false);
    c->extra = slabs_make(c, false);
    c->signal = npb_symmetric(2 * sizeof *c->signal);
    c->exchanges = 0;
    fill(c, true);
    cfd_extras(c);
    cfd_rhs(c, 1);
    for (long i = c->from * c->slab; i < (c->from + c->slabs) * c->slab; i++)
        c->forcing[i] = -c->rhs[i];
    cfd_begin(c);
}

void cfd_begin(struct cfd *c)
{
    memset(c->rhs + (c->from - GHOSTS) * c->slab, 0, (size_t)((c->slabs + 2 * GHOSTS) * c->slab) * sizeof *c->rhs);
    fill(c, false);
    shmem_barrier_all();
}

/* The same array elsewhere: `slab` of the PE that has slabs from `from` on. */
static double *slab_of(const struct cfd *c, int pe, int slab)
{
    long from;

    npb_part(c->n - 2, bench_job.npes, pe, &from);
    return c->u + (c->from - (from + 1) + slab) * c->slab;
}

void cfd_exchange(struct cfd *c)
{
    const int me = bench_job.me;
    const size_t bytes = (size_t)(GHOSTS * c->slab) * sizeof *c->u;

    c->exchanges++;
    shmem_fence(); /* the last exchange comes before this one */
    if (me > 0)
        shmem_putmem_signal_nbi(slab_of(c, me - 1, c->from), c->u + c->from * c->slab, bytes, &c->signal[1],
                                c->exchanges, SHMEM_SIGNAL_SET, me - 1);
    if (me + 1 < bench_job.npes)
        shmem_putmem_signal_nbi(slab_of(c, me + 1, c->from + c->slabs - GHOSTS),
                                c->u + (c->from + c->slabs - GHOSTS) * c->slab, bytes, &c->signal[0], c->exchanges,
                                SHMEM_SIGNAL_SET, me + 1);
    if (me > 0)
        shmem_signal_wait_until(&c->signal[0], SHMEM_CMP_GE, c->exchanges);
    if (me + 1 < bench_job.npes)
        shmem_signal_wait_until(&c->signal[1], SHMEM_CMP_GE, c->exchanges);
    shmem_quiet(); /* u may be written again */
}

const char *cfd_unfit(int n, int npes)
{
    return (n - 2) / npes >= GHOSTS ? NULL : "each PE needs two planes inside";
}
