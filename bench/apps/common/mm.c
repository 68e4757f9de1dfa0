/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matrices of the multiply and its check: every process knows all elements of A and B, so it computes the residual
 * of its own blocks, C[i][j] v - sum over k of A[i][k] (B[k][j] v), for random vectors v.
 */
#include "mm.h"

#include <string.h>

#define TRIALS 2

static long large_side = 128, small_side = 16;
struct mm mm;

const struct bench_option mm_options[] = {
    {"large-side", BENCH_LONG, &large_side, "side of the large blocks, 4 x 4 of them (default 128)"},
    {"small-side", BENCH_LONG, &small_side, "side of the small blocks, 16 x 16 of them (default 16)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static void begin(int blocks, long side)
{
    mm.blocks = blocks;
    mm.side = (int)side;
}

void mm_begin_large(void)
{
    begin(4, large_side);
}

void mm_begin_small(void)
{
    begin(16, small_side);
}

/* What one process has of a matrix. */
static size_t part_bytes_now(void)
{
    const size_t here = (size_t)((mm.blocks * mm.blocks + app_job.npes - 1) / app_job.npes);

    return here * sizeof(double) * (size_t)mm.side * (size_t)mm.side;
}

const char *mm_room(size_t *part_bytes, size_t *block_bytes)
{
    const size_t side = (size_t)(large_side > small_side ? large_side : small_side);
    size_t large;

    if (large_side < 4 || large_side > 4096 || large_side % 4 || small_side < 4 || small_side > 1024 || small_side % 4)
        return "--large-side, --small-side: a multiple of 4, at most 4096 and 1024";
    mm_begin_large();
    large = part_bytes_now();
    mm_begin_small();
    *part_bytes = large > part_bytes_now() ? large : part_bytes_now();
    *block_bytes = sizeof(double) * side * side;
    return NULL;
}

static double element(enum mm_matrix matrix, int block, int at)
{
    return app_real(((uint64_t)matrix << 60) + ((uint64_t)block << 32) + (uint64_t)at);
}

static void prepare(void)
{
    const int all = mm.blocks * mm.blocks, elements = mm.side * mm.side;

    for (int m = MM_A; m <= MM_B; m++) {
        double *to = mm.part[m];

        for (int block = app_job.me; block < all; block += app_job.npes)
            for (int at = 0; at < elements; at++)
                *to++ = element((enum mm_matrix)m, block, at);
    }
    memset(mm.part[MM_C], 0xff, part_bytes_now()); /* not a number: every element must be set */
}

/* out += block * in. */
static void apply(enum mm_matrix matrix, int block, const double *in, double *out)
{
    for (int r = 0; r < mm.side; r++)
        for (int c = 0; c < mm.side; c++)
            out[r] += element(matrix, block, r * mm.side + c) * in[c];
}

/* Largest element of the residual in units of what rounding may do, about 1. */
static double residual(int block, const double *c, const double *v)
{
    const int i = block / mm.blocks, j = block % mm.blocks;
    double expected[4096] = {0}, between[4096], worst = 0;
    const double n = mm.blocks * mm.side, unit = n * n * 0x1p-53;

    for (int k = 0; k < mm.blocks; k++) {
        memset(between, 0, sizeof *between * (size_t)mm.side);
        apply(MM_B, k * mm.blocks + j, v, between);
        apply(MM_A, i * mm.blocks + k, between, expected);
    }
    for (int r = 0; r < mm.side; r++) {
        double sum = 0;

        for (int e = 0; e < mm.side; e++)
            sum += c[r * mm.side + e] * v[e];
        sum = fabs(sum - expected[r]) / unit;
        worst = sum > worst || sum != sum ? sum : worst;
    }
    return worst;
}

static bool check(void)
{
    const int all = mm.blocks * mm.blocks;

    for (int trial = 0; trial < TRIALS; trial++) {
        const double *c = mm.part[MM_C];
        double v[4096];

        for (int e = 0; e < mm.side; e++)
            v[e] = app_real(((uint64_t)MM_MATRICES << 60) + (uint64_t)(trial * mm.side + e));
        for (int block = app_job.me; block < all; block += app_job.npes, c += mm.side * mm.side)
            if (!(residual(block, c, v) < 16))
                return false;
    }
    return true;
}

static double work(void)
{
    const double n = mm.blocks * mm.side;

    return 2 * n * n * n;
}

static void params(struct bench_params *p)
{
    bench_param_integer(p, "blocks_per_side", mm.blocks);
    bench_param_integer(p, "block_side", mm.side);
}

const struct app_problem mm_problem = {"blocked matrix multiply", params, prepare, check, work, "Mflop/s"};
