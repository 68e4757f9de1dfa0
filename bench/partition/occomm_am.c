/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between PEs 0 and 1 by active messages: a store for each block, one store of a copy made by
 * hand, medium messages whose handlers put the blocks where they belong, and a get for each block.
 */
#include <am.h>
#include <stdlib.h>

#include "../common/job.h"
#include "boundary.h"

enum way { MANY_STORES, BY_HAND, MEDIUM, GET, WAYS };
static const char *const names[WAYS] = {"many stores", "copy by hand", "medium messages", "get"};

static struct {
    struct boundary b;
    enum way way;
    int partner;              /* -1: this PE only watches */
    double *cube, *landing;   /* symmetric; two places for a copied boundary in turns */
    double *own;
    volatile long came, ready, gotten; /* doubles, turns, blocks */
    long due, turn, wanted;
} x;

static void on_store(vnn_t src, void *addr, int bytes, void *arg)
{
    x.came += src >= 0 && addr && !arg ? bytes / (long)sizeof(double) : 0;
}

static void on_get(vnn_t src, void *addr, int bytes, void *arg)
{
    x.gotten += src >= 0 && addr && bytes > 0 && !arg;
}

static void on_ready(vnn_t src)
{
    x.ready += src >= 0;
}

static double *block_at(size_t begin, size_t i)
{
    return x.cube + begin + i / x.b.blocks * x.b.vector_stride + i % x.b.blocks * x.b.stride;
}

static void await_all(void)
{
    x.due += (long)boundary_doubles(&x.b);
    am_wait_for(x.came >= x.due);
}

static void many_stores(void)
{
    const long bytes = (long)(x.b.block * sizeof(double));

    for (size_t i = 0; i < x.b.vectors * x.b.blocks; i++)
        am_store(x.partner, block_at(x.b.own, i), block_at(x.b.ghost, i), bytes, on_store, NULL);
    await_all();
}

/* Two places in turns: the partner sends turn t + 1 after unpacking t, and then only I send t + 2. */
static void by_hand(void)
{
    double *const place = x.landing + (size_t)(x.turn++ & 1) * boundary_doubles(&x.b);

    boundary_pack(&x.b, x.cube, x.b.own, x.own);
    am_store(x.partner, x.own, place, (long)(boundary_doubles(&x.b) * sizeof(double)), on_store, NULL);
    await_all();
    boundary_unpack(&x.b, x.cube, x.b.ghost, place);
}

/* Doubles of the boundary from `first` on, in its order: what a message holds. */
static void put_apart(const double *from, size_t first, size_t n)
{
    for (size_t k = first; k < first + n; k++)
        block_at(x.b.ghost, k / x.b.block)[k % x.b.block] = *from++;
}

static void on_medium(vnn_t src, void *body, int bytes, const am_word *words, int n)
{
    const size_t count = (size_t)bytes / sizeof(double);

    put_apart(body, (size_t)words[0], count);
    x.came += src >= 0 && n == 1 ? (long)count : 0;
}

static void medium(void)
{
    const size_t all = boundary_doubles(&x.b), most = (size_t)am_max_medium(x.partner) / sizeof(double);

    for (size_t first = 0, n; first < all; first += n) {
        const am_word word = (am_word)first;
        double *body;

        n = all - first < most ? all - first : most;
        body = am_request_prepare(x.partner, (int)(n * sizeof *body), 1);
        if (!body)
            bench_job_fatal("occomm_am: am_request_prepare(%d, %zu bytes) failed", x.partner, n * sizeof *body);
        for (size_t k = first; k < first + n; k++)
            *body++ = block_at(x.b.own, k / x.b.block)[k % x.b.block];
        am_request_commit(x.partner, on_medium, (int)(n * sizeof *body), &word, 1);
    }
    await_all();
}

/* The boundary is ready; the partner takes it. */
static void get(void)
{
    const size_t all = x.b.vectors * x.b.blocks;

    x.turn++;
    am_request_0(x.partner, on_ready);
    am_wait_for(x.ready >= x.turn);
    x.wanted += (long)all;
    for (size_t i = 0; i < all; i++)
        am_get(x.partner, block_at(x.b.own, i), block_at(x.b.ghost, i), (long)(x.b.block * sizeof(double)), on_get, NULL);
    am_wait_for(x.gotten >= x.wanted);
}

static void exchange(void *arg, long reps)
{
    static void (*const how[WAYS])(void) = {many_stores, by_hand, medium, get};

    (void)arg;
    for (long i = 0; x.partner >= 0 && i < reps; i++)
        how[x.way]();
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
    x.turn = x.ready = 0;
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
    x.landing = shmem_align(4096, 2 * face * sizeof(double));
    x.own = malloc(face * sizeof(double));
    if (!x.cube || !x.landing || !x.own)
        bench_job_fatal("no memory for a cube of %d: raise SHMEM_SYMMETRIC_SIZE or lower --most", most);
    am_enable();
    shmem_barrier_all();
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"occomm_am", "exchange of a cube's boundary", boundary_options, 2, 30, 3};
    char why[96];
    int most;

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    most = boundary_most(why, sizeof why);
    if (most < 0 && bench_job.me == 0)
        bench_job_fatal("%s: %s", program.name, why);
    shmem_barrier_all();
    allocate(most);
    boundary_each(WAYS, run_case);
    am_disable();
    free(x.own);
    return bench_job_finish();
}
