/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * FT: a diffusion equation by Fourier transforms in three dimensions. In space a PE has planes of z, among the
 * frequencies planes of x; the transform that ends on one side leaves its results where they belong on the other.
 */
#include "common/clones.h"
#include "ft_facts.h"
#include "ft_line.h"

#include <string.h>

#define ALPHA 1e-6
#define PAD 8 /* words after each row: powers of two meet in the caches */
#define POINTS 1024 /* of a checksum */

/* Slabs of an array over the PEs: n of them, `slab` words each, the real and the imaginary parts. */
struct field {
    double *re, *im; /* symmetric; my slabs */
    int n;
    long from, mine, slab;
    int pe[FT_LONGEST];
    long at[FT_LONGEST];                         /* words from that PE's re */
    double *to_re[FT_LONGEST], *to_im[FT_LONGEST]; /* NULL: not within reach */
};

static struct {
    const struct ft_facts *f;
    struct ft_plan x, y, z;
    struct field space;      /* by z: rows of y, later of x */
    struct field waves;      /* by x: for each z, a row of y */
    double *plane_re, *plane_im; /* a plane of `space` between its two transforms */
    double *stage_re, *stage_im; /* rows for PEs out of reach */
    double *rows_re[FT_LONGEST], *rows_im[FT_LONGEST]; /* where a transform's results go */
    double *lane;            /* of each y: its share of a step's damping */
    double sums[FT_MOST_STEPS][2];
} ft;

static void *words(bool symmetric, long n)
{
    const size_t bytes = (size_t)n * sizeof(double);

    return symmetric && bench_job.npes > 1 ? npb_symmetric(bytes) : npb_private(bytes);
}

static void field_make(struct field *f, int n, long slab)
{
    const int npes = bench_job.npes;

    f->n = n;
    f->slab = slab;
    f->mine = npb_part(n, npes, bench_job.me, &f->from);
    f->re = words(true, (n + npes - 1) / npes * slab);
    f->im = words(true, (n + npes - 1) / npes * slab);
    for (int k = 0; k < n; k++) {
        long from;

        f->pe[k] = npb_part_of(n, npes, k);
        npb_part(n, npes, f->pe[k], &from);
        f->at[k] = (k - from) * slab;
        f->to_re[k] = npes > 1 ? shmem_ptr(f->re, f->pe[k]) : f->re;
        f->to_im[k] = npes > 1 ? shmem_ptr(f->im, f->pe[k]) : f->im;
    }
}

/* Lets the results go to row `row` words into each slab, as far as it can be reached. */
static void aim_at(const struct field *f, long row)
{
    for (int k = 0; k < f->n; k++) {
        const bool near = f->to_re[k] && f->to_im[k];

        ft.rows_re[k] = near ? f->to_re[k] + f->at[k] + row : ft.stage_re + k * (ft.f->ny + PAD);
        ft.rows_im[k] = near ? f->to_im[k] + f->at[k] + row : ft.stage_im + k * (ft.f->ny + PAD);
    }
}

/* Puts what couldn't be reached. */
static void deliver(const struct field *f, long row)
{
    bool any = false;

    for (int k = 0; k < f->n; k++) {
        if (f->to_re[k] && f->to_im[k])
            continue;
        any = true;
        shmem_double_put_nbi(f->re + f->at[k] + row, ft.rows_re[k], (size_t)ft.f->ny, f->pe[k]);
        shmem_double_put_nbi(f->im + f->at[k] + row, ft.rows_im[k], (size_t)ft.f->ny, f->pe[k]);
    }
    if (any)
        shmem_quiet(); /* the stage is used again */
}

static void aim_here(double *re, double *im, int n, long stride)
{
    for (int k = 0; k < n; k++) {
        ft.rows_re[k] = re + k * stride;
        ft.rows_im[k] = im + k * stride;
    }
}

static void setup(enum npb_class c)
{
    const struct ft_facts *const f = ft.f = &ft_facts[c];
    const long longest = f->nx > f->nz ? f->nx : f->nz, xy = (f->nx + PAD) * f->ny, yx = (f->ny + PAD) * f->nx;

    ft_plan_make(&ft.x, f->nx);
    ft_plan_make(&ft.y, f->ny);
    ft_plan_make(&ft.z, f->nz);
    field_make(&ft.space, f->nz, xy > yx ? xy : yx);
    field_make(&ft.waves, f->nx, (long)f->nz * (f->ny + PAD));
    ft.plane_re = words(false, ft.space.slab);
    ft.plane_im = words(false, ft.space.slab);
    ft.stage_re = words(false, longest * (f->ny + PAD));
    ft.stage_im = words(false, longest * (f->ny + PAD));
    ft.lane = words(false, f->ny);
}

/* A row of n random complex numbers, eight at a time. */
NPB_CLONES static void random_row(double *restrict re, double *restrict im, int n, uint64_t x)
{
    const uint64_t jump = npb_random_power(2 * FT_LINES);
    uint64_t lane[FT_LINES];

    for (int j = 0; j < FT_LINES; j++) {
        lane[j] = npb_random_times(NPB_RANDOM_A, x);
        x = npb_random_times(NPB_RANDOM_A, lane[j]);
    }
    for (int i = 0; i < n; i += FT_LINES)
        for (int j = 0; j < FT_LINES; j++) {
            re[i + j] = (double)(int64_t)lane[j] * 0x1p-46;
            im[i + j] = (double)(int64_t)npb_random_times(NPB_RANDOM_A, lane[j]) * 0x1p-46;
            lane[j] = npb_random_times(jump, lane[j]);
        }
}

static void start(void)
{
    const int nx = ft.f->nx, ny = ft.f->ny;

    for (long z = 0; z < ft.space.mine; z++) {
        const uint64_t first = (uint64_t)(ft.space.from + z) * (uint64_t)ny * (uint64_t)nx;
        uint64_t x = npb_random_skip(NPB_RANDOM_SEED, 2 * first);
        const uint64_t row = npb_random_power(2 * (uint64_t)nx);

        for (long y = 0; y < ny; y++) {
            const long at = z * ft.space.slab + y * (nx + PAD);

            random_row(ft.space.re + at, ft.space.im + at, nx, x);
            x = npb_random_times(row, x);
        }
    }
}

/* From rows of x in space to the frequencies; x and y are exchanged on the way. */
static void forward(void)
{
    const int nx = ft.f->nx, ny = ft.f->ny, nz = ft.f->nz;

    for (long z = 0; z < ft.space.mine; z++) {
        const long slab = z * ft.space.slab, row = (ft.space.from + z) * (ny + PAD);

        aim_here(ft.plane_re, ft.plane_im, ny, nx + PAD);
        for (int x = 0; x < nx; x += FT_LINES) {
            const struct ft_strided from = {ft.space.re + slab + x, ft.space.im + slab + x, nx + PAD};

            ft_line_strided(&ft.y, &from, NULL, NULL, ft.rows_re, ft.rows_im, x);
        }
        aim_at(&ft.waves, row);
        for (int y = 0; y < ny; y += FT_LINES) {
            const long at = y * (nx + PAD);
            const struct ft_strided from = {ft.plane_re + at, ft.plane_im + at, nx + PAD};

            ft_line_rows(&ft.x, &from, ft.rows_re, ft.rows_im, y);
        }
        deliver(&ft.waves, row);
    }
    shmem_barrier_all();
    for (long x = 0; x < ft.waves.mine; x++) {
        double *const re = ft.waves.re + x * ft.waves.slab, *const im = ft.waves.im + x * ft.waves.slab;

        aim_here(re, im, nz, ny + PAD);
        for (int y = 0; y < ny; y += FT_LINES) {
            const struct ft_strided from = {re + y, im + y, ny + PAD};

            ft_line_strided(&ft.z, &from, NULL, NULL, ft.rows_re, ft.rows_im, y);
        }
    }
}

/* The damping of frequency k of n by step t. */
static double damping(int k, int n, int t)
{
    const double wave = k < n / 2 ? k : k - n;

    return exp(-4 * ALPHA * M_PI * M_PI * t * wave * wave);
}

/* Step t in space, rows of x again, from the frequencies. The real parts for the imaginary ones make it the inverse. */
static void backward(int t)
{
    const int nx = ft.f->nx, ny = ft.f->ny, nz = ft.f->nz;
    double scale[FT_LONGEST];

    for (int y = 0; y < ny; y++)
        ft.lane[y] = damping(y, ny, t);
    for (long x = 0; x < ft.waves.mine; x++) {
        const long row = (ft.waves.from + x) * (ny + PAD), slab = x * ft.waves.slab;

        for (int z = 0; z < nz; z++)
            scale[z] = damping((int)(ft.waves.from + x), nx, t) * damping(z, nz, t);
        aim_at(&ft.space, row);
        for (int y = 0; y < ny; y += FT_LINES) {
            const struct ft_strided from = {ft.waves.im + slab + y, ft.waves.re + slab + y, ny + PAD};

            ft_line_strided(&ft.z, &from, scale, ft.lane + y, ft.rows_im, ft.rows_re, y);
        }
        deliver(&ft.space, row);
    }
    shmem_barrier_all();
    for (long z = 0; z < ft.space.mine; z++) {
        double *const re = ft.space.re + z * ft.space.slab, *const im = ft.space.im + z * ft.space.slab;

        aim_here(ft.plane_re, ft.plane_im, nx, ny + PAD);
        for (int y = 0; y < ny; y += FT_LINES) {
            const struct ft_strided from = {im + y, re + y, ny + PAD};

            ft_line_strided(&ft.x, &from, NULL, NULL, ft.rows_im, ft.rows_re, y);
        }
        aim_here(re, im, ny, nx + PAD);
        for (int x = 0; x < nx; x += FT_LINES) {
            const long at = x * (ny + PAD);
            const struct ft_strided from = {ft.plane_im + at, ft.plane_re + at, ny + PAD};

            ft_line_rows(&ft.y, &from, ft.rows_im, ft.rows_re, x);
        }
    }
}

static void checksum(double sums[2])
{
    const int nx = ft.f->nx, ny = ft.f->ny, nz = ft.f->nz;
    const double points = (double)nx * ny * nz;

    sums[0] = sums[1] = 0;
    for (int j = 1; j <= POINTS; j++) {
        const long z = 5l * j % nz - ft.space.from, at = z * ft.space.slab + 3l * j % ny * (nx + PAD) + j % nx;

        if (z < 0 || z >= ft.space.mine)
            continue;
        sums[0] += ft.space.re[at];
        sums[1] += ft.space.im[at];
    }
    npb_sum(sums, 2); /* also: all have done with this step */
    sums[0] /= points;
    sums[1] /= points;
}

static void run(void)
{
    start();
    forward();
    shmem_barrier_all(); /* all have their planes transformed before others' results come */
    for (int t = 1; t <= ft.f->steps; t++) {
        backward(t);
        checksum(ft.sums[t - 1]);
    }
}

static bool verify(void)
{
    bool right = true;

    for (int t = 0; t < ft.f->steps; t++)
        for (int part = 0; part < 2; part++) {
            char what[64];

            snprintf(what, sizeof what, "checksum %d, %s part", t + 1, part ? "imaginary" : "real");
            right = npb_same(what, ft.sums[t][part], ft.f->sums[t][part], 1e-12) && right;
        }
    return right;
}

static double operations(enum npb_class c)
{
    const struct ft_facts *f = &ft_facts[c];
    const double n = (double)f->nx * f->ny * f->nz, l = log(n);

    return n * (14.8157 + 7.19641 * l + (5.23518 + 7.21113 * l) * f->steps);
}

static const char *unfit(enum npb_class c, int npes)
{
    const struct ft_facts *f = &ft_facts[c];

    return npes <= f->nx && npes <= f->nz ? NULL : "each PE needs a plane";
}

int main(int argc, char **argv)
{
    static const struct npb_kernel kernel = {
        .name = "FT",
        .purpose = "NAS parallel benchmark FT: Fourier transforms in three dimensions",
        .quick = NPB_W,
        .usual = NPB_A,
        .unfit = unfit,
        .setup = setup,
        .run = run,
        .verify = verify,
        .operations = operations,
    };

    return npb_main(argc, argv, &kernel);
}
