/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The right-hand side: fluxes by central differences, viscous terms by second ones, fourth-order dissipation, whose
 * weights change beside the boundary. Vectors begin at multiples of eight lanes, whatever the row's first point is:
 * those that lie outside the row are computed, too, but not kept.
 */
#include "cfd.h"
#include "common/turn.h"

#include <string.h>

#define TABLE (2 * CFD_MOST)
#define PLACES 5 /* coordinates 1, 2, inside, n - 3, n - 2 */

/*
 * What dissipation and diffusion in direction d take, by distance -2 … 2: of the coordinate that is the lane, of n - 1
 * - lane
 * + CFD_MOST, and of a coordinate that all lanes have.
 */
static struct {
    int n;
    double rising[3][CFD_WEIGHTS][TABLE], falling[3][CFD_WEIGHTS][2 * TABLE];
    double fixed[3][PLACES][CFD_WEIGHTS][NPB_WIDE];
} tables;

void cfd_weights(int i, int n, double w[CFD_WEIGHTS])
{
    static const double inside[CFD_WEIGHTS] = {1, -4, 6, -4, 1};

    memcpy(w, inside, sizeof inside);
    if (i == 1 || i == 2)
        w[0] = 0;
    if (i == n - 2 || i == n - 3)
        w[4] = 0;
    if (i == 1 || i == n - 2) {
        w[2] = 5;
        w[i == 1 ? 1 : 3] = 0;
    }
}

static void all_weights(int i, int n, double diffusion, double w[CFD_WEIGHTS])
{
    static const double second[CFD_WEIGHTS] = {0, 1, -2, 1, 0};

    cfd_weights(i, n, w);
    for (int o = 0; o < CFD_WEIGHTS; o++)
        w[o] = CFD_DISSIPATION * w[o] - diffusion * (n - 1) * (n - 1) * second[o];
}

static void make_tables(int n)
{
    static const double diffusion[3] = {0.75, 0.75, 1};
    const int places[PLACES] = {1, 2, 3, n - 3, n - 2};
    double w[CFD_WEIGHTS];

    tables.n = n;
    for (int d = 0; d < 3; d++) {
        for (int i = 0; i < n; i++) {
            all_weights(i, n, diffusion[d], w);
            for (int o = 0; o < CFD_WEIGHTS; o++)
                tables.rising[d][o][i] = tables.falling[d][o][CFD_MOST + n - 1 - i] = w[o];
        }
        for (int p = 0; p < PLACES; p++) {
            all_weights(places[p], n, diffusion[d], w);
            for (int o = 0; o < CFD_WEIGHTS; o++)
                for (int i = 0; i < NPB_WIDE; i++)
                    tables.fixed[d][p][o][i] = w[o];
        }
    }
}

/* Of a vector whose lanes begin at i: w[o] + (i & lanes). */
struct weights {
    const double *w[CFD_WEIGHTS];
    long lanes;
};

/* For direction d, `place` being the coordinate of lane 0, which rises, falls or stays by `slope` a lane. */
static struct weights pick_weights(int n, int d, int place, int slope)
{
    const int kind = place == 1 ? 0 : place == 2 ? 1 : place == n - 3 ? 3 : place == n - 2 ? 4 : 2;
    struct weights p = {.lanes = slope == 0 ? 0 : -1};

    for (int o = 0; o < CFD_WEIGHTS; o++)
        p.w[o] = slope == 0  ? tables.fixed[d][kind][o]
                 : slope > 0 ? &tables.rising[d][o][place]
                             : &tables.falling[d][o][CFD_MOST + n - 1 - place];
    return p;
}

NPB_CLONES static void extras_row(const double *restrict u, double *restrict e, long lanes, long count)
{
    for (long i = 0; i < count; i++) {
        const double inverse = 1 / u[i];
        const double x = u[lanes + i] * inverse, y = u[2 * lanes + i] * inverse, z = u[3 * lanes + i] * inverse;

        e[i] = inverse;
        e[lanes + i] = x;
        e[2 * lanes + i] = y;
        e[3 * lanes + i] = z;
        e[4 * lanes + i] = 0.5 * (x * x + y * y + z * z);
    }
}

/* Rows with their boundary: a skewed one has points (y, row - y) for 0 <= y < n only. */
void cfd_extras(struct cfd *c)
{
    for (int slab = c->from - 1; slab <= c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const int low = c->layout == CFD_SKEWED && row >= c->n ? row - c->n + 1 : 0;
            const int high = c->layout == CFD_SKEWED && row < c->n ? row : c->n - 1;
            const long at = slab * c->slab + row * 5 * c->lanes + low;

            extras_row(c->u + at, c->extra + at, c->lanes, high - low + 1);
        }
}

typedef int64_t lane_mask __attribute__((vector_size(NPB_WIDE * sizeof(int64_t))));

/* A row: quantity m of lane i is m * lanes + i further. */
struct row {
    const double *u, *e, *forcing;
    double *rhs;
    long lanes, first, count; /* the lanes to compute */
    struct weights w[3];
};

#define AT(p) (*(const npb_loose *)(p))

/*
 * What one direction adds at the vector of lanes from i on: `v` is the number of its velocity, s the words to the next
 * point, t1 = 1 / h^2, t2 = 1 / 2h.
 */
NPB_INLINE void direction(npb_vector sum[5], const struct row *r, long i, long s, int v, double t1, double t2)
{
    const double viscous = CFD_C34 * t1;
    const double heat = viscous * (1 - CFD_C1C5), along = viscous / 6, conduct = viscous * CFD_C1C5;
    const long lanes = r->lanes;
    const double *const u = r->u + i, *const e = r->e + i;
    const double *const vel = e + v * lanes, *const q = e + CFD_ENERGY * lanes, *const u5 = u + 4 * lanes;
    const double *const *const w = r->w[v - 1].w;
    const long at = i & r->w[v - 1].lanes;
    const npb_vector up = AT(vel + s), down = AT(vel - s), here = AT(vel);
    const npb_vector square_up = AT(q + s) * AT(u + s), square_down = AT(q - s) * AT(u - s);

    sum[0] -= t2 * (AT(u + v * lanes + s) - AT(u + v * lanes - s));
    NPB_UNROLL
    for (int m = 1; m < 4; m++) {
        const double *const um = u + m * lanes, *const em = e + m * lanes;

        sum[m] += (m == v ? 4.0 / 3 : 1) * viscous * (AT(em + s) - 2 * AT(em) + AT(em - s)) -
                  t2 * (AT(um + s) * up - AT(um - s) * down);
    }
    sum[v] -= t2 * CFD_C2 * (AT(u5 + s) - square_up - AT(u5 - s) + square_down);
    sum[4] +=
        heat * (AT(q + s) - 2 * AT(q) + AT(q - s)) + along * (up * up - 2 * here * here + down * down) +
        conduct * (AT(u5 + s) * AT(e + s) - 2 * AT(u5) * AT(e) + AT(u5 - s) * AT(e - s)) -
        t2 * ((CFD_C1 * AT(u5 + s) - CFD_C2 * square_up) * up - (CFD_C1 * AT(u5 - s) - CFD_C2 * square_down) * down);
    NPB_UNROLL
    for (int m = 0; m < 5; m++) {
        const double *const um = u + m * lanes;

        sum[m] -= AT(w[0] + at) * AT(um - 2 * s) + AT(w[1] + at) * AT(um - s) + AT(w[2] + at) * AT(um) +
                  AT(w[3] + at) * AT(um + s) + AT(w[4] + at) * AT(um + 2 * s);
    }
}

NPB_CLONES static void row_rhs(const struct row *r, const long step[3], int n, double factor)
{
    const lane_mask lane = {0, 1, 2, 3, 4, 5, 6, 7};
    const double t1 = (double)(n - 1) * (n - 1), t2 = 0.5 * (n - 1);
    const long next = 5 * r->lanes, slab = step[0] > step[2] ? step[0] : step[2];

    for (long i = r->first / NPB_WIDE * NPB_WIDE; i < r->first + r->count; i += NPB_WIDE) {
        const lane_mask inside = (lane + i >= r->first) & (lane + i < r->first + r->count);
        npb_vector sum[5];

        NPB_UNROLL
        for (int m = 0; m < 5; m++) {
            const long at = i + m * r->lanes;

            sum[m] = *(const npb_vector *)(r->forcing + at);
            __builtin_prefetch(r->u + at + next + 2 * slab);
            __builtin_prefetch(r->e + at + next + slab);
            __builtin_prefetch(r->forcing + at + next);
            __builtin_prefetch(r->rhs + at + next, 1);
        }
        direction(sum, r, i, step[0], 1, t1, t2);
        direction(sum, r, i, step[1], 2, t1, t2);
        direction(sum, r, i, step[2], 3, t1, t2);
        NPB_UNROLL
        for (int m = 0; m < 5; m++)
            *(lane_mask *)(r->rhs + i + m * r->lanes) = (lane_mask)(sum[m] * factor) & inside;
    }
}

void cfd_rhs(struct cfd *c, double factor)
{
    static const int slopes[2][3] = {[CFD_PLAIN] = {1, 0, 0}, [CFD_SKEWED] = {0, -1, 1}};

    if (tables.n != c->n)
        make_tables(c->n);
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);
            const long lane = run.first[c->layout == CFD_PLAIN ? 0 : 2], at = run.at - lane;
            struct row r = {c->u + at, c->extra + at, c->forcing + at, c->rhs + at,
                            c->lanes,  lane,          run.count,       {{{0}, 0}}};

            if (run.count <= 0)
                continue;
            for (int d = 0; d < 3; d++)
                r.w[d] = pick_weights(c->n, d, run.first[d] - slopes[c->layout][d] * (int)lane, slopes[c->layout][d]);
            row_rhs(&r, c->step, c->n, factor);
        }
}

void cfd_update(struct cfd *c, double factor)
{
    cfd_exchange(c);
    cfd_extras(c);
    cfd_rhs(c, factor);
}

NPB_CLONES static void add_row(double *restrict u, const double *restrict v, double factor, long lanes, long count)
{
    for (int m = 0; m < 5; m++)
        for (long i = 0; i < count; i++)
            u[m * lanes + i] += factor * v[m * lanes + i];
}

void cfd_add(const struct cfd *c, double factor)
{
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);

            add_row(c->u + run.at, c->rhs + run.at, factor, c->lanes, run.count);
        }
}
