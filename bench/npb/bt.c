/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BT: the Navier-Stokes equations by alternating directions, each of block tridiagonal systems. PEs have slabs of z;
 * the lines of z run through all of them.
 */
#include "bt_lines.h"
#include "cfd.h"
#include "cfd_pipe.h"
#include "cfd_tile.h"

#include <string.h>

static const struct cfd_facts classes[NPB_CLASSES] = {
    [NPB_S] = {12,
               60,
               0.01,
               {0.17034283709541312, 0.012975252070034096, 0.032527926989486054, 0.0264364212751668,
                0.1921178413174443},
               {0.0004997691334581158, 4.519566678296193e-05, 7.397376517292135e-05, 7.382123863243973e-05,
                0.0008926963098749145}},
    [NPB_W] = {24,
               200,
               0.0008,
               {112.5590409344, 11.80007595731, 27.10329767846, 24.69174937669, 263.8427874317},
               {4.419655736008, 0.4638531260002, 1.011551749967, 0.9235878729944, 10.18045837718}},
    [NPB_A] = {64,
               200,
               0.0008,
               {108.06346714637264, 11.319730901220813, 25.974354511582465, 23.66562254467891, 252.78963211748345},
               {4.2348416040525025, 0.443902824969957, 0.9669248013634565, 0.8830206303976548, 9.737990177082928}},
    [NPB_B] = {102,
               200,
               0.0003,
               {1423.3597229287254, 99.33052259015024, 356.46025644535285, 324.8544795908409, 3270.7541254659363},
               {52.96984714093686, 4.463289611567067, 13.122573342210174, 12.006925323559145, 124.59576151035986}},
    [NPB_C] = {162,
               200,
               0.0001,
               {6239.8116551764615, 507.93239190423964, 1542.3530093013596, 1330.238792929119, 11604.087428436455},
               {164.62008369091265, 11.497107903824313, 41.20744620746151, 37.08765105969417, 362.11053051841265}},
};

typedef npb_vector matrix[5][5];

static struct {
    const struct cfd_facts *facts;
    struct cfd f;
    struct bt_scheme scheme;
    struct cfd_pipe pipe;
    int chunks;       /* vectors of a row */
    double *tile;     /* eight rows turned: for each x, the extras, the energy, the rhs */
    matrix *matrices; /* of a line */
} bt;

#define TILE_ENERGY CFD_EXTRAS
#define TILE_RHS (CFD_EXTRAS + 1)
#define TILE (CFD_EXTRAS + 6)

static void setup(const struct cfd_facts *facts)
{
    const int n = facts->n;
    bt.facts = facts;
    cfd_make(&bt.f, n, CFD_PLAIN);
    bt.scheme = (struct bt_scheme){facts->dt * (n - 1) * (n - 1), facts->dt * 0.5 * (n - 1)};
    bt.chunks = (int)bt.f.lanes / NPB_WIDE;
    cfd_pipe_make(&bt.pipe, n - 2, bt.chunks, sizeof(struct bt_point), sizeof(npb_vector[5]),
                  (size_t)bt.f.slabs * sizeof *bt.matrices);
    bt.tile = npb_private((size_t)(bt.f.lanes * TILE * NPB_WIDE) * sizeof *bt.tile);
    bt.matrices = npb_private((size_t)n * sizeof *bt.matrices);
}

/* A line within my slabs: between two points of the boundary, where nothing changes. */
static void solve_line(const struct bt_lines *l)
{
    struct bt_point last;
    npb_vector next[5];

    memset(&last, 0, sizeof last);
    memset(next, 0, sizeof next);
    bt_lines_eliminate(l, &bt.scheme, 1, bt.f.n - 1, bt.matrices, &last);
    bt_lines_substitute(l, 1, bt.f.n - 1, bt.matrices, next);
}

/* The lines of x in the plane at `at`, eight rows turned at a time. */
static void solve_x(long at)
{
    const struct cfd *f = &bt.f;
    const long step = TILE * NPB_WIDE;
    const struct bt_lines l = {.extra = bt.tile,
                               .energy = bt.tile + TILE_ENERGY * NPB_WIDE,
                               .rhs = bt.tile + TILE_RHS * NPB_WIDE,
                               .extra_step = step,
                               .extra_lanes = NPB_WIDE,
                               .energy_step = step,
                               .rhs_step = step,
                               .rhs_lanes = NPB_WIDE,
                               .direction = 1,
                               .diffusion = 0.75};

    for (int y = 0; y < f->n; y += NPB_WIDE) {
        const int rows = f->n - y < NPB_WIDE ? f->n - y : NPB_WIDE;
        const long row = at + y * f->step[1];

        for (int m = 0; m < CFD_EXTRAS; m++)
            cfd_tile_in(f->extra + row + m * f->lanes, f->step[1], f->lanes, bt.tile + m * NPB_WIDE, step);
        cfd_tile_in(f->u + row + 4 * f->lanes, f->step[1], f->lanes, bt.tile + TILE_ENERGY * NPB_WIDE, step);
        for (int m = 0; m < 5; m++)
            cfd_tile_in(f->rhs + row + m * f->lanes, f->step[1], f->lanes, bt.tile + (TILE_RHS + m) * NPB_WIDE, step);
        solve_line(&l);
        for (int m = 0; m < 5; m++)
            cfd_tile_out(bt.tile + (TILE_RHS + m) * NPB_WIDE, step, f->rhs + row + m * f->lanes, f->step[1], rows,
                         f->lanes);
    }
}

static struct bt_lines lines_at(long at, int direction)
{
    const struct cfd *f = &bt.f;

    return (struct bt_lines){.extra = f->extra + at,
                             .energy = f->u + at + 4 * f->lanes,
                             .rhs = f->rhs + at,
                             .extra_step = f->step[direction - 1],
                             .extra_lanes = f->lanes,
                             .energy_step = f->step[direction - 1],
                             .rhs_step = f->step[direction - 1],
                             .rhs_lanes = f->lanes,
                             .direction = direction,
                             .diffusion = direction == 3 ? 1 : 0.75};
}

static void solve_y(long at)
{
    for (int chunk = 0; chunk < bt.chunks; chunk++) {
        const struct bt_lines l = lines_at(at + chunk * NPB_WIDE, 2);

        solve_line(&l);
    }
}

static void eliminate_z(int row, int lane, void *kept, void *state)
{
    const struct bt_lines l = lines_at(row * bt.f.step[1] + lane, 3);

    bt_lines_eliminate(&l, &bt.scheme, bt.f.from, bt.f.from + bt.f.slabs, kept, state);
}

static void substitute_z(int row, int lane, void *kept, void *state)
{
    const struct bt_lines l = lines_at(row * bt.f.step[1] + lane, 3);

    bt_lines_substitute(&l, bt.f.from, bt.f.from + bt.f.slabs, kept, state);
}

static void run(void)
{
    const struct cfd *f = &bt.f;

    for (int i = 0; i < bt.facts->iterations; i++) {
        cfd_update(&bt.f, bt.facts->dt);
        for (int slab = f->from; slab < f->from + f->slabs; slab++) {
            solve_x(slab * f->slab);
            solve_y(slab * f->slab);
        }
        cfd_pipe_run(&bt.pipe, eliminate_z, substitute_z);
        cfd_add(f, 1);
    }
}

int main(int argc, char **argv)
{
    static const struct cfd_program program = {
        .name = "BT",
        .purpose = "NAS parallel benchmark BT: flow equations by alternating block tridiagonal systems",
        .classes = classes,
        .operations = {3478.8, -17655.7, 28023.7, 0},
        .field = &bt.f,
        .setup = setup,
        .run = run,
    };

    return cfd_main(argc, argv, &program);
}
