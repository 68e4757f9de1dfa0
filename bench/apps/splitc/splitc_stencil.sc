/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five-point stencil in Split-C (common/stencil.h): rows go to the neighbours by bulk stores.
 */
#include <split-c/split-c.h>

#include "../common/stencil_local.h"

/* `row` of mine becomes `there` of the neighbour's grid. */
static void give(int proc, double *grid, int row, int there)
{
    const size_t bytes = sizeof(double) * stencil.columns;

    if (proc < 0 || proc >= PROCS)
        return;
    bulk_store(toglobal(proc, grid + there * stencil.columns), grid + row * stencil.columns, bytes);
}

static void bring(double *grid)
{
    give(MYPROC - 1, grid, 1, stencil.rows + 1);
    give(MYPROC + 1, grid, stencil.rows, 0);
    all_store_sync();
}

static void run(void)
{
    stencil_run(bring);
}

static const char *setup(void)
{
    size_t bytes;
    const char *const why = stencil_setup(&bytes);

    if (why)
        return why;
    stencil.grid[0] = all_malloc(bytes);
    stencil.grid[1] = all_malloc(bytes);
    return NULL;
}

static const struct app_case cases[] = {
    {"bulk transfers", &stencil_problem, NULL, run},
};
const struct app_program app_program = {.name = "splitc_stencil", .purpose = "five-point stencil in Split-C",
                                        .own = stencil_options, .ncases = 1, .cases = cases, .setup = setup,
                                        .seconds = 5, .quick_seconds = 1};
