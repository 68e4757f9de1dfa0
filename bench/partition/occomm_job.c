/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchanges of a cube's boundary between PEs 0 and 1 in symmetric memory; other PEs watch.
 */
#include "occomm_job.h"

#include <stdlib.h>

struct occomm_job occomm;
static const struct occomm_program *program;
static const struct occomm_way *way;
/* Where the boundary is written before each exchange and the ghosts are read after it: the partner's last exchange that
 * is all over. Only then may its ghosts and my boundary change again. */
static long *over;
static bool written;

double *occomm_landing(void)
{
    return occomm.landing + (size_t)(occomm.turn & 1) * boundary_doubles(&occomm.b);
}

static void exchange(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; occomm.partner >= 0 && i < reps; i++) {
        occomm.turn++;
        if (written) {
            shmem_long_wait_until(over, SHMEM_CMP_GE, occomm.turn - 1);
            boundary_write(&occomm.b, occomm.cube, bench_job.me, occomm.turn);
        }
        way->exchange();
        if (written) {
            boundary_read(&occomm.b, occomm.cube, occomm.partner, occomm.turn);
            shmem_long_p(over, occomm.turn, occomm.partner);
        }
    }
}

static bool check(void)
{
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        if (occomm.partner >= 0)
            boundary_fill(&occomm.b, occomm.cube, bench_job.me, round);
        shmem_barrier_all();
        exchange(NULL, 1);
        shmem_barrier_all(); /* a get may still read my boundary */
        if (occomm.partner >= 0)
            right = boundary_right(&occomm.b, occomm.cube, bench_job.me, occomm.partner, round) && right;
    }
    return bench_agree_right(right);
}

static void run_case(int which, int side, int w, enum bench_cache cache)
{
    static struct bench_series times;
    struct bench_params p = bench_job_params();
    const double *copies[3];
    enum bench_stop stop;
    double budget;
    bool right;

    boundary_init(&occomm.b, which, side);
    way = &program->ways[w];
    copies[0] = occomm.own;
    copies[1] = occomm.landing;
    copies[2] = occomm.landing + boundary_doubles(&occomm.b);
    boundary_cache(&occomm.b, cache, occomm.cube, copies, 3);
    budget = bench_agree_budget(
        bench_plan_next("%s, %s, %d, %s", occomm.b.pattern, way->name, side, bench_cache_name(cache)));
    right = check();
    written = cache == BENCH_WRITTEN;
    *over = occomm.turn;
    shmem_barrier_all();
    stop = bench_measure_together(exchange, NULL, budget, BENCH_SPAN, &times, NULL);
    if (written)
        right = bench_agree_right(bench_fresh_right()) && right;
    written = false;
    if (bench_job.me == 0)
        boundary_emit(&occomm.b, &p, way->name, cache, &times, right, stop);
}

static void allocate(int most)
{
    const size_t face = (size_t)most * (size_t)most;

    occomm.partner = bench_job.me < 2 ? 1 - bench_job.me : -1;
    occomm.cube = shmem_align(4096, boundary_cube(most) * sizeof(double));
    occomm.landing = shmem_align(4096, 2 * face * sizeof(double));
    occomm.own = malloc(face * sizeof(double));
    over = shmem_calloc(1, sizeof *over);
    if (!over || !occomm.cube || !occomm.landing || !occomm.own)
        bench_job_fatal("no memory for a cube of %d: raise SHMEM_SYMMETRIC_SIZE or lower --most", most);
}

int occomm_main(int argc, char **argv, const struct occomm_program *own)
{
    char why[96];
    int most;

    program = own;
    bench_job_start(argc, argv, &own->program);
    most = boundary_most(why, sizeof why);
    if (most < 0 && bench_job.me == 0)
        bench_job_fatal("%s: %s", own->program.name, why);
    shmem_barrier_all();
    allocate(most);
    if (own->begin)
        own->begin();
    shmem_barrier_all();
    boundary_each(own->n, run_case);
    if (own->finish)
        own->finish();
    free(occomm.own);
    return bench_job_finish();
}
