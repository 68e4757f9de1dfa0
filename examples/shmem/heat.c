/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Heat in a square plate whose upper edge is hot. The rows are dealt out to the
 * PEs in blocks; in each step a PE puts its first and last row into its
 * neighbours' halo rows, with a signal, and waits for theirs.
 *
 *   oshcc -O2 heat.c -o heat -lm && oshrun -np 4 ./heat
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>

enum { N = 256, STEPS = 400 };
#define HOT 100.0
#define EXPECTED 288133.021570 /* heat after these steps, whoever computes it */

static uint64_t from_above, from_below; /* steps whose halo row has come */
static double change, largest_change, heat, total_heat;

static int me, npes, rows; /* rows of this PE; row 0 and row rows+1 are halo */

/* Two halves of the halo are kept, for even and odd steps, so that a neighbour
 * that is one step ahead does not overwrite what is still being read. */
static double *grid[2];

static double *row(int which, int i)
{
    return grid[which] + (size_t)i * N;
}

static void exchange_halos(int which, uint64_t step, int rows_above)
{
    if (me > 0)
        shmem_double_put_signal(row(which, rows_above + 1), row(which, 1), N, &from_below, step, SHMEM_SIGNAL_SET,
                                me - 1);
    if (me < npes - 1)
        shmem_double_put_signal(row(which, 0), row(which, rows), N, &from_above, step, SHMEM_SIGNAL_SET, me + 1);
    if (me > 0)
        shmem_signal_wait_until(&from_above, SHMEM_CMP_GE, step);
    if (me < npes - 1)
        shmem_signal_wait_until(&from_below, SHMEM_CMP_GE, step);
}

/* New values from the mean of four neighbours; the plate's edges stay. */
static double relax(double *restrict to, const double *above, const double *here, const double *below)
{
    double most = 0;
    to[0] = here[0];
    to[N - 1] = here[N - 1];
    for (int j = 1; j < N - 1; j++) {
        to[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
        most = fmax(most, fabs(to[j] - here[j]));
    }
    return most;
}

static int rows_of(int pe)
{
    return N / npes + (pe < N % npes);
}

int main(void)
{
    shmem_init();
    me = shmem_my_pe();
    npes = shmem_n_pes();
    if (npes > N) {
        fprintf(stderr, "heat: a plate of %d rows is too small for %d PEs\n", N, npes);
        shmem_global_exit(1);
    }
    rows = rows_of(me);
    int rows_above = me > 0 ? rows_of(me - 1) : 0;

    /* Allocations have one size on all PEs: that of the largest block. */
    for (int k = 0; k < 2; k++) {
        grid[k] = shmem_calloc((size_t)(rows_of(0) + 2) * N, sizeof(double));
        for (int j = 0; me == 0 && j < N; j++)
            row(k, 1)[j] = HOT;
    }
    shmem_barrier_all();

    for (int step = 1; step <= STEPS; step++) {
        int old = (step - 1) % 2, new = step % 2;
        exchange_halos(old, (uint64_t)step, rows_above);
        change = 0;
        for (int i = 1; i <= rows; i++) {
            int edge = (me == 0 && i == 1) || (me == npes - 1 && i == rows);
            if (!edge)
                change = fmax(change, relax(row(new, i), row(old, i - 1), row(old, i), row(old, i + 1)));
        }
    }

    for (int i = 1; i <= rows; i++)
        for (int j = 0; j < N; j++)
            heat += row(STEPS % 2, i)[j];
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &total_heat, &heat, 1);
    shmem_double_max_reduce(SHMEM_TEAM_WORLD, &largest_change, &change, 1);
    if (me == 0)
        printf("after %d steps: total heat %.6f, largest change of the last step %.6f\n", STEPS, total_heat,
               largest_change);
    int wrong = fabs(total_heat - EXPECTED) > 1e-6;

    shmem_free(grid[1]);
    shmem_free(grid[0]);
    shmem_finalize();
    return wrong;
}
