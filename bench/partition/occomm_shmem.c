/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between PEs 0 and 1 over SHMEM: by a strided put, many puts, a copy by hand and a strided get.
 */
#include "../common/job.h"
#include "boundary.h"

#include <stdlib.h>

enum way { STRIDED_PUT, MANY_PUTS, BY_HAND, GET, WAYS };
static const char *const names[WAYS] = {"strided put", "many puts", "copy by hand", "get"};

static struct {
    struct boundary b;
    enum way way;
    int partner; /* -1: this PE only watches */
    double *cube, *buffers, *own; /* the first two symmetric */
    long *flag, turn;             /* what the partner has sent, or has ready */
} x;

/* One vector of the boundary, to or from the same place on the partner. */
static void move_vector(double *to, const double *from, const struct boundary *b, bool get)
{
    const ptrdiff_t stride = (ptrdiff_t)b->stride;

    if (b->blocks == 1 && get)
        shmem_get64(to, from, b->block, x.partner);
    else if (b->blocks == 1)
        shmem_put64(to, from, b->block, x.partner);
    else if (b->block == 1 && get)
        shmem_iget64(to, from, stride, stride, b->blocks, x.partner);
    else if (b->block == 1)
        shmem_iput64(to, from, stride, stride, b->blocks, x.partner);
#if BENCH_SHMEM(1, 6)
    else if (get)
        shmem_ibget64(to, from, stride, stride, b->block, b->blocks, x.partner);
    else
        shmem_ibput64(to, from, stride, stride, b->block, b->blocks, x.partner);
#else
    else
        for (size_t i = 0; i < b->blocks; i++, to += stride, from += stride) {
            if (get)
                shmem_get64(to, from, b->block, x.partner);
            else
                shmem_put64(to, from, b->block, x.partner);
        }
#endif
}

static void move_strided(bool get)
{
    for (size_t v = 0; v < x.b.vectors; v++) {
        const size_t at = v * x.b.vector_stride;

        move_vector(x.cube + x.b.ghost + at, x.cube + x.b.own + at, &x.b, get);
    }
}

static void put_many(void)
{
    for (size_t v = 0; v < x.b.vectors; v++)
        for (size_t i = 0; i < x.b.blocks; i++) {
            const size_t at = v * x.b.vector_stride + i * x.b.stride;

            if (x.b.block == 1)
                shmem_double_p(x.cube + x.b.ghost + at, x.cube[x.b.own + at], x.partner);
            else
                shmem_put64(x.cube + x.b.ghost + at, x.cube + x.b.own + at, x.b.block, x.partner);
        }
}

static void tell_and_wait(void)
{
    shmem_fence();
    shmem_long_p(x.flag, x.turn, x.partner);
    shmem_long_wait_until(x.flag, SHMEM_CMP_GE, x.turn);
}

/* Two buffers in turns: the partner sends turn t + 1 after unpacking t, and then only I send t + 2. */
static void by_hand(void)
{
    double *const buffer = x.buffers + (size_t)(x.turn & 1) * boundary_doubles(&x.b);

    boundary_pack(&x.b, x.cube, x.b.own, x.own);
    shmem_put64(buffer, x.own, boundary_doubles(&x.b), x.partner);
    tell_and_wait();
    boundary_unpack(&x.b, x.cube, x.b.ghost, buffer);
}

static void exchange(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; x.partner >= 0 && i < reps; i++) {
        x.turn++;
        switch (x.way) {
        case STRIDED_PUT:
            move_strided(false);
            tell_and_wait();
            break;
        case MANY_PUTS:
            put_many();
            tell_and_wait();
            break;
        case BY_HAND:
            by_hand();
            break;
        default: /* the boundary is ready; the partner takes it */
            tell_and_wait();
            move_strided(true);
        }
    }
}

static bool check(void)
{
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        if (x.partner >= 0)
            boundary_fill(&x.b, x.cube, bench_job.me, round);
        shmem_barrier_all();
        exchange(NULL, 1);
        shmem_barrier_all(); /* a get may still read my boundary */
        if (x.partner >= 0)
            right = boundary_right(&x.b, x.cube, bench_job.me, x.partner, round) && right;
    }
    return bench_agree_right(right);
}

static void run_case(int which, int side, int way)
{
    static struct bench_series times;
    struct bench_params p = bench_job_params();
    enum bench_stop stop;
    double budget;
    bool right;

    boundary_init(&x.b, which, side);
    x.way = (enum way)way;
    budget = bench_agree_budget(bench_plan_next("%s, %s, %d", x.b.pattern, names[way], side));
    right = check();
    stop = bench_measure_together(exchange, NULL, budget, BENCH_SPAN, &times, NULL);
    if (bench_job.me == 0)
        boundary_emit(&x.b, &p, names[way], &times, right, stop);
}

static void allocate(int most)
{
    const size_t face = (size_t)most * (size_t)most;

    x.partner = bench_job.me < 2 ? 1 - bench_job.me : -1;
    x.cube = shmem_align(4096, boundary_cube(most) * sizeof(double));
    x.buffers = shmem_align(4096, 2 * face * sizeof(double));
    x.flag = shmem_calloc(1, sizeof *x.flag);
    x.own = malloc(face * sizeof(double));
    if (!x.cube || !x.buffers || !x.flag || !x.own)
        bench_job_fatal("no memory for a cube of %d: raise SHMEM_SYMMETRIC_SIZE or lower --most", most);
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"occomm_shmem", "exchange of a cube's boundary", boundary_options, 2, 30, 5};
    char why[96];
    int most;

    bench_job_start(argc, argv, &program);
    most = boundary_most(why, sizeof why);
    if (most < 0 && bench_job.me == 0)
        bench_job_fatal("%s: %s", program.name, why);
    shmem_barrier_all();
    allocate(most);
    boundary_each(WAYS, run_case);
    free(x.own);
    return bench_job_finish();
}
