/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five-point stencil in MPI (common/stencil.h): rows go to the neighbours by messages.
 */
#include "../common/face_mpi.h"
#include "../common/stencil_local.h"

/* The first and the last row to the ranks above and below, theirs from there; none there: nothing moves. */
static void bring(double *grid)
{
    const int rows = stencil.rows, columns = stencil.columns;
    const int above = app_job.me > 0 ? app_job.me - 1 : MPI_PROC_NULL;
    const int below = app_job.me < app_job.npes - 1 ? app_job.me + 1 : MPI_PROC_NULL;
    double *const row[] = {grid, grid + columns, grid + (long)rows * columns, grid + (long)(rows + 1) * columns};
    MPI_Request request[4];

    MPI_Irecv(row[0], columns, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(row[3], columns, MPI_DOUBLE, below, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(row[1], columns, MPI_DOUBLE, above, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Isend(row[2], columns, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
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
    stencil.grid[0] = app_alloc(bytes);
    stencil.grid[1] = app_alloc(bytes);
    return NULL;
}

static const struct app_case cases[] = {
    {"bulk transfers", &stencil_problem, NULL, run},
};
const struct app_program app_program = {.name = "mpi_stencil",
                                        .purpose = "five-point stencil in MPI",
                                        .own = stencil_options,
                                        .ncases = 1,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 5,
                                        .quick_seconds = 1};
