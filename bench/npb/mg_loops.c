/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG's loops. Sums over a row's neighbours in the other two directions go to line buffers, from which all three points
 * beside each other take them; a buffer's ends are filled for the wrap.
 */
#include "mg_loops.h"

#include "common/clones.h"

#define LINE (MG_LONGEST + 32)
#define FIRST 16 /* where a buffer's point 0 is, so that it is aligned and -1 is there, too */

static double lines[6][LINE] __attribute__((aligned(64)));

/* Where row y lies, which may be one beyond the ends. */
NPB_INLINE long row_at(const struct mg_planes *p, long y)
{
    if (p->wraps)
        y = y < 0 ? y + p->rows : y >= p->rows ? y - p->rows : y;
    return y * p->row;
}

NPB_INLINE void add_rows(double *restrict to, const double *restrict a, const double *restrict b, long n)
{
    for (long x = 0; x < n; x++)
        to[x] = a[x] + b[x];
}

NPB_INLINE void fill_ends(double *line, long n)
{
    line[-1] = line[n - 1];
    line[n] = line[0];
}

/* The sums over the four rows beside a row, and over the four beyond its edges. */
NPB_INLINE void beside(double *restrict faces, double *restrict edges, const double *restrict front,
                       const double *restrict back, const double *restrict low, const double *restrict same,
                       const double *restrict high, long n)
{
    for (long x = 0; x < n; x++) {
        faces[x] = front[x] + back[x] + same[x];
        edges[x] = low[x] + high[x];
    }
    fill_ends(faces, n);
    fill_ends(edges, n);
}

/* Walks over a plane's rows; sum[0 … 2] are of the planes below and above, for the rows before, at and after. */
struct walk {
    double *sum[3];
};

NPB_INLINE void walk_begin(struct walk *w, const struct mg_planes *p)
{
    const long last = row_at(p, -1);

    for (int i = 0; i < 3; i++)
        w->sum[i] = lines[i] + FIRST;
    add_rows(w->sum[0], p->below + last, p->above + last, p->n);
    add_rows(w->sum[1], p->below, p->above, p->n);
}

/* Fills `faces` and `edges` for row y, to be called for one after the other. */
NPB_INLINE void walk_row(struct walk *w, const struct mg_planes *p, long y, double *faces, double *edges)
{
    const long before = row_at(p, y - 1), after = row_at(p, y + 1);
    double *const first = w->sum[0];

    add_rows(w->sum[2], p->below + after, p->above + after, p->n);
    beside(faces, edges, p->at + before, p->at + after, w->sum[0], w->sum[1], w->sum[2], p->n);
    w->sum[0] = w->sum[1];
    w->sum[1] = w->sum[2];
    w->sum[2] = first;
}

NPB_CLONES void mg_loops_residual(double *r, const double *v, const struct mg_planes *u, const struct mg_stencil *s)
{
    const double same = s->c[0], edge = s->c[2], corner = s->c[3];
    double *const faces = lines[3] + FIRST, *const edges = lines[4] + FIRST;
    struct walk w;

    walk_begin(&w, u);
    for (long y = 0; y < u->rows; y++) {
        const double *const at = u->at + y * u->row, *const from = v + y * u->row;
        double *const to = r + y * u->row;

        walk_row(&w, u, y, faces, edges);
        NPB_INDEPENDENT
        for (long x = 0; x < u->n; x++)
            to[x] = from[x] - same * at[x] - edge * (edges[x] + faces[x - 1] + faces[x + 1]) -
                    corner * (edges[x - 1] + edges[x + 1]);
    }
}

NPB_CLONES void mg_loops_smooth(double *u, const struct mg_planes *r, const struct mg_stencil *s)
{
    const double same = s->c[0], face = s->c[1], edge = s->c[2];
    double *const faces = lines[3] + FIRST, *const edges = lines[4] + FIRST, *const copy = lines[5] + FIRST;
    const long n = r->n;
    struct walk w;

    walk_begin(&w, r);
    for (long y = 0; y < r->rows; y++) {
        const double *const at = r->at + y * r->row;
        double *const to = u + y * r->row;

        walk_row(&w, r, y, faces, edges);
        for (long x = 0; x < n; x++)
            copy[x] = at[x];
        fill_ends(copy, n);
        NPB_INDEPENDENT
        for (long x = 0; x < n; x++)
            to[x] += same * copy[x] + face * (copy[x - 1] + copy[x + 1] + faces[x]) +
                     edge * (edges[x] + faces[x - 1] + faces[x + 1]);
    }
}

NPB_CLONES void mg_loops_restrict(double *coarse, long coarse_row, const struct mg_planes *fine)
{
    const long n = fine->n, row = fine->row;
    double *const line = lines[0] + FIRST;

    for (long y = 0; y < fine->rows / 2; y++) {
        const long r0 = 2 * y * row, r1 = r0 + row, r2 = row_at(fine, 2 * y + 2);
        const double *const a = fine->below, *const b = fine->at, *const c = fine->above;
        double *const to = coarse + y * coarse_row;

        for (long x = 0; x < n; x++)
            line[x] = 0.5 * b[r1 + x] + 0.25 * (b[r0 + x] + b[r2 + x] + a[r1 + x] + c[r1 + x]) +
                      0.125 * (a[r0 + x] + a[r2 + x] + c[r0 + x] + c[r2 + x]);
        fill_ends(line, n);
        NPB_INDEPENDENT
        for (long x = 0; x < n / 2; x++)
            to[x] = line[2 * x + 1] + 0.5 * (line[2 * x] + line[2 * x + 2]);
    }
}

NPB_CLONES void mg_loops_prolong(double *fine, const struct mg_rows *rows, const struct mg_planes *c)
{
    const long n = c->n;
    double *const line = lines[0] + FIRST;

    for (long y = rows->from; y < rows->to; y++) {
        const long place = y + rows->at, behind = (place + 2) / 2 - 1;
        const long r1 = row_at(c, behind), r0 = place % 2 ? r1 : row_at(c, behind - 1);
        const double *const a = c->below, *const b = c->at;
        double *const to = fine + y * rows->row;

        for (long x = 0; x < n; x++)
            line[x] = 0.25 * (a[r0 + x] + a[r1 + x] + b[r0 + x] + b[r1 + x]);
        fill_ends(line, n);
        NPB_INDEPENDENT
        for (long x = 0; x < n; x++) {
            to[2 * x] += 0.5 * (line[x - 1] + line[x]);
            to[2 * x + 1] += line[x];
        }
    }
}

NPB_CLONES double mg_loops_squares(const double *r, long n, long rows, long row)
{
    double sum = 0;

    for (long y = 0; y < rows; y++)
        for (long x = 0; x < n; x++)
            sum += r[y * row + x] * r[y * row + x];
    return sum;
}
