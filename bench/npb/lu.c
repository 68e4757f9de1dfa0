/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU: the Navier-Stokes equations by symmetric successive over-relaxation. PEs have slabs of x; a sweep goes over
 * the rows of y + z, each PE a row behind the one before it, from which it has got its last points of that row.
 */
#include "cfd.h"
#include "lu_sweep.h"

#include <string.h>

#define OMEGA 1.2

static const struct cfd_facts classes[NPB_CLASSES] = {
    [NPB_S] = {12,
               50,
               0.5,
               {0.016196343210976703, 0.002197674516482132, 0.0015179927653399185, 0.0015029584435994323,
                0.03426407315589646},
               {0.0006422331995796092, 8.414434204734792e-05, 5.8588269616485187e-05, 5.847422259515735e-05,
                0.0013103347914111294}},
    [NPB_W] = {33,
               300,
               0.0015,
               {12.36511638192, 1.317228477799, 2.550120713095, 2.326187750252, 28.26799444189},
               {0.4867877144216, 0.05064652880982, 0.0928181810196, 0.08570126542733, 1.084277417792}},
    [NPB_A] = {64,
               250,
               2.0,
               {779.0210760668937, 63.40276525969287, 194.9924972729248, 178.45301160418538, 1838.4760349464248},
               {29.964085685471943, 2.819457636500335, 7.347341269877474, 6.713922568777705, 70.71531568839258}},
    [NPB_B] = {102,
               250,
               2.0,
               {3553.2672969982737, 262.1475079531069, 883.3372185095219, 778.1277473942527, 7308.796959254531},
               {114.01176380212709, 8.109896365542157, 28.480597317698308, 25.90539456783294, 260.54907504857414}},
    [NPB_C] = {162,
               250,
               2.0,
               {10376.698032353785, 892.2124588010086, 2562.3881458266087, 2191.9434385783143, 17807.80572610612},
               {215.98639971694928, 15.57895592398636, 54.13188630772078, 48.22626431540454, 455.90291004325036}},
};
static const double surfaces[NPB_CLASSES] = {
    [NPB_S] = 7.841892886593708, [NPB_W] = 11.61399311023,    [NPB_A] = 26.030925604886278,
    [NPB_B] = 47.88716270330823, [NPB_C] = 66.64045535721813,
};

static struct {
    const struct cfd_facts *facts;
    struct cfd f;
    struct lu_scheme scheme;
    uint64_t
        *signal; /* symmetric: the rows that have come from below, from above, and that the PE below is done with */
    uint64_t rows;    /* of the sweeps before this one */
} lu;

static void setup(const struct cfd_facts *facts)
{
    const int n = facts->n;

    lu.facts = facts;
    cfd_make(&lu.f, n, CFD_SKEWED);
    lu.scheme = (struct lu_scheme){facts->dt, OMEGA, (double)(n - 1) * (n - 1), 0.5 * (n - 1)};
    lu.signal = npb_symmetric(3 * sizeof *lu.signal);
}

/* This PE's part of v in slab `slab` and row `row` to the same place at the other, where it is a ghost. */
static void pass_on(int pe, int slab, int row, int side, uint64_t number)
{
    const struct cfd *f = &lu.f;
    long from;

    npb_part(f->n - 2, bench_job.npes, pe, &from);
    shmem_fence(); /* rows come one after the other */
    shmem_putmem_signal_nbi(f->rhs + (f->from - (from + 1) + slab) * f->slab + row * f->step[1],
                            f->rhs + slab * f->slab + row * f->step[1], 5 * (size_t)f->lanes * sizeof *f->rhs,
                            &lu.signal[side], number, SHMEM_SIGNAL_SET, pe);
}

/* Rows are counted on from sweep to sweep. */
static void lower(void)
{
    const struct cfd *f = &lu.f;
    const int me = bench_job.me, first = f->from, last = f->from + f->slabs - 1, end = 2 * (f->n - 2);

    for (int row = 2; row <= end; row++) {
        const uint64_t number = lu.rows + (uint64_t)row;

        if (me > 0)
            shmem_signal_wait_until(&lu.signal[0], SHMEM_CMP_GE, number);
        for (int slab = first; slab <= last; slab++) {
            const struct cfd_run run = cfd_run(f, slab, row);

            lu_sweep_lower(f, &lu.scheme, run.at, run.count);
        }
        if (me + 1 < bench_job.npes)
            pass_on(me + 1, last, row, 0, number);
    }
    shmem_quiet(); /* what was passed on may change */
}

static void upper(void)
{
    const struct cfd *f = &lu.f;
    const int me = bench_job.me, first = f->from, last = f->from + f->slabs - 1, end = 2 * (f->n - 2);

    for (int row = end; row >= 2; row--) {
        const uint64_t number = lu.rows + (uint64_t)(end + 2 - row);

        if (me + 1 < bench_job.npes)
            shmem_signal_wait_until(&lu.signal[1], SHMEM_CMP_GE, number);
        for (int slab = last; slab >= first; slab--) {
            const struct cfd_run run = cfd_run(f, slab, row);

            lu_sweep_upper(f, &lu.scheme, run.at, run.count);
        }
        if (me > 0)
            pass_on(me - 1, first, row, 1, number);
    }
    shmem_quiet();
    lu.rows += (uint64_t)end;
    /* The PE above goes on to put its new u here, so it must know that this one has done with the old. */
    if (me + 1 < bench_job.npes)
        shmem_uint64_p(&lu.signal[2], lu.rows, me + 1);
    if (me > 0)
        shmem_uint64_wait_until(&lu.signal[2], SHMEM_CMP_GE, lu.rows);
}

static void run(void)
{
    cfd_update(&lu.f, lu.scheme.dt);
    for (int i = 0; i < lu.facts->iterations; i++) {
        lower();
        upper();
        cfd_add(&lu.f, 1 / (OMEGA * (2 - OMEGA)));
        cfd_update(&lu.f, lu.scheme.dt);
    }
}

/* c2 (energy - kinetic energy) */
static double pressure(int x, int y, int z)
{
    const struct cfd *f = &lu.f;
    const double *const u = f->u + cfd_offset(f, x, y, z);
    const double a = u[f->lanes], b = u[2 * f->lanes], c = u[3 * f->lanes];

    return CFD_C2 * (u[4 * f->lanes] - 0.5 * (a * a + b * b + c * c) / u[0]);
}

/* The sum over a cell's corners in the plane `axis` = at, the cell beginning at (x, y, z). */
static double corners(int axis, int at, const int cell[3])
{
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    double sum = 0;

    for (int i = 0; i < 4; i++) {
        int p[3];

        p[axis] = at;
        p[a] = cell[a] + i % 2;
        p[b] = cell[b] + i / 2;
        sum += pressure(p[0], p[1], p[2]);
    }
    return sum;
}

/* The integral of the pressure over the faces of a box inside the cube. A cell is counted where its lower x is. */
static double surface(void)
{
    const struct cfd *f = &lu.f;
    const int low[3] = {1, 1, 2}, high[3] = {f->n - 2, f->n - 3, f->n - 2};
    double sum = 0;

    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            const int at = side ? high[axis] : low[axis];
            int from[3], to[3];

            memcpy(from, low, sizeof from);
            memcpy(to, high, sizeof to);
            from[axis] = at;
            to[axis] = at + 1;
            from[0] = from[0] > f->from ? from[0] : f->from;
            to[0] = to[0] < f->from + f->slabs ? to[0] : f->from + f->slabs;
            for (int x = from[0]; x < to[0]; x++)
                for (int y = from[1]; y < to[1]; y++)
                    for (int z = from[2]; z < to[2]; z++)
                        sum += corners(axis, at, (const int[3]){x, y, z});
        }
    return 0.25 * npb_sum1(sum) / ((double)(f->n - 1) * (f->n - 1));
}

static bool surface_right(enum npb_class c)
{
    return npb_same("surface integral", surface(), surfaces[c], 1e-8);
}

int main(int argc, char **argv)
{
    static const struct cfd_program program = {
        .name = "LU",
        .purpose = "NAS parallel benchmark LU: flow equations by relaxation in pipelined sweeps",
        .classes = classes,
        .operations = {1984.77, -10923.3, 27770.9, -144010},
        .field = &lu.f,
        .setup = setup,
        .run = run,
        .also_right = surface_right,
    };

    return cfd_main(argc, argv, &program);
}
