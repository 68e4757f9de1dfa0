/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocked matrix multiply in Split-C: spread arrays of blocks. For each of its blocks of C, a processor gets the blocks
 * of A's row and B's column in turn, the two of a step together, and multiplies them locally.
 */
#include <split-c/split-c.h>

#include "../common/mm.h"
#include "../common/mm_local.h"
#include "../common/mm_plain.h"

#include <stdlib.h>
#include <string.h>

static void *spread matrix[MM_MATRICES];
static double *got[2]; /* a block of A, a block of B */

static void multiply(int n, int q, double A[n][n]::[q][q], double B[n][n]::[q][q], double C[n][n]::[q][q])
{
    const size_t bytes = sizeof(double) * q * q;
    double (*a)[q] = (double (*)[q])got[0], (*b)[q] = (double (*)[q])got[1];
    int i, j, k;

    for_my_2D(i, j, n, n) {
        double (*c)[q] = tolocal(C[i][j]);

        memset(c, 0, bytes);
        for (k = 0; k < n; k++) {
            app_phase(APP_COMMUNICATION);
            bulk_get(a, A[i][k], bytes);
            bulk_get(b, B[k][j], bytes);
            sync();
            app_phase(APP_LOCAL);
            mm_local(q, c, a, b);
        }
    }
    app_phase(APP_COMMUNICATION);
    barrier();
}

static void run(void)
{
    multiply(mm.blocks, mm.side, matrix[MM_A], matrix[MM_B], matrix[MM_C]);
}

static const char *setup(void)
{
    size_t part, block;
    const char *const why = mm_room(&part, &block);

    if (why)
        return why;
    for (int m = 0; m < MM_MATRICES; m++) {
        matrix[m] = all_spread_malloc(PROCS, part);
        mm.part[m] = tolocal(matrix[m] + MYPROC);
    }
    for (int i = 0; i < 2; i++)
        got[i] = app_alloc(block);
    return NULL;
}

/* The loop as this compiler and as a plain one compiled it, on processor 0 alone. */
static void compilers(double budget_ns)
{
    barrier();
    on_one {
        mm_compare("scc", mm_local, budget_ns);
    }
    barrier();
}

static const struct app_case cases[] = {
    {"mm large blocks", &mm_problem, mm_begin_large, run},
    {"mm small blocks", &mm_problem, mm_begin_small, run},
};
const struct app_program app_program = {.name = "splitc_mm", .purpose = "blocked matrix multiply in Split-C", .own = mm_options,
                                        .ncases = 2, .cases = cases, .setup = setup,
                                        .seconds = 8, .quick_seconds = 2, .further = compilers};
