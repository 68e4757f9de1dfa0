/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The local phase of the stencil, and a run. A header so that each language's own compiler compiles it.
 */
#ifndef BENCH_APP_STENCIL_LOCAL_H
#define BENCH_APP_STENCIL_LOCAL_H

#include "stencil.h"

/* Rows 1 to `rows`, without the outermost columns. */
static void stencil_local(int rows, int columns, double to[restrict][columns], double from[restrict][columns])
{
    for (int i = 1; i <= rows; i++)
        for (int j = 1; j < columns - 1; j++)
            to[i][j] = 0.25 * (from[i - 1][j] + from[i + 1][j] + (from[i][j - 1] + from[i][j + 1]));
}

/* A run; `bring` gets the neighbours' rows into a grid, and this process's to them. */
static __attribute__((unused)) void stencil_run(void (*bring)(double *grid))
{
    const int rows = stencil.rows, columns = stencil.columns;

    for (int step = 0; step < stencil.steps; step++) {
        double *const from = stencil.grid[step % 2], *const to = stencil.grid[(step + 1) % 2];

        app_phase(APP_COMMUNICATION);
        bring(from);
        app_phase(APP_LOCAL);
        stencil_local(rows, columns, (double (*)[columns])to, (double (*)[columns])from);
    }
}

#endif
