/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between PEs 0 and 1 by active messages: a store for each block, one store of a copy
 * made by hand, medium messages whose handlers put the blocks where they belong, and a get for each block.
 */
#include <am.h>

#include "occomm_job.h"

static struct {
    volatile long came, ready, gotten; /* doubles, turns, blocks */
    long due, turns, wanted;
} seen;

static void on_store(vnn_t src, void *addr, int bytes, void *arg)
{
    seen.came += src >= 0 && addr && !arg ? bytes / (long)sizeof(double) : 0;
}

static void on_get(vnn_t src, void *addr, int bytes, void *arg)
{
    seen.gotten += src >= 0 && addr && bytes > 0 && !arg;
}

static void on_ready(vnn_t src)
{
    seen.ready += src >= 0;
}

static double *block_at(size_t begin, size_t i)
{
    return occomm.cube + begin + i / occomm.b.blocks * occomm.b.vector_stride + i % occomm.b.blocks * occomm.b.stride;
}

static void await_all(void)
{
    seen.due += (long)boundary_doubles(&occomm.b);
    am_wait_for(seen.came >= seen.due);
}

static void many_stores(void)
{
    const long bytes = (long)(occomm.b.block * sizeof(double));

    for (size_t i = 0; i < occomm.b.vectors * occomm.b.blocks; i++)
        am_store(occomm.partner, block_at(occomm.b.own, i), block_at(occomm.b.ghost, i), bytes, on_store, NULL);
    await_all();
}

static void by_hand(void)
{
    double *const place = occomm_landing();

    boundary_pack(&occomm.b, occomm.cube, occomm.b.own, occomm.own);
    am_store(occomm.partner, occomm.own, place, (long)(boundary_doubles(&occomm.b) * sizeof(double)), on_store, NULL);
    await_all();
    boundary_unpack(&occomm.b, occomm.cube, occomm.b.ghost, place);
}

/* Doubles of the boundary from `first` on, in its order: what a message holds. */
static void put_apart(const double *from, size_t first, size_t n)
{
    for (size_t k = first; k < first + n; k++)
        block_at(occomm.b.ghost, k / occomm.b.block)[k % occomm.b.block] = *from++;
}

static void on_medium(vnn_t src, void *body, int bytes, const am_word *words, int n)
{
    const size_t count = (size_t)bytes / sizeof(double);

    put_apart(body, (size_t)words[0], count);
    seen.came += src >= 0 && n == 1 ? (long)count : 0;
}

static void medium(void)
{
    const size_t all = boundary_doubles(&occomm.b), most = (size_t)am_max_medium(occomm.partner) / sizeof(double);

    for (size_t first = 0, n; first < all; first += n) {
        const am_word word = (am_word)first;
        double *body;

        n = all - first < most ? all - first : most;
        body = am_request_prepare(occomm.partner, (int)(n * sizeof *body), 1);
        if (!body)
            bench_job_fatal("occomm_am: am_request_prepare(%d, %zu bytes) failed", occomm.partner, n * sizeof *body);
        for (size_t k = first; k < first + n; k++)
            *body++ = block_at(occomm.b.own, k / occomm.b.block)[k % occomm.b.block];
        am_request_commit(occomm.partner, on_medium, (int)(n * sizeof *body), &word, 1);
    }
    await_all();
}

/* The boundary is ready; the partner takes it. */
static void get(void)
{
    const size_t all = occomm.b.vectors * occomm.b.blocks;

    am_request_0(occomm.partner, on_ready);
    seen.turns++;
    am_wait_for(seen.ready >= seen.turns);
    seen.wanted += (long)all;
    for (size_t i = 0; i < all; i++)
        am_get(occomm.partner, block_at(occomm.b.own, i), block_at(occomm.b.ghost, i),
               (long)(occomm.b.block * sizeof(double)), on_get, NULL);
    am_wait_for(seen.gotten >= seen.wanted);
}

static const struct occomm_way ways[] = {
    {"many stores", many_stores}, {"copy by hand", by_hand}, {"medium messages", medium}, {"get", get}};

static void begin(void)
{
    am_enable();
}

static void finish(void)
{
    am_disable();
}

int main(int argc, char **argv)
{
    static const struct occomm_program program = {
        .program = {"occomm_am", "exchange of a cube's boundary", boundary_options, 2, 30, 3},
        .ways = ways,
        .n = (int)(sizeof ways / sizeof *ways),
        .begin = begin,
        .finish = finish,
    };

    bench_job.library = "AM";
    return occomm_main(argc, argv, &program);
}
