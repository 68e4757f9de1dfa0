/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * SP: the Navier-Stokes equations by alternating directions, each diagonalized into scalar pentadiagonal systems. PEs
 * have slabs of z; the lines of z run through all of them.
 */
#include "cfd.h"
#include "cfd_pipe.h"
#include "cfd_tile.h"
#include "sp_lines.h"
#include "sp_rows.h"

#include <string.h>

static const struct cfd_facts classes[NPB_CLASSES] = {
    [NPB_S] = {12,
               100,
               0.015,
               {0.02747031545133948, 0.010360746705285417, 0.016235745065095532, 0.015840557224455615,
                0.03484904060936246},
               {2.7289258557377225e-05, 1.0364446640837285e-05, 1.615479828716647e-05, 1.57507049944801e-05,
                3.417766618339053e-05}},
    [NPB_W] = {36,
               400,
               0.0015,
               {0.001893253733584, 0.0001717075447775, 0.0002778153350936, 0.0002887475409984, 0.003143611161242},
               {7.542088599534e-05, 6.512852253086e-06, 1.049092285688e-05, 1.128838671535e-05, 0.0001212845639773}},
    [NPB_A] = {64,
               400,
               0.0015,
               {2.4799822399300195, 1.1276337964368832, 1.5028977888770492, 1.421781621169518, 2.129211303513828},
               {0.0001090014029782055, 3.734395176928209e-05, 5.009278540654163e-05, 4.767109393952825e-05,
                0.00013621613399213}},
    [NPB_B] = {102,
               400,
               0.001,
               {69.03293579998, 30.95134488084, 41.03336647017, 38.64769009604, 56.43482272596},
               {0.009810006190188, 0.00102282790567, 0.001720597911692, 0.001694479428231, 0.01847456263981}},
    [NPB_C] = {162,
               400,
               0.00067,
               {588.1691581829, 245.4417603569, 329.3829191851, 308.1924971891, 459.7223799176},
               {0.2598120500183, 0.02590888922315, 0.0513288641632, 0.04806073419454, 0.5483377491301}},
};

/* A tile's vectors at each x: what the systems of x need, and the rhs. */
enum { TILE_INVERSE, TILE_VELOCITY, TILE_SOUND, TILE_RHS, TILE = TILE_RHS + 5 };

static struct {
    const struct cfd_facts *facts;
    struct cfd f;
    struct sp_scheme scheme;
    struct cfd_pipe pipe;
    int chunks;         /* vectors of a row */
    double *sound;      /* one number a point; this points to coordinate 0 of the slabs */
    long sound_row, sound_slab;
    double *tile;
    struct sp_factors *factors; /* of a line */
} sp;

static void setup(const struct cfd_facts *facts)
{
    const int n = facts->n;

    sp.facts = facts;
    cfd_make(&sp.f, n, CFD_PLAIN);
    sp.scheme =
        (struct sp_scheme){n, facts->dt * (n - 1) * (n - 1), facts->dt * 0.5 * (n - 1), facts->dt * CFD_DISSIPATION};
    sp.sound_row = sp.f.lanes;
    sp.sound_slab = n * sp.sound_row;
    sp.sound = npb_private((size_t)((sp.f.slabs + 3) * sp.sound_slab) * sizeof *sp.sound);
    sp.sound += (1 - sp.f.from) * sp.sound_slab;
    sp.chunks = (int)sp.f.lanes / NPB_WIDE;
    cfd_pipe_make(&sp.pipe, n - 2, sp.chunks, sizeof(struct sp_point[2]), sizeof(npb_vector[2][5]),
                  (size_t)sp.f.slabs * sizeof *sp.factors);
    sp.tile = npb_private((size_t)(sp.f.lanes * TILE * NPB_WIDE) * sizeof *sp.tile);
    sp.factors = npb_private((size_t)n * sizeof *sp.factors);
}

/* A line within my slabs, between two points of the boundary where nothing changes. */
static void solve_line(const struct sp_lines *l)
{
    struct sp_point last[2];
    npb_vector next[2][5];

    memset(last, 0, sizeof last);
    memset(next, 0, sizeof next);
    sp_lines_eliminate(l, &sp.scheme, 1, sp.f.n - 1, sp.factors, last);
    sp_lines_substitute(l, 1, sp.f.n - 1, sp.factors, next);
}

/* The lines of x in a plane, eight rows turned at a time. */
static void solve_x(int slab)
{
    const struct cfd *f = &sp.f;
    const long step = TILE * NPB_WIDE, stride = f->step[1];
    const struct sp_lines l = {.inverse = sp.tile + TILE_INVERSE * NPB_WIDE,
                               .velocity = sp.tile + TILE_VELOCITY * NPB_WIDE,
                               .sound = sp.tile + TILE_SOUND * NPB_WIDE,
                               .rhs = sp.tile + TILE_RHS * NPB_WIDE,
                               .step = step,
                               .sound_step = step,
                               .rhs_step = step,
                               .rhs_lanes = NPB_WIDE,
                               .diffusion = 0.75};

    for (int y = 0; y < f->n; y += NPB_WIDE) {
        const int rows = f->n - y < NPB_WIDE ? f->n - y : NPB_WIDE;
        const long at = slab * f->slab + y * stride;

        cfd_tile_in(f->extra + at, stride, f->lanes, sp.tile + TILE_INVERSE * NPB_WIDE, step);
        cfd_tile_in(f->extra + at + f->lanes, stride, f->lanes, sp.tile + TILE_VELOCITY * NPB_WIDE, step);
        cfd_tile_in(sp.sound + slab * sp.sound_slab + y * sp.sound_row, sp.sound_row, f->lanes,
                    sp.tile + TILE_SOUND * NPB_WIDE, step);
        for (int m = 0; m < 5; m++)
            cfd_tile_in(f->rhs + at + m * f->lanes, stride, f->lanes, sp.tile + (TILE_RHS + m) * NPB_WIDE, step);
        solve_line(&l);
        for (int m = 0; m < 5; m++)
            cfd_tile_out(sp.tile + (TILE_RHS + m) * NPB_WIDE, step, f->rhs + at + m * f->lanes, stride, rows, f->lanes);
    }
}

/* Eight lines of y or z, from the point that the offsets are of. */
static struct sp_lines lines_at(long at, long sound_at, int direction)
{
    const struct cfd *f = &sp.f;

    return (struct sp_lines){.inverse = f->extra + at,
                             .velocity = f->extra + at + direction * f->lanes,
                             .sound = sp.sound + sound_at,
                             .rhs = f->rhs + at,
                             .step = f->step[direction - 1],
                             .sound_step = direction == 2 ? sp.sound_row : sp.sound_slab,
                             .rhs_step = f->step[direction - 1],
                             .rhs_lanes = f->lanes,
                             .diffusion = direction == 3 ? 1 : 0.75};
}

static void solve_y(int slab)
{
    for (int chunk = 0; chunk < sp.chunks; chunk++) {
        const long x = chunk * NPB_WIDE;
        const struct sp_lines l = lines_at(slab * sp.f.slab + x, slab * sp.sound_slab + x, 2);

        solve_line(&l);
    }
}

static void eliminate_z(int row, int lane, void *kept, void *state)
{
    const struct sp_lines l = lines_at(row * sp.f.step[1] + lane, row * sp.sound_row + lane, 3);

    sp_lines_eliminate(&l, &sp.scheme, sp.f.from, sp.f.from + sp.f.slabs, kept, state);
}

static void substitute_z(int row, int lane, void *kept, void *state)
{
    const struct sp_lines l = lines_at(row * sp.f.step[1] + lane, row * sp.sound_row + lane, 3);

    sp_lines_substitute(&l, sp.f.from, sp.f.from + sp.f.slabs, kept, state);
}

static void find_sound(void)
{
    const struct cfd *f = &sp.f;

    for (int slab = f->from - 1; slab <= f->from + f->slabs; slab++)
        for (int row = 0; row < f->n; row++)
            sp_rows_sound(f, slab * f->slab + row * f->step[1], sp.sound + slab * sp.sound_slab + row * sp.sound_row,
                          f->n);
}

/* A plane's systems of x and y, while it is in the cache. */
static void solve_plane(int slab)
{
    const struct cfd *f = &sp.f;

    for (int row = 1; row < f->n - 1; row++) {
        const struct cfd_run r = cfd_run(f, slab, row);

        sp_rows_begin(f, r.at, sp.sound + slab * sp.sound_slab + row * sp.sound_row + 1, r.count);
    }
    solve_x(slab);
    for (int row = 1; row < f->n - 1; row++) {
        const struct cfd_run r = cfd_run(f, slab, row);

        sp_rows_x_to_y(f, r.at, r.count);
    }
    solve_y(slab);
    for (int row = 1; row < f->n - 1; row++) {
        const struct cfd_run r = cfd_run(f, slab, row);

        sp_rows_y_to_z(f, r.at, r.count);
    }
}

static void step(void)
{
    const struct cfd *f = &sp.f;

    cfd_update(&sp.f, sp.facts->dt);
    find_sound();
    for (int slab = f->from; slab < f->from + f->slabs; slab++)
        solve_plane(slab);
    cfd_pipe_run(&sp.pipe, eliminate_z, substitute_z);
    for (int slab = f->from; slab < f->from + f->slabs; slab++)
        for (int row = 1; row < f->n - 1; row++) {
            const struct cfd_run r = cfd_run(f, slab, row);

            sp_rows_end(f, r.at, sp.sound + slab * sp.sound_slab + row * sp.sound_row + 1, r.count);
        }
}

static void run(void)
{
    for (int i = 0; i < sp.facts->iterations; i++)
        step();
}

int main(int argc, char **argv)
{
    static const struct cfd_program program = {
        .name = "SP",
        .purpose = "NAS parallel benchmark SP: flow equations by alternating scalar pentadiagonal systems",
        .classes = classes,
        .operations = {881.174, -4683.91, 11484.5, -19272.4},
        .field = &sp.f,
        .setup = setup,
        .run = run,
    };

    return cfd_main(argc, argv, &program);
}
