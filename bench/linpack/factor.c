/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The factorization, right-looking and one panel ahead: who has the next panel brings its columns up to date first,
 * factors and announces it, and only then updates the rest. The others read the panel where it lies, or get it.
 */
#include "lu.h"

#include "../common/job.h"

#include <cblas.h>

/* LAPACK's own, which OpenBLAS has with its own kernels. Its headers come with another package. */
extern void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *pivot, int *info);
extern void dlaswp_(const int *n, double *a, const int *lda, const int *first, const int *last, const int *pivot,
                    const int *step);

/* A panel as the updates read it: its first row is the first of its block. */
struct panel {
    const double *l;
    long row, width; /* its first row and column; its columns */
};

/* Its owner's part. The columns aren't written again before the next matrix: nobody needs to say that they were read.
 */
static void factor_panel(struct lu *m, long block)
{
    const long row = block * m->width;
    const int rows = (int)(m->n - row), columns = (int)lu_width(m, block), lda = (int)m->lda;
    int info;

    dgetrf_(&rows, &columns, m->a + lu_before(m, row, bench_job.me) * m->lda + row, &lda, m->pivot + row, &info);
    for (int i = 1; i < bench_job.npes; i++)
        shmem_int_put(m->pivot + row, m->pivot + row, (size_t)columns, (bench_job.me + i) % bench_job.npes);
    /* Pivots before the word that announces them; the panel itself is plain memory here and is read only after that
     * word. */
    shmem_quiet();
    for (int i = 0; i < bench_job.npes; i++)
        shmem_long_p(m->ready + block, 1, (bench_job.me + 1 + i) % bench_job.npes);
}

/* Waits for a panel and returns where to read it. */
static struct panel fetch(struct lu *m, long block)
{
    const int owner = lu_owner(block, bench_job.npes);
    const long row = block * m->width, width = lu_width(m, block);
    const double *const there = m->a + lu_before(m, row, owner) * m->lda + row;
    struct panel p = {there, row, width};

    shmem_long_wait_until(m->ready + block, SHMEM_CMP_EQ, 1);
    if (owner == bench_job.me)
        return p;
    if (!m->panel) {
        p.l = shmem_ptr(there, owner);
        return p;
    }
    for (long c = 0; c < width; c++)
        shmem_getmem_nbi(m->panel + c * m->lda, there + c * m->lda, (size_t)(m->n - row) * sizeof(double), owner);
    shmem_quiet();
    p.l = m->panel;
    return p;
}

/* My columns [from, to) after one more panel. */
static void update(struct lu *m, const struct panel *p, long from, long to)
{
    const int columns = (int)(to - from), width = (int)p->width, lda = (int)m->lda, one = 1;
    const int below = (int)(m->n - p->row - p->width);
    double *const a = m->a + from * m->lda + p->row;

    if (columns <= 0)
        return;
    dlaswp_(&columns, a, &lda, &one, &width, m->pivot + p->row, &one);
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasUnit, width, columns, 1, p->l, lda, a, lda);
    if (below > 0)
        cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, below, columns, width, -1, p->l + width, lda, a, lda, 1,
                    a + width, lda);
}

void lu_factor(struct lu *m)
{
    if (lu_owner(0, bench_job.npes) == bench_job.me)
        factor_panel(m, 0);
    for (long k = 0; k < m->blocks; k++) {
        const struct panel p = fetch(m, k);
        long from = lu_before(m, p.row + p.width, bench_job.me);

        if (k + 1 < m->blocks && lu_owner(k + 1, bench_job.npes) == bench_job.me) {
            update(m, &p, from, from + lu_width(m, k + 1));
            from += lu_width(m, k + 1);
            factor_panel(m, k + 1);
        }
        update(m, &p, from, m->columns);
    }
}
