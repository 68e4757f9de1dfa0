/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local phase of em3d, and a run. A header so that each language's own compiler compiles it.
 */
#ifndef BENCH_APP_EM3D_LOCAL_H
#define BENCH_APP_EM3D_LOCAL_H

#include "em3d.h"

static void em3d_local(int nodes, int degree, double *restrict value, const double *restrict other,
                       const int *restrict from, const double *restrict weight)
{
    for (int i = 0; i < nodes; i++) {
        double sum = 0;

        for (int d = 0; d < degree; d++)
            sum += *weight++ * other[*from++];
        value[i] -= sum;
    }
}

/* A run; `bring` makes the other processes' values of a kind the ghosts here. */
static __attribute__((unused)) void em3d_run(void (*bring)(struct em3d_side *))
{
    for (int step = 0; step < em3d.steps; step++)
        for (int kind = 0; kind < EM3D_KINDS; kind++) {
            struct em3d_side *const side = &em3d.side[kind], *const other = &em3d.side[!kind];

            app_phase(APP_COMMUNICATION);
            bring(other);
            app_phase(APP_LOCAL);
            em3d_local(em3d.nodes, em3d.degree, side->value, other->value, side->from, side->weight);
        }
}

#endif
