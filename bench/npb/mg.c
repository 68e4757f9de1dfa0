/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * MG: V-cycles for the Poisson equation on a periodic cube. Each PE has a block of planes, or of parts of planes; it
 * puts its outer planes and rows into its neighbours' ghosts. Levels too coarse for a pair of planes per PE are
 * computed by every PE in whole.
 */
#include "mg_grid.h"
#include "mg_loops.h"

static const struct {
    int log2_n, iterations;
    double norm;
} classes[NPB_CLASSES] = {
    [NPB_S] = {5, 4, 5.307707005734e-05},  [NPB_W] = {7, 4, 6.467329375339e-06}, [NPB_A] = {8, 4, 2.433365309069e-06},
    [NPB_B] = {8, 20, 1.800564401355e-06}, [NPB_C] = {9, 20, 5.70673228574e-07},
};

/* By distance: same point, face, edge, corner. */
static const struct mg_stencil laplacian = {{-8.0 / 3, 0, 1.0 / 6, 1.0 / 12}};
static const struct mg_stencil smoothers[2] = {{{-3.0 / 8, 1.0 / 32, -1.0 / 64, 0}},
                                               {{-3.0 / 17, 1.0 / 33, -1.0 / 61, 0}}};

#define LEVELS 10

static struct {
    enum npb_class c;
    int top; /* the finest level's index; level k has 2^k points in each direction, the coarsest is 1 */
    const struct mg_stencil *smoother;
    struct mg_grid u[LEVELS], r[LEVELS], v;
    double norm;
} mg;

/* r := v - A u, its ghost planes too. */
static void residual(const struct mg_grid *v, int k)
{
    mg_grid_residual(&mg.r[k], v, &mg.u[k], &laplacian);
    mg_grid_exchange(&mg.r[k]);
}

static void smooth(int k)
{
    mg_grid_smooth(&mg.u[k], &mg.r[k], mg.smoother);
    mg_grid_exchange(&mg.u[k]);
}

static void cycle(void)
{
    for (int k = mg.top; k > 1; k--)
        mg_grid_restrict(&mg.r[k - 1], &mg.r[k]);
    mg_grid_clear(&mg.u[1]);
    smooth(1);
    for (int k = 2; k < mg.top; k++) {
        mg_grid_clear(&mg.u[k]);
        mg_grid_prolong(&mg.u[k], &mg.u[k - 1]);
        mg_grid_residual(&mg.r[k], &mg.r[k], &mg.u[k], &laplacian);
        mg_grid_exchange(&mg.r[k]);
        smooth(k);
    }
    mg_grid_prolong(&mg.u[mg.top], &mg.u[mg.top - 1]);
    residual(&mg.v, mg.top);
    smooth(mg.top);
}

static void iterate(int iterations)
{
    residual(&mg.v, mg.top);
    for (int i = 0; i < iterations; i++) {
        cycle();
        residual(&mg.v, mg.top);
    }
}

static void prepare(void)
{
    mg_grid_clear(&mg.u[mg.top]);
}

static void setup(enum npb_class c)
{
    mg.c = c;
    mg.top = classes[c].log2_n;
    mg.smoother = &smoothers[c >= NPB_B];
    mg_grid_make(&mg.v, mg.top);
    for (int k = 1; k <= mg.top; k++) {
        mg_grid_make(&mg.u[k], k);
        mg_grid_make(&mg.r[k], k);
    }
    mg_grid_charge(&mg.v);
    iterate(1);
}

static void run(void)
{
    const double n = exp2(mg.top);

    iterate(classes[mg.c].iterations);
    mg.norm = sqrt(npb_sum1(mg_grid_squares(&mg.r[mg.top])) / (n * n * n));
}

static bool verify(void)
{
    return npb_same("norm of the residual", mg.norm, classes[mg.c].norm, 1e-8);
}

static double operations(enum npb_class c)
{
    const double n = exp2(classes[c].log2_n);

    return 58 * classes[c].iterations * n * n * n;
}

static const char *unfit(enum npb_class c, int npes)
{
    if (npes & (npes - 1))
        return "MG needs a power of two";
    return npes <= 1 << (classes[c].log2_n - 1) ? NULL : "too many PEs for so few planes";
}

int main(int argc, char **argv)
{
    static const struct npb_kernel kernel = {
        .name = "MG",
        .purpose = "NAS parallel benchmark MG: multigrid for the Poisson equation",
        .quick = NPB_W,
        .usual = NPB_A,
        .also = "NAS MG (modified for MPT)",
        .unfit = unfit,
        .setup = setup,
        .prepare = prepare,
        .run = run,
        .verify = verify,
        .operations = operations,
    };

    return npb_main(argc, argv, &kernel);
}
