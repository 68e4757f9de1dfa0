/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matrix: its distribution, its memory, its elements and the check of the solution. Elements are a hash of their
 * place, so that every PE makes its own columns, and makes them again for the check.
 */
#include "lu.h"

#include "../common/job.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#define LINE 8 /* doubles in a cache line */

long lu_before(const struct lu *m, long j, int pe)
{
    const long full = j / m->width, mine = full / bench_job.npes + (full % bench_job.npes > pe);

    return mine * m->width + (full % bench_job.npes == pe ? j % m->width : 0);
}

long lu_width(const struct lu *m, long block)
{
    const long left = m->n - block * m->width;

    return left < m->width ? left : m->width;
}

/* Whole cache lines, an odd number of them: columns must not all fall into the same sets. */
static long leading(long n)
{
    const long lines = (n + LINE - 1) / LINE;

    return (lines | 1) * LINE;
}

/* Whether another PE's columns can't be reached by loads. The same question has one answer for all PEs of a machine
 * only. */
static bool far_away(const struct lu *m)
{
    for (int pe = 0; pe < bench_job.npes; pe++)
        if (!shmem_ptr(m->a, pe))
            return true;
    return false;
}

bool lu_new(struct lu *m, long n, long width, bool copies)
{
    const size_t npes = (size_t)bench_job.npes, align = 4096;
    size_t most, slots;

    *m = (struct lu){.n = n, .width = width, .blocks = (n + width - 1) / width, .lda = leading(n)};
    m->columns = lu_before(m, n + 1, bench_job.me);
    most = (size_t)lu_before(m, n + 1, 0); /* nobody has more than PE 0 */
    slots = ((size_t)m->blocks / npes + 1) * npes;
    m->a = shmem_align(align, most * (size_t)m->lda * sizeof(double));
    m->x = shmem_align(align, (size_t)n * sizeof(double));
    m->pivot = shmem_align(align, (size_t)n * sizeof(int));
    m->ready = shmem_align(align, (size_t)m->blocks * sizeof(long));
    m->inbox = shmem_align(align, slots * (size_t)width * sizeof(double));
    m->arrived = shmem_align(align, slots * sizeof(long));
    m->y = malloc((size_t)n * sizeof(double));
    if (!m->a || !m->x || !m->pivot || !m->ready || !m->inbox || !m->arrived) {
        lu_free(m);
        return false;
    }
    if (copies || far_away(m))
        m->panel = aligned_alloc(64, (size_t)(m->lda * width) * sizeof(double));
    if (!m->y || ((copies || far_away(m)) && !m->panel))
        bench_job_fatal("PE %d: no memory for a panel of %ld x %ld", bench_job.me, n, width);
    return true;
}

void lu_free(struct lu *m)
{
    shmem_barrier_all();
    free(m->y);
    free(m->panel);
    shmem_free(m->arrived);
    shmem_free(m->inbox);
    shmem_free(m->ready);
    shmem_free(m->pivot);
    shmem_free(m->x);
    shmem_free(m->a);
}

/* A full period generator's output function (Steele, Lea, Flood 2014) at one place of its sequence. */
static inline double element(long n, long i, long j)
{
    uint64_t z = ((uint64_t)j * (uint64_t)n + (uint64_t)i + 1) * 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    z ^= z >> 31;
    return (double)(int64_t)z * 0x1p-64;
}

/* The global column of my column c. */
static long global(const struct lu *m, long c)
{
    return (c / m->width * bench_job.npes + bench_job.me) * m->width + c % m->width;
}

void lu_fill(struct lu *m)
{
    for (long c = 0; c < m->columns; c++) {
        const long j = global(m, c);

        for (long i = 0; i < m->n; i++)
            m->a[c * m->lda + i] = element(m->n, i, j);
    }
    memset(m->ready, 0, (size_t)m->blocks * sizeof(long));
    memset(m->arrived, 0, (size_t)((m->blocks / bench_job.npes + 1) * bench_job.npes) * sizeof(long));
    shmem_barrier_all();
}

static double largest(const double *v, long n)
{
    double most = 0;

    for (long i = 0; i < n; i++)
        most = fmax(most, isnan(v[i]) ? INFINITY : fabs(v[i]));
    return most;
}

double lu_residual(const struct lu *m)
{
    const size_t n = (size_t)m->n;
    double *const product = shmem_malloc(4 * n * sizeof(double)), residual;
    double *const rows = product + n, *const sums = product + 2 * n, *const b = calloc(n, sizeof(double));

    if (!product || !b)
        bench_job_fatal("PE %d: no memory for the check of order %ld", bench_job.me, m->n);
    memset(product, 0, 2 * n * sizeof(double));
    for (long c = 0; c < m->columns; c++) {
        const long j = global(m, c);

        for (long i = 0; i < m->n && j < m->n; i++) {
            const double e = element(m->n, i, j);

            product[i] += e * m->x[j];
            rows[i] += fabs(e);
        }
    }
    shmem_barrier_all();
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sums, product, 2 * n);
    for (long i = 0; i < m->n; i++) {
        b[i] = element(m->n, i, m->n);
        sums[i] -= b[i];
    }
    residual = largest(sums, m->n) /
               (DBL_EPSILON / 2 * (largest(sums + n, m->n) * largest(m->x, m->n) + largest(b, m->n)) * (double)m->n);
    free(b);
    shmem_free(product);
    return residual;
}
