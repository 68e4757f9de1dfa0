/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each PE makes all the vectors, as their random numbers come in one sequence, but only its own part of the sum.
 */
#include "cg_matrix.h"

#include <stdlib.h>
#include <string.h>

#define CACHE_BYTES (32 << 10)

/* Vector i's elements, its own row among them, are i * most to i * most + count[i] - 1. */
struct vectors {
    int most;
    int *count;
    int32_t *row;
    double *element;
};

/* Which elements of my rows there are: of each row, the vectors that have it. */
struct touching {
    int64_t *start;
    int64_t *at; /* in vectors.row */
};

static bool has(const int32_t *rows, int n, int32_t row)
{
    for (int k = 0; k < n; k++)
        if (rows[k] == row)
            return true;
    return false;
}

/* Random rows, different from each other: those past n, of the next power of two, are passed over. */
static void make_vector(const struct cg_problem *p, struct vectors *v, long i, double power, uint64_t *x)
{
    int32_t *const row = v->row + i * v->most;
    double *const element = v->element + i * v->most;
    int n = 0;

    while (n < p->nonzero) {
        const double value = npb_random(x);
        const int32_t at = (int32_t)(power * npb_random(x));

        if (at >= p->n || has(row, n, at))
            continue;
        row[n] = at;
        element[n++] = value;
    }
    for (int k = 0; k < n; k++)
        if (row[k] == i) {
            element[k] = 0.5;
            v->count[i] = n;
            return;
        }
    row[n] = (int32_t)i;
    element[n] = 0.5;
    v->count[i] = n + 1;
}

static void make_vectors(const struct cg_problem *p, struct vectors *v)
{
    uint64_t x = npb_random_skip(NPB_RANDOM_SEED, 1); /* the first number is left out */
    double power = 1;

    while (power < (double)p->n)
        power *= 2;
    v->most = p->nonzero + 1;
    v->count = npb_private((size_t)p->n * sizeof *v->count);
    v->row = npb_private((size_t)(p->n * v->most) * sizeof *v->row);
    v->element = npb_private((size_t)(p->n * v->most) * sizeof *v->element);
    for (long i = 0; i < p->n; i++)
        make_vector(p, v, i, power, &x);
}

/* In the order of the vectors. */
static void find_touching(const struct cg_problem *p, const struct vectors *v, const struct cg_matrix *a,
                          struct touching *t)
{
    int64_t *next = npb_private((size_t)(a->rows + 1) * sizeof *next), sum = 0;

    t->start = npb_private((size_t)(a->rows + 1) * sizeof *t->start);
    for (int pass = 0; pass < 2; pass++) {
        for (long i = 0; i < p->n; i++)
            for (int64_t k = i * v->most; k < i * v->most + v->count[i]; k++) {
                const long row = v->row[k] - a->from;

                if (row < 0 || row >= a->rows)
                    continue;
                if (pass)
                    t->at[next[row]] = k;
                next[row]++;
            }
        for (long row = 0; row < a->rows && !pass; row++) {
            const int64_t n = next[row];

            t->start[row] = next[row] = sum;
            sum += n;
        }
        if (pass)
            break;
        t->start[a->rows] = sum;
        t->at = npb_private((size_t)(sum + 1) * sizeof *t->at);
    }
    free(next);
}

/* The place of each column in my vector; -1: it is another PE's. */
static int32_t *make_places(const struct cg_problem *p, const struct cg_grid *g)
{
    int32_t *const place = npb_private((size_t)p->n * sizeof *place);

    memset(place, 0xff, (size_t)p->n * sizeof *place);
    for (int i = 0; i < g->high; i++) {
        long row, at, rows = npb_part(p->n, g->high, i, &row), n = npb_part(rows, g->wide, g->j, &at);

        for (long k = 0; k < n; k++)
            place[row + at + k] = (int32_t)(i * g->stride + k);
    }
    return place;
}

static int ascending(const void *a, const void *b)
{
    const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;

    return (x > y) - (x < y);
}

/* Sums the row's contributions into `sum`, whose elements are zero before and after. Returns how many elements there
 * are. */
static int64_t make_row(const struct cg_problem *p, const struct vectors *v, const struct touching *t,
                        const int32_t *place, const double *weight, struct cg_matrix *a, long row, double *sum,
                        char *seen)
{
    const int64_t start = a->start[row];
    const int32_t diagonal = place[a->from + row];
    int64_t n = start;

    for (int64_t j = t->start[row]; j < t->start[row + 1]; j++) {
        const int64_t k = t->at[j], i = k / v->most;
        const double scale = weight[i] * v->element[k];

        for (int64_t l = i * v->most; l < i * v->most + v->count[i]; l++) {
            const int32_t column = place[v->row[l]];

            if (column < 0)
                continue;
            if (!seen[column]) {
                seen[column] = 1;
                a->column[n++] = column;
            }
            sum[column] += v->element[l] * scale;
        }
    }
    if (diagonal >= 0)
        sum[diagonal] += p->rcond - p->shift;
    qsort(a->column + start, (size_t)(n - start), sizeof *a->column, ascending);
    for (int64_t k = start; k < n; k++) {
        a->value[k] = sum[a->column[k]];
        sum[a->column[k]] = 0;
        seen[a->column[k]] = 0;
    }
    for (; (n - start) % CG_LANES != 0; n++) {
        a->value[n] = 0;
        a->column[n] = n > start ? a->column[n - 1] : 0;
    }
    return n;
}

/* At most so many elements: as many as the contributions. */
static int64_t count_contributions(const struct vectors *v, const struct touching *t, const int32_t *place, long rows)
{
    int64_t n = 0;

    for (int64_t j = 0; j < t->start[rows]; j++) {
        const int64_t i = t->at[j] / v->most;

        for (int64_t l = i * v->most; l < i * v->most + v->count[i]; l++)
            n += place[v->row[l]] >= 0;
    }
    return n;
}

/* As narrow as a vector of a column fits the first-level cache, for long rows; as near to a square as can be otherwise.
 */
static struct cg_grid choose_grid(long n)
{
    const int npes = bench_job.npes;
    struct cg_grid g = {.wide = 1};

    for (int wide = 2; wide * wide <= npes && n / g.wide * (long)sizeof(double) > CACHE_BYTES; wide++)
        if (npes % wide == 0)
            g.wide = wide;
    g.high = npes / g.wide;
    g.i = bench_job.me / g.wide;
    g.j = bench_job.me % g.wide;
    g.stride = ((n + g.high - 1) / g.high + g.wide - 1) / g.wide;
    return g;
}

long cg_piece(const struct cg_matrix *a, int j, long *from)
{
    return npb_part(a->rows, a->grid.wide, j, from);
}

void cg_matrix_make(const struct cg_problem *p, struct cg_matrix *a)
{
    double *const weight = npb_private((size_t)p->n * sizeof *weight);
    struct vectors v;
    struct touching t = {0};
    int32_t *place;
    double *sum;
    char *seen;
    int64_t most;
    long columns;

    a->grid = choose_grid(p->n);
    a->rows = npb_part(p->n, a->grid.high, a->grid.i, &a->from);
    place = make_places(p, &a->grid);
    columns = a->grid.high * a->grid.stride;
    sum = npb_private((size_t)columns * sizeof *sum);
    seen = npb_private((size_t)columns);
    make_vectors(p, &v);
    find_touching(p, &v, a, &t);
    most = count_contributions(&v, &t, place, a->rows) + a->rows * (CG_LANES - 1);
    a->start = npb_private((size_t)(a->rows + 1) * sizeof *a->start);
    a->value = npb_private((size_t)most * sizeof *a->value);
    a->column = npb_private((size_t)most * sizeof *a->column);
    for (long i = 0; i < p->n; i++)
        weight[i] = pow(p->rcond, (double)i / (double)p->n);
    for (long row = 0; row < a->rows; row++)
        a->start[row + 1] = make_row(p, &v, &t, place, weight, a, row, sum, seen);
    free(place);
    free(sum);
    free(weight);
    free(seen);
    free(v.count);
    free(v.row);
    free(v.element);
    free(t.start);
    free(t.at);
}
