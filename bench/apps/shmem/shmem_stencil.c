/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five-point stencil in SHMEM (common/stencil.h): rows go to the neighbours by puts.
 */
#include "../common/stencil_local.h"

#include <shmem.h>

/* `row` of mine becomes `there` of the neighbour's grid. */
static void give(int pe, double *grid, int row, int there)
{
    const size_t columns = (size_t)stencil.columns;

    if (pe < 0 || pe >= app_job.npes)
        return;
    shmem_putmem(grid + (size_t)there * columns, grid + (size_t)row * columns, sizeof(double) * columns, pe);
}

static void bring(double *grid)
{
    give(app_job.me - 1, grid, 1, stencil.rows + 1);
    give(app_job.me + 1, grid, stencil.rows, 0);
    shmem_barrier_all();
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
    for (int g = 0; g < 2; g++)
        if (!(stencil.grid[g] = shmem_malloc(bytes)))
            return "the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE";
    return NULL;
}

static const struct app_case cases[] = {
    {"bulk transfers", &stencil_problem, NULL, run},
};
const struct app_program app_program = {.name = "shmem_stencil",
                                        .purpose = "five-point stencil in SHMEM",
                                        .own = stencil_options,
                                        .ncases = 1,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 5,
                                        .quick_seconds = 1};
