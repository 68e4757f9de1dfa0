/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The difference equation, its check against a run by one process, and copies of faces.
 */
#include "field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct cell value_at(int x, int y, int z)
{
    return (struct cell){(7 * x + 13 * y + 29 * z + 101) % 101 / 101.0, (31 * x + 5 * y + 17 * z + 97) % 97 / 97.0};
}

void field_begin(const struct grid *g, struct cell *f)
{
    for (int x = 0; x < g->size[0] + 2; x++)
        for (int y = 0; y < g->size[1] + 2; y++)
            for (int z = 0; z < g->size[2] + 2; z++)
                f[grid_at(g, x, y, z)] = value_at(g->first[0] + x, g->first[1] + y, g->first[2] + z);
}

/* 24 flops a cell. Both arrays differ, and so do all rows. */
void field_step(const struct grid *g, const struct cell *from, struct cell *to)
{
    const double spread_a = 0.1, spread_b = 0.05, mix = 0.05;
    const size_t row = (size_t)g->size[2] + 2, layer = row * ((size_t)g->size[1] + 2);

    for (int x = 1; x <= g->size[0]; x++)
        for (int y = 1; y <= g->size[1]; y++) {
            const struct cell *restrict c = from + grid_at(g, x, y, 1);
            const struct cell *west = c - layer, *east = c + layer, *south = c - row, *north = c + row;
            struct cell *restrict out = to + grid_at(g, x, y, 1);

            for (int z = 0; z < g->size[2]; z++) {
                const double a = c[z].a, b = c[z].b;
                const double sum_a = west[z].a + east[z].a + south[z].a + north[z].a + c[z - 1].a + c[z + 1].a;
                const double sum_b = west[z].b + east[z].b + south[z].b + north[z].b + c[z - 1].b + c[z + 1].b;

                out[z].a = a + spread_a * (sum_a - 6 * a) + mix * (b - a);
                out[z].b = b + spread_b * (sum_b - 6 * b) + mix * (a - b);
            }
        }
}

static bool same_part(const struct grid *g, const struct cell *f, const struct grid *whole, const struct cell *alone)
{
    for (int x = 1; x <= g->size[0]; x++)
        for (int y = 1; y <= g->size[1]; y++)
            for (int z = 1; z <= g->size[2]; z++) {
                const struct cell got = f[grid_at(g, x, y, z)];
                const struct cell right = alone[grid_at(whole, g->first[0] + x, g->first[1] + y, g->first[2] + z)];

                /* All is between 0 and 1; a compiler may round rows of another length differently. */
                if (!(fabs(got.a - right.a) < 1e-13) || !(fabs(got.b - right.b) < 1e-13))
                    return false;
            }
    return true;
}

bool field_as_alone(const struct grid *g, const struct cell *f, int steps)
{
    static const int one[3] = {1, 1, 1};
    struct grid whole;
    struct cell *now, *next;
    bool same;

    grid_part(&whole, g->n, one, 0);
    now = malloc(grid_cells(&whole) * sizeof *now);
    next = malloc(grid_cells(&whole) * sizeof *next);
    if (!now || !next)
        return false;
    field_begin(&whole, now);
    field_begin(&whole, next);
    for (int i = 0; i < steps; i++) {
        struct cell *const old = now;

        field_step(&whole, now, next);
        now = next;
        next = old;
    }
    same = same_part(g, f, &whole, now);
    free(now);
    free(next);
    return same;
}

static struct cell mark_of(const struct grid *g, int x, int y, int z)
{
    return (struct cell){(g->first[0] + x) * 65536.0 + (g->first[1] + y), g->first[2] + z};
}

void field_mark(const struct grid *g, struct cell *f)
{
    const size_t cells = grid_cells(g);

    for (size_t i = 0; i < cells; i++)
        f[i] = (struct cell){-1, -1};
    for (int x = 1; x <= g->size[0]; x++)
        for (int y = 1; y <= g->size[1]; y++)
            for (int z = 1; z <= g->size[2]; z++)
                f[grid_at(g, x, y, z)] = mark_of(g, x, y, z);
}

/* One layer of ghosts, without its rim, which nobody reads. */
static bool layer_right(const struct grid *g, const struct cell *f, int d, int side)
{
    int low[3] = {1, 1, 1}, high[3] = {g->size[0], g->size[1], g->size[2]};

    low[d] = high[d] = side ? g->size[d] + 1 : 0;
    for (int x = low[0]; x <= high[0]; x++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int z = low[2]; z <= high[2]; z++) {
                const struct cell wanted = mark_of(g, x, y, z), got = f[grid_at(g, x, y, z)];

                if (got.a != wanted.a || got.b != wanted.b)
                    return false;
            }
    return true;
}

bool field_marks_right(const struct grid *g, const struct cell *f)
{
    for (int d = 0; d < 3; d++)
        for (int side = 0; side < 2; side++)
            if (g->neighbour[d][side] >= 0 && !layer_right(g, f, d, side))
                return false;
    return true;
}

void field_pack(const struct cell *f, const struct face *face, struct cell *to)
{
    const struct cell *from = f + face->first;

    for (size_t i = 0; i < face->blocks; i++, from += face->stride)
        for (size_t k = 0; k < face->block; k++)
            *to++ = from[k];
}

void field_unpack(struct cell *f, const struct face *face, const struct cell *from)
{
    struct cell *to = f + face->first;

    for (size_t i = 0; i < face->blocks; i++, to += face->stride)
        for (size_t k = 0; k < face->block; k++)
            to[k] = *from++;
}
