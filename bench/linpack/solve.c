/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Back substitution over columns dealt in blocks. Each PE keeps what its own columns take from the right-hand side and
 * hands a block's part of it to the block's owner, the next block's part before it does the rest, so that PEs overlap.
 */
#include "lu.h"

#include "../common/job.h"

#include <cblas.h>
#include <string.h>

/* Where my part of a block lies at its owner. */
static long slot(long block, int from)
{
    return block / bench_job.npes * bench_job.npes + from;
}

/* Each part is handed over once, when all my columns behind the block have been taken into account. */
static void hand_over(struct lu *m, long block)
{
    const int owner = lu_owner(block, bench_job.npes);
    const long at = slot(block, bench_job.me);

    if (block < 0 || owner == bench_job.me)
        return;
    shmem_double_put(m->inbox + at * m->width, m->y + block * m->width, (size_t)lu_width(m, block), owner);
    shmem_fence(); /* the part before the word that announces it */
    shmem_long_p(m->arrived + at, 1, owner);
}

/* The right-hand side of one of my blocks, from all PEs. */
static double *collect(struct lu *m, long block)
{
    double *const mine = m->y + block * m->width;

    for (int i = 1; i < bench_job.npes; i++) {
        const long at = slot(block, (bench_job.me + i) % bench_job.npes);

        shmem_long_wait_until(m->arrived + at, SHMEM_CMP_EQ, 1);
        for (long c = 0; c < lu_width(m, block); c++)
            mine[c] += m->inbox[at * m->width + c];
    }
    return mine;
}

/* Rows [from, to) of my part of the right-hand side without what the block's columns contribute. */
static void take(struct lu *m, const double *columns, long width, const double *x, long from, long to)
{
    if (to > from)
        cblas_dgemv(CblasColMajor, CblasNoTrans, (int)(to - from), (int)width, -1, columns + from, (int)m->lda, x, 1, 1,
                    m->y + from, 1);
}

static void solve_block(struct lu *m, long block)
{
    const long row = block * m->width, width = lu_width(m, block), before = row - m->width;
    const double *const columns = m->a + lu_before(m, row, bench_job.me) * m->lda;
    double *const x = collect(m, block);

    cblas_dtrsv(CblasColMajor, CblasUpper, CblasNoTrans, CblasNonUnit, (int)width, columns + row, (int)m->lda, x, 1);
    take(m, columns, width, x, before < 0 ? 0 : before, row);
    hand_over(m, block - 1);
    for (int pe = 0; pe < bench_job.npes; pe++)
        shmem_double_put(m->x + row, x, (size_t)width, pe);
    take(m, columns, width, x, 0, before);
    for (long k = block - 2; k > block - bench_job.npes; k--)
        hand_over(m, k);
}

void lu_solve(struct lu *m)
{
    const long mine = lu_before(m, m->n, bench_job.me);
    long top = m->blocks - 1;

    if (m->columns > mine)
        memcpy(m->y, m->a + mine * m->lda, (size_t)m->n * sizeof(double));
    else
        memset(m->y, 0, (size_t)m->n * sizeof(double));
    for (; top >= 0 && lu_owner(top, bench_job.npes) != bench_job.me; top--)
        hand_over(m, top);
    for (; top >= 0; top -= bench_job.npes)
        solve_block(m, top);
}
