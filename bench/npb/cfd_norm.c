/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Root-mean-square norms of the right-hand side and of the distance to the exact solution.
 */
#include "cfd.h"

#include <stdio.h>

static void finish(const struct cfd *c, double norm[5])
{
    const double points = (double)(c->n - 2) * (c->n - 2) * (c->n - 2);

    npb_sum(norm, 5);
    for (int m = 0; m < 5; m++)
        norm[m] = sqrt(norm[m] / points);
}

/* Calls `add` for each of my interior points. */
static void each_point(const struct cfd *c, double norm[5],
                       void (*add)(const struct cfd *c, const int point[3], long at, double norm[5]))
{
    const int rise[2][3] = {[CFD_PLAIN] = {1, 0, 0}, [CFD_SKEWED] = {0, -1, 1}};

    for (int m = 0; m < 5; m++)
        norm[m] = 0;
    for (int slab = c->from; slab < c->from + c->slabs; slab++)
        for (int row = 0; row < c->rows; row++) {
            const struct cfd_run run = cfd_run(c, slab, row);

            for (int i = 0; i < run.count; i++) {
                int point[3];

                for (int d = 0; d < 3; d++)
                    point[d] = run.first[d] + i * rise[c->layout][d];
                add(c, point, run.at + i, norm);
            }
        }
    finish(c, norm);
}

static void add_rhs(const struct cfd *c, const int point[3], long at, double norm[5])
{
    (void)point;
    for (int m = 0; m < 5; m++)
        norm[m] += c->rhs[at + m * c->lanes] * c->rhs[at + m * c->lanes];
}

static void add_error(const struct cfd *c, const int point[3], long at, double norm[5])
{
    double exact[5];

    cfd_exact(c->n, point[0], point[1], point[2], exact);
    for (int m = 0; m < 5; m++) {
        const double error = c->u[at + m * c->lanes] - exact[m];

        norm[m] += error * error;
    }
}

void cfd_rhs_norm(const struct cfd *c, double norm[5])
{
    each_point(c, norm, add_rhs);
}

void cfd_error_norm(const struct cfd *c, double norm[5])
{
    each_point(c, norm, add_error);
}

static bool same(const char *what, const double got[5], const double expected[5])
{
    bool right = true;

    for (int m = 0; m < 5; m++) {
        char name[64];

        snprintf(name, sizeof name, "norm of the %s, quantity %d", what, m + 1);
        right = npb_same(name, got[m], expected[m], 1e-8) && right;
    }
    return right;
}

bool cfd_right(const struct cfd *c, const struct cfd_facts *f)
{
    double rhs[5], error[5];
    bool right;

    cfd_rhs_norm(c, rhs);
    cfd_error_norm(c, error);
    right = same("right-hand side", rhs, f->rhs);
    return same("error", error, f->error) && right;
}
