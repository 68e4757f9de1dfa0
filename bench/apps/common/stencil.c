/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The stencil's grid and its check: what happens to a process's rows in so many steps depends on as many rows more
 * above and below, so each computes those from the beginning, alone, once, and compares.
 */
#include "stencil.h"
#include "stencil_local.h"

#include <stdlib.h>
#include <string.h>

static long rows, columns = 1024, steps = 10;
struct stencil stencil;

const struct bench_option stencil_options[] = {
    {"rows", BENCH_LONG, &rows, "rows of each process (default 1024, with --quick 128)"},
    {"columns", BENCH_LONG, &columns, "of the grid (default 1024)"},
    {"steps", BENCH_LONG, &steps, "in a run (default 10)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static double *expected; /* this process's rows after a run */

const char *stencil_setup(size_t *bytes)
{
    if (rows == 0)
        rows = bench_options.quick ? 128 : 1024;
    if (rows < 1 || rows > 65536 || columns < 3 || columns > 65536)
        return "--rows: from 1 to 65536, --columns: from 3 to 65536";
    if (steps < 1 || steps > 1000)
        return "--steps: from 1 to 1000";
    stencil.rows = (int)rows;
    stencil.columns = (int)columns;
    stencil.steps = (int)steps;
    *bytes = sizeof(double) * (size_t)(rows + 2) * (size_t)columns;
    return NULL;
}

/* Rows are numbered over all processes, from -1, which is fixed, on. */
static void fill_row(double *to, long row)
{
    for (long j = 0; j < columns; j++)
        to[j] = app_real(((uint64_t)(row + 1) << 32) + (uint64_t)j);
}

static void prepare(void)
{
    const long first = rows * app_job.me - 1, last = rows * app_job.npes;

    for (int g = 0; g < 2; g++)
        for (long i = 0; i < rows + 2; i++) {
            double *const row = stencil.grid[g] + i * columns;
            const bool ghost = (i == 0 && first >= 0) || (i == rows + 1 && first + i < last);

            if (ghost)
                memset(row, 0xff, sizeof *row * (size_t)columns); /* not a number: must be brought */
            else
                fill_row(row, first + i);
        }
}

/* Rows low to high, both fixed here, though they aren't where the grid goes on: that reaches ours too late. */
static void solve(void)
{
    const long mine = rows * app_job.me, end = rows * app_job.npes;
    const long low = mine - steps - 1 > -1 ? mine - steps - 1 : -1;
    const long high = mine + rows + steps < end ? mine + rows + steps : end;
    double *grid[2];

    for (int g = 0; g < 2; g++) {
        grid[g] = app_alloc(sizeof(double) * (size_t)(high - low + 1) * (size_t)columns);
        for (long i = low; i <= high; i++)
            fill_row(grid[g] + (i - low) * columns, i);
    }
    for (long s = 0; s < steps; s++)
        stencil_local((int)(high - low - 1), (int)columns, (double (*)[columns])grid[(s + 1) % 2],
                      (double (*)[columns])grid[s % 2]);
    expected = app_alloc(sizeof(double) * (size_t)rows * (size_t)columns);
    memcpy(expected, grid[steps % 2] + (mine - low) * columns, sizeof(double) * (size_t)rows * (size_t)columns);
    free(grid[0]);
    free(grid[1]);
}

static bool check(void)
{
    const double *const is = stencil.grid[steps % 2] + columns;

    if (!expected)
        solve();
    for (long i = 0; i < rows * columns; i++)
        if (!(fabs(is[i] - expected[i]) <= 1e-14))
            return false;
    return true;
}

/* Additions and multiplications. */
static double work(void)
{
    const double inner = (double)rows * app_job.npes * (double)(columns - 2);

    return 4 * inner * (double)steps;
}

static void params(struct bench_params *p)
{
    bench_param_integer(p, "rows_per_pe", rows);
    bench_param_integer(p, "columns", columns);
    bench_param_integer(p, "steps", steps);
}

const struct app_problem stencil_problem = {"stencil", params, prepare, check, work, "Mflop/s"};
