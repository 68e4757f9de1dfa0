/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocked matrix multiply in SHMEM: for each of its blocks of C, a PE gets the blocks of A's row and B's column in
 * turn, the two of a step together, and multiplies them locally.
 */
#include "../common/mm.h"
#include "../common/mm_local.h"

#include <shmem.h>
#include <string.h>

static double *got[2]; /* a block of A, a block of B */

static void get_block(double *to, enum mm_matrix matrix, int block, size_t bytes)
{
    const size_t at = (size_t)(block / app_job.npes) * bytes / sizeof(double);

    shmem_getmem_nbi(to, mm.part[matrix] + at, bytes, block % app_job.npes);
}

static void run(void)
{
    const int n = mm.blocks, q = mm.side;
    const size_t bytes = sizeof(double) * (size_t)q * (size_t)q;
    double *c = mm.part[MM_C];

    for (int block = app_job.me; block < n * n; block += app_job.npes, c += q * q) {
        memset(c, 0, bytes);
        for (int k = 0; k < n; k++) {
            app_phase(APP_COMMUNICATION);
            get_block(got[0], MM_A, block / n * n + k, bytes);
            get_block(got[1], MM_B, k * n + block % n, bytes);
            shmem_quiet();
            app_phase(APP_LOCAL);
            mm_local(q, (double (*)[q])c, (double (*)[q])got[0], (double (*)[q])got[1]);
        }
    }
    app_phase(APP_COMMUNICATION);
    shmem_barrier_all();
}

static const char *setup(void)
{
    size_t part, block;
    const char *const why = mm_room(&part, &block);

    if (why)
        return why;
    for (int m = 0; m < MM_MATRICES; m++)
        if (!(mm.part[m] = shmem_malloc(part)))
            return "the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE";
    for (int i = 0; i < 2; i++)
        got[i] = app_alloc(block);
    return NULL;
}

static const struct app_case cases[] = {
    {"mm large blocks", &mm_problem, mm_begin_large, run},
    {"mm small blocks", &mm_problem, mm_begin_small, run},
};
const struct app_program app_program = {.name = "shmem_mm",
                                        .purpose = "blocked matrix multiply in SHMEM",
                                        .own = mm_options,
                                        .ncases = 2,
                                        .cases = cases,
                                        .setup = setup,
                                        .seconds = 8,
                                        .quick_seconds = 2};
