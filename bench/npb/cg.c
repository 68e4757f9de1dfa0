/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CG: the smallest eigenvalue of a sparse symmetric matrix by inverse iteration, each system solved by 25 steps of
 * conjugate gradients. The matrix lies on a grid of PEs (cg_matrix.h), vectors in pieces on all of them: at each step
 * the pieces of a column of the grid are put to its PEs, which multiply, and the products of a row of the grid are put
 * to the PEs whose pieces they are parts of, and added there.
 */
#include "cg_matrix.h"
#include "common/clones.h"

#include <string.h>

#define STEPS 25
#define RCOND 0.1

static const struct {
    struct cg_problem problem;
    int iterations;
    double zeta;
} classes[NPB_CLASSES] = {
    [NPB_S] = {{1400, 7, 10, RCOND}, 15, 8.5971775078648},     [NPB_W] = {{7000, 8, 12, RCOND}, 15, 10.362595087124},
    [NPB_A] = {{14000, 11, 20, RCOND}, 15, 17.130235054029},   [NPB_B] = {{75000, 13, 60, RCOND}, 75, 22.712745482631},
    [NPB_C] = {{150000, 15, 110, RCOND}, 75, 28.973605592845},
};

static struct {
    enum npb_class c;
    struct cg_matrix a;
    double *whole;   /* symmetric: what the matrix is multiplied with, all pieces of my column of PEs */
    double *product; /* and gives, of my rows */
    double *parts;   /* symmetric: of each PE of my row, what it has of my piece of the product */
    long n;                     /* of my piece, */
    double *x, *z, *r, *p, *q; /* and pieces; p is a part of `whole` */
    double zeta;
} cg;

static void setup(enum npb_class c)
{
    const struct cg_problem *p = &classes[c].problem;
    const struct cg_grid *g = &cg.a.grid;
    size_t bytes;
    long from;

    cg.c = c;
    cg_matrix_make(p, &cg.a);
    cg.whole = npb_symmetric((size_t)(g->high * g->stride) * sizeof *cg.whole);
    cg.parts = npb_symmetric((size_t)(g->wide * g->stride) * sizeof *cg.parts);
    cg.product = npb_private((size_t)(cg.a.rows + 8) * sizeof *cg.product);
    cg.n = cg_piece(&cg.a, g->j, &from);
    bytes = (size_t)(cg.n + 8) * sizeof(double);
    cg.x = npb_private(bytes);
    cg.z = npb_private(bytes);
    cg.r = npb_private(bytes);
    cg.q = npb_private(bytes);
    cg.p = cg.whole + g->i * g->stride;
}

/* My piece of p to the other PEs of my column, and theirs here. All PEs have done with the old ones: a sum lies
 * between. */
static void spread(void)
{
    const struct cg_grid *g = &cg.a.grid;

    for (int k = 1; k < g->high; k++)
        shmem_double_put_nbi(cg.p, cg.p, (size_t)cg.n, (g->i + k) % g->high * g->wide + g->j);
    shmem_barrier_all();
}

typedef double lanes __attribute__((vector_size(CG_LANES * sizeof(double)), aligned(sizeof(double)), may_alias));

/* y := A v, of my part of the matrix. */
NPB_CLONES static void multiply(const struct cg_matrix *a, const double *restrict v, double *restrict y)
{
    for (long i = 0; i < a->rows; i++) {
        lanes sum = {0};

        for (int64_t k = a->start[i]; k < a->start[i + 1]; k += CG_LANES) {
            const int32_t *const c = a->column + k;
            const lanes values = *(const lanes *)(a->value + k);
            const lanes of = {v[c[0]], v[c[1]], v[c[2]], v[c[3]], v[c[4]], v[c[5]], v[c[6]], v[c[7]]};

            sum += values * of;
        }
        y[i] = sum[0] + sum[1] + sum[2] + sum[3] + sum[4] + sum[5] + sum[6] + sum[7];
    }
}

NPB_CLONES static void add(long n, const double *restrict v, double *restrict y)
{
    for (long i = 0; i < n; i++)
        y[i] += v[i];
}

NPB_CLONES static double dot(long n, const double *restrict x, const double *restrict y)
{
    double sum = 0;

    for (long i = 0; i < n; i++)
        sum += x[i] * y[i];
    return sum;
}

/* q := A p. Nobody needs the parts of before: a sum lies between. */
static void product(void)
{
    const struct cg_grid *g = &cg.a.grid;
    long from;

    spread();
    if (g->wide == 1) {
        multiply(&cg.a, cg.whole, cg.q);
        return;
    }
    multiply(&cg.a, cg.whole, cg.product);
    for (int k = 1; k < g->wide; k++) {
        const int j = (g->j + k) % g->wide;
        const long n = cg_piece(&cg.a, j, &from);

        shmem_double_put_nbi(cg.parts + g->j * g->stride, cg.product + from, (size_t)n, g->i * g->wide + j);
    }
    cg_piece(&cg.a, g->j, &from);
    memcpy(cg.q, cg.product + from, (size_t)cg.n * sizeof *cg.q);
    shmem_barrier_all();
    for (int j = 0; j < g->wide; j++)
        if (j != g->j)
            add(cg.n, cg.parts + j * g->stride, cg.q);
}

/* z += alpha p, r -= alpha q; returns the part of r . r. */
NPB_CLONES static double step(long n, double alpha, double *restrict z, double *restrict r, const double *restrict p,
                              const double *restrict q)
{
    double rho = 0;

    for (long i = 0; i < n; i++) {
        z[i] += alpha * p[i];
        r[i] -= alpha * q[i];
        rho += r[i] * r[i];
    }
    return rho;
}

/* The sums of x . z and z . z. */
NPB_CLONES static void dots(long n, const double *restrict x, const double *restrict z, double sums[2])
{
    double xz = 0, zz = 0;

    for (long i = 0; i < n; i++) {
        xz += x[i] * z[i];
        zz += z[i] * z[i];
    }
    sums[0] = xz;
    sums[1] = zz;
}

/* z := about A^-1 x; returns || x - A z ||. */
static double solve(void)
{
    const long n = cg.n;
    double sums[2], rho, residual = 0;

    memset(cg.z, 0, (size_t)n * sizeof *cg.z);
    memcpy(cg.r, cg.x, (size_t)n * sizeof *cg.r);
    memcpy(cg.p, cg.x, (size_t)n * sizeof *cg.p);
    dots(n, cg.x, cg.x, sums);
    rho = npb_sum1(sums[1]);
    for (int i = 0; i < STEPS; i++) {
        double alpha, old = rho;

        product();
        alpha = rho / npb_sum1(dot(n, cg.q, cg.p));
        rho = npb_sum1(step(n, alpha, cg.z, cg.r, cg.p, cg.q));
        for (long j = 0; j < n; j++)
            cg.p[j] = cg.r[j] + rho / old * cg.p[j];
    }
    memcpy(cg.p, cg.z, (size_t)n * sizeof *cg.p);
    product();
    for (long j = 0; j < n; j++)
        residual += (cg.x[j] - cg.q[j]) * (cg.x[j] - cg.q[j]);
    return sqrt(npb_sum1(residual));
}

/* x := z / || z ||, and zeta by the sums. */
static void normalize(void)
{
    double sums[2];

    dots(cg.n, cg.x, cg.z, sums);
    npb_sum(sums, 2);
    cg.zeta = classes[cg.c].problem.shift + 1 / sums[0];
    for (long i = 0; i < cg.n; i++)
        cg.x[i] = cg.z[i] / sqrt(sums[1]);
}

static void prepare(void)
{
    for (long i = 0; i < cg.n; i++)
        cg.x[i] = 1;
}

static void run(void)
{
    for (int i = 0; i < classes[cg.c].iterations; i++) {
        solve();
        normalize();
    }
}

static bool verify(void)
{
    return npb_same("zeta", cg.zeta, classes[cg.c].zeta, 1e-10);
}

static double operations(enum npb_class c)
{
    const double n = (double)classes[c].problem.n, nonzero = classes[c].problem.nonzero,
                 filled = nonzero * (nonzero + 1);

    return 2 * classes[c].iterations * n * (3 + filled + STEPS * (5 + filled) + 3);
}

static const char *unfit(enum npb_class c, int npes)
{
    return npes <= classes[c].problem.n ? NULL : "more PEs than rows";
}

int main(int argc, char **argv)
{
    static const struct npb_kernel kernel = {
        .name = "CG",
        .purpose = "NAS parallel benchmark CG: eigenvalue of a sparse matrix by conjugate gradients",
        .quick = NPB_W,
        .usual = NPB_A,
        .unfit = unfit,
        .setup = setup,
        .prepare = prepare,
        .run = run,
        .verify = verify,
        .operations = operations,
    };

    return npb_main(argc, argv, &kernel);
}
