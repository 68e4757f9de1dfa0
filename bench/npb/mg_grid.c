/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The grids of MG plane by plane, and what goes from PE to PE.
 */
#include "mg_grid.h"

#include "mg_loops.h"

#include <string.h>

#define WHOLE 8 /* grids of so few points in a direction take longer to exchange than to compute */
#define LINE 8  /* words of a cache line */
#define CHARGES 10

enum { FROM_BELOW, FROM_ABOVE, FROM_BEFORE, FROM_BEHIND, SIGNALS };

/* PEs beside each other in a plane, a power of two: as few ghosts as can be, where those of rows, which lie apart,
 * count half as much again. */
static int choose_wide(void)
{
    const int npes = bench_job.npes;
    int best = 1;
    double least = npes;

    for (int wide = 2; wide * wide <= npes; wide *= 2) {
        const double ghosts = npes / wide + 1.5 * wide;

        if (ghosts < least) {
            least = ghosts;
            best = wide;
        }
    }
    return best;
}

void mg_grid_make(struct mg_grid *g, int log2_n)
{
    const int wide = choose_wide(), high = bench_job.npes / wide;
    size_t words;

    g->n = 1 << log2_n;
    g->whole = bench_job.npes == 1 || g->n <= WHOLE || g->n / high < 2; /* high >= wide */
    g->cut = !g->whole && wide > 1;
    g->planes = g->whole ? g->n : g->n / high;
    g->from = g->whole ? 0 : bench_job.me / wide * g->planes;
    g->rows = g->cut ? g->n / wide : g->n;
    g->first = g->cut ? bench_job.me % wide * g->rows : 0;
    /* Off the powers of two, else rows and planes beside each other fall into the same places of the caches. */
    g->row = g->n + LINE;
    g->plane = (g->rows + 2 * g->cut) * g->row + 3 * LINE;
    words = (size_t)g->plane * (size_t)(g->planes + 2);
    g->data = bench_job.npes == 1 ? npb_private(words * sizeof *g->data) : npb_symmetric(words * sizeof *g->data);
    g->data += g->plane + g->cut * g->row;
    g->signal = npb_symmetric(SIGNALS * sizeof *g->signal);
    g->exchanges = 0;
}

/* Plane z of the whole grid, which must be in my block or beside it: my first row. */
static double *plane_at(const struct mg_grid *g, int z)
{
    if (g->whole)
        z = (z + g->n) % g->n;
    return g->data + (z - g->from) * g->plane;
}

static struct mg_planes planes_at(const struct mg_grid *g, int z)
{
    return (struct mg_planes){plane_at(g, z - 1), plane_at(g, z), plane_at(g, z + 1), g->n, g->rows, g->row, !g->cut};
}

void mg_grid_clear(struct mg_grid *g)
{
    const int ghosts = !g->whole;

    memset(g->data - ghosts * g->plane - g->cut * g->row, 0,
           (size_t)(g->planes + 2 * ghosts) * (size_t)g->plane * sizeof *g->data);
}

static void exchange_planes(struct mg_grid *g, int wide)
{
    const int npes = bench_job.npes, up = (bench_job.me + wide) % npes, down = (bench_job.me + npes - wide) % npes;
    const size_t bytes = (size_t)((g->rows - 1) * g->row + g->n) * sizeof *g->data;
    double *const last = g->data + (g->planes - 1) * g->plane;

    shmem_putmem_signal_nbi(last + g->plane, g->data, bytes, &g->signal[FROM_ABOVE], g->exchanges, SHMEM_SIGNAL_SET,
                            down);
    shmem_putmem_signal_nbi(g->data - g->plane, last, bytes, &g->signal[FROM_BELOW], g->exchanges, SHMEM_SIGNAL_SET,
                            up);
    shmem_uint64_wait_until_all(g->signal, 2, NULL, SHMEM_CMP_GE, g->exchanges);
}

/* The row `from` of all planes, those that have just come among them, to the row `to` of a PE. */
static void put_rows(struct mg_grid *g, int from, int to, int pe, int signal)
{
    const size_t bytes = (size_t)g->n * sizeof *g->data;
    int z = -1;

    for (; z < g->planes; z++)
        shmem_putmem_nbi(g->data + z * g->plane + to * g->row, g->data + z * g->plane + from * g->row, bytes, pe);
    shmem_fence();
    shmem_putmem_signal_nbi(g->data + z * g->plane + to * g->row, g->data + z * g->plane + from * g->row, bytes,
                            &g->signal[signal], g->exchanges, SHMEM_SIGNAL_SET, pe);
}

static void exchange_rows(struct mg_grid *g, int wide)
{
    const int j = bench_job.me % wide, line = bench_job.me - j;

    put_rows(g, 0, g->rows, line + (j + wide - 1) % wide, FROM_BEHIND);
    put_rows(g, g->rows - 1, -1, line + (j + 1) % wide, FROM_BEFORE);
    shmem_uint64_wait_until_all(g->signal + FROM_BEFORE, 2, NULL, SHMEM_CMP_GE, g->exchanges);
}

void mg_grid_exchange(struct mg_grid *g)
{
    const int wide = g->n / g->rows;

    if (g->whole)
        return;
    g->exchanges++;
    shmem_fence(); /* what this grid's last exchange put comes before what this one does */
    exchange_planes(g, wide);
    if (g->cut)
        exchange_rows(g, wide);
    shmem_quiet(); /* what was put may be written again */
}

void mg_grid_residual(struct mg_grid *r, const struct mg_grid *v, const struct mg_grid *u, const struct mg_stencil *s)
{
    for (int z = r->from; z < r->from + r->planes; z++) {
        const struct mg_planes p = planes_at(u, z);

        mg_loops_residual(plane_at(r, z), plane_at(v, z), &p, s);
    }
}

void mg_grid_smooth(struct mg_grid *u, const struct mg_grid *r, const struct mg_stencil *s)
{
    for (int z = u->from; z < u->from + u->planes; z++) {
        const struct mg_planes p = planes_at(r, z);

        mg_loops_smooth(plane_at(u, z), &p, s);
    }
}

/* My block of a whole grid to all others, and theirs here. Exchanges keep neighbours in step; a PE further off may
 * still use what this grid was. */
static void share(struct mg_grid *g, int from, int planes, int first, int rows)
{
    const size_t bytes = (size_t)((rows - 1) * g->row + g->n) * sizeof *g->data;

    if (bench_job.npes > 3)
        shmem_barrier_all();
    for (int i = 1; i < bench_job.npes; i++)
        for (int z = from; z < from + planes; z++)
            shmem_putmem_nbi(plane_at(g, z) + first * g->row, plane_at(g, z) + first * g->row, bytes,
                             (bench_job.me + i) % bench_job.npes);
    shmem_barrier_all();
}

void mg_grid_restrict(struct mg_grid *coarse, const struct mg_grid *fine)
{
    const int from = fine->from / 2, planes = fine->planes / 2, first = fine->first / 2, rows = fine->rows / 2;

    for (int z = from; z < from + planes; z++) {
        const struct mg_planes p = planes_at(fine, 2 * z + 1);

        mg_loops_restrict(plane_at(coarse, z) + (first - coarse->first) * coarse->row, coarse->row, &p);
    }
    if (coarse->whole && !fine->whole)
        share(coarse, from, planes, first, rows);
    else
        mg_grid_exchange(coarse);
}

void mg_grid_prolong(struct mg_grid *fine, const struct mg_grid *coarse)
{
    const int ghosts = !fine->whole;
    const struct mg_rows rows = {-fine->cut, fine->rows + fine->cut, fine->first - 2 * coarse->first, fine->row};

    for (int z = fine->from - ghosts; z < fine->from + fine->planes + ghosts; z++) {
        const int above = (z + 2) / 2 - 1, below = z % 2 ? above : above - 1;
        const struct mg_planes p = {
            plane_at(coarse, below), plane_at(coarse, above), NULL, coarse->n, coarse->rows, coarse->row, !coarse->cut};

        mg_loops_prolong(plane_at(fine, z), &rows, &p);
    }
}

double mg_grid_squares(const struct mg_grid *r)
{
    double sum = 0;

    for (int z = r->from; z < r->from + r->planes; z++)
        sum += mg_loops_squares(plane_at(r, z), r->n, r->rows, r->row);
    return sum;
}

/* The largest values of the random field, the largest of the negative field, and where they are. */
struct extremes {
    double value[2][CHARGES]; /* descending */
    long at[2][CHARGES];
};

static void consider(struct extremes *e, int side, double value, long at)
{
    int i = CHARGES - 1;

    if (value <= e->value[side][i])
        return;
    for (; i > 0 && e->value[side][i - 1] < value; i--) {
        e->value[side][i] = e->value[side][i - 1];
        e->at[side][i] = e->at[side][i - 1];
    }
    e->value[side][i] = value;
    e->at[side][i] = at;
}

static void extremes_begin(struct extremes *e)
{
    for (int i = 0; i < 2 * CHARGES; i++)
        e->value[i / CHARGES][i % CHARGES] = -2;
}

static void extremes_of_mine(const struct mg_grid *v, struct extremes *e)
{
    const long n = v->n;

    extremes_begin(e);
    for (int z = v->from; z < v->from + v->planes; z++) {
        const long from = (z * n + v->first) * n;
        uint64_t x = npb_random_skip(NPB_RANDOM_SEED, (uint64_t)from);

        for (long i = from; i < from + v->rows * n; i++) {
            const double value = npb_random(&x);

            consider(e, 0, value, i);
            consider(e, 1, -value, i);
        }
    }
}

void mg_grid_charge(struct mg_grid *v)
{
    const int npes = bench_job.npes, me = bench_job.me;
    struct extremes *const of = npb_symmetric((size_t)npes * sizeof *of), all;

    extremes_of_mine(v, &of[me]);
    for (int i = 1; i < npes; i++)
        shmem_putmem(&of[me], &of[me], sizeof *of, (me + i) % npes);
    shmem_barrier_all();
    extremes_begin(&all);
    for (int i = 0; i < npes * 2 * CHARGES; i++) {
        const int pe = i / (2 * CHARGES), side = i / CHARGES % 2, k = i % CHARGES;

        if (pe == 0 || !v->whole)
            consider(&all, side, of[pe].value[side][k], of[pe].at[side][k]);
    }
    mg_grid_clear(v);
    for (int i = 0; i < 2 * CHARGES; i++) {
        const long at = all.at[i / CHARGES][i % CHARGES], n = v->n;
        const int z = (int)(at / (n * n)), y = (int)(at / n % n) - v->first;

        if (z >= v->from && z < v->from + v->planes && y >= 0 && y < v->rows)
            plane_at(v, z)[y * v->row + at % n] = i < CHARGES ? 1 : -1;
    }
    shmem_free(of);
}
