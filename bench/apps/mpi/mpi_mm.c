/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocked matrix multiply in MPI, one-sided: for each of its blocks of C, a rank gets the blocks of A's row and B's
 * column in turn, the two of a step together, and multiplies them locally.
 */
#include "../common/face_mpi.h"
#include "../common/mm.h"
#include "../common/mm_local.h"

#include <string.h>

static double *got[2]; /* a block of A, a block of B */
static MPI_Win window[MM_MATRICES];

static void get_block(double *to, enum mm_matrix matrix, int block)
{
    const int elements = mm.side * mm.side;

    MPI_Get(to, elements, MPI_DOUBLE, block % app_job.npes, (MPI_Aint)(block / app_job.npes) * elements, elements,
            MPI_DOUBLE, window[matrix]);
}

static void run(void)
{
    const int n = mm.blocks, q = mm.side;
    double *c = mm.part[MM_C];

    for (int block = app_job.me; block < n * n; block += app_job.npes, c += q * q) {
        memset(c, 0, sizeof(double) * (size_t)q * (size_t)q);
        for (int k = 0; k < n; k++) {
            const int a = block / n * n + k, b = k * n + block % n;

            app_phase(APP_COMMUNICATION);
            get_block(got[0], MM_A, a);
            get_block(got[1], MM_B, b);
            MPI_Win_flush(a % app_job.npes, window[MM_A]);
            MPI_Win_flush(b % app_job.npes, window[MM_B]);
            app_phase(APP_LOCAL);
            mm_local(q, (double (*)[q])c, (double (*)[q])got[0], (double (*)[q])got[1]);
        }
    }
    app_phase(APP_COMMUNICATION);
    app_barrier();
}

static const char *setup(void)
{
    size_t part, block;
    const char *const why = mm_room(&part, &block);

    if (why)
        return why;
    for (int m = 0; m < MM_MATRICES; m++)
        mm.part[m] = app_window(part, sizeof(double), &window[m]);
    for (int i = 0; i < 2; i++)
        got[i] = app_alloc(block);
    return NULL;
}

static const struct app_case cases[] = {
    {"mm large blocks", &mm_problem, mm_begin_large, run},
    {"mm small blocks", &mm_problem, mm_begin_small, run},
};
const struct app_program app_program = {.name = "mpi_mm",
                                        .purpose = "blocked matrix multiply in MPI",
                                        .own = mm_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 8,
                                        .quick_seconds = 2};
