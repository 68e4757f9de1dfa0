/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Exchange of a cube's boundary between tasks 0 and 1 over PVM: packed with strides, from a copy by hand, and as a
 * message for each block.
 */
#include <stdlib.h>

#include "../pvm/pvmjob.h"
#include "boundary.h"

#define WINDOW 256 /* messages that are on their way in each direction */
#define TAG 6

enum way { STRIDED_PACK, BY_HAND, MANY_SENDS, WAYS };
static const char *const names[WAYS] = {"strided pack", "copy by hand", "many sends"};

static struct {
    struct boundary b;
    enum way way;
    int partner, tid; /* -1: this task only watches */
    double *cube, *block;
    bool written; /* the boundary, before each exchange, and the ghosts are read after it */
    long round;
} x;

static void begin_message(void)
{
    pvmjob_must("pvm_initsend", pvm_initsend(PvmDataRaw));
}

static void send(void)
{
    pvmjob_must("pvm_send", pvm_send(x.tid, TAG));
}

static void receive(void)
{
    pvmjob_must("pvm_recv", pvm_recv(x.tid, TAG));
}

typedef int pack_call(double *at, int count, int stride);

/* The boundary that begins at a place, by calls that take a stride: blocks of several doubles need one call each. */
static void all_strided(pack_call *call, size_t place)
{
    for (size_t v = 0; v < x.b.vectors; v++) {
        double *at = x.cube + place + v * x.b.vector_stride;

        if (x.b.block == 1) {
            pvmjob_must("pvm_pkdouble", call(at, (int)x.b.blocks, (int)x.b.stride));
            continue;
        }
        for (size_t i = 0; i < x.b.blocks; i++, at += x.b.stride)
            pvmjob_must("pvm_pkdouble", call(at, (int)x.b.block, 1));
    }
}

static void strided_pack(void)
{
    begin_message();
    all_strided(pvm_pkdouble, x.b.own);
    send();
    receive();
    all_strided(pvm_upkdouble, x.b.ghost);
}

static void by_hand(void)
{
    const int n = (int)boundary_doubles(&x.b);

    boundary_pack(&x.b, x.cube, x.b.own, x.block);
    begin_message();
    pvmjob_must("pvm_pkdouble", pvm_pkdouble(x.block, n, 1));
    send();
    receive();
    pvmjob_must("pvm_upkdouble", pvm_upkdouble(x.block, n, 1));
    boundary_unpack(&x.b, x.cube, x.b.ghost, x.block);
}

static double *block_at(size_t begin, size_t i)
{
    return x.cube + begin + i / x.b.blocks * x.b.vector_stride + i % x.b.blocks * x.b.stride;
}

static void many_sends(void)
{
    const size_t all = x.b.vectors * x.b.blocks;
    const int n = (int)x.b.block;

    for (size_t begin = 0; begin < all; begin += WINDOW) {
        const size_t end = begin + WINDOW < all ? begin + WINDOW : all;

        for (size_t i = begin; i < end; i++) {
            begin_message();
            pvmjob_must("pvm_pkdouble", pvm_pkdouble(block_at(x.b.own, i), n, 1));
            send();
        }
        for (size_t i = begin; i < end; i++) {
            receive();
            pvmjob_must("pvm_upkdouble", pvm_upkdouble(block_at(x.b.ghost, i), n, 1));
        }
    }
}

static void exchange(void *arg, long reps)
{
    static void (*const how[WAYS])(void) = {strided_pack, by_hand, many_sends};

    (void)arg;
    for (long i = 0; x.partner >= 0 && i < reps; i++) {
        if (x.written)
            boundary_write(&x.b, x.cube, pvmjob.rank, ++x.round);
        how[x.way]();
        if (x.written)
            boundary_read(&x.b, x.cube, x.partner, x.round);
    }
}

static bool check(void)
{
    bool right = true;

    for (int round = 1; x.partner >= 0 && round <= 2; round++) {
        boundary_fill(&x.b, x.cube, pvmjob.rank, round);
        exchange(NULL, 1);
        right = boundary_right(&x.b, x.cube, pvmjob.rank, x.partner, round) && right;
    }
    return pvmjob_right(right);
}

static void run_case(int which, int side, int way, enum bench_cache cache)
{
    static struct bench_series times;
    struct bench_params p = pvmjob_params();
    const double *const copies[] = {x.block};
    enum bench_stop stop;
    double budget;
    bool right;

    boundary_init(&x.b, which, side);
    x.way = (enum way)way;
    if (x.partner >= 0)
        boundary_cache(&x.b, cache, x.cube, copies, 1);
    budget = pvmjob_case("%s, %s, %d", x.b.pattern, names[way], side);
    right = check();
    x.written = cache == BENCH_WRITTEN;
    stop = pvmjob_measure(exchange, NULL, budget, PVMJOB_LONGEST, &times);
    if (x.written)
        right = pvmjob_right(bench_fresh_right()) && right;
    x.written = false;
    if (pvmjob.rank == 0)
        boundary_emit(&x.b, &p, names[way], cache, &times, right, stop);
}

/* Tasks beyond the pair have nothing of all this. */
static void allocate(int most)
{
    x.partner = pvmjob.rank < 2 ? 1 - pvmjob.rank : -1;
    if (x.partner < 0)
        return;
    x.tid = pvmjob.tids[x.partner];
    x.cube = calloc(boundary_cube(most), sizeof *x.cube);
    x.block = calloc((size_t)most * (size_t)most, sizeof *x.block);
    if (!x.cube || !x.block)
        pvmjob_fatal("no memory for a cube of %d", most);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"occomm_pvm",    "exchange of a cube's boundary", 2, 30, 3,
                                                  boundary_options};
    char why[96];
    int most;

    pvmjob_start(argc, argv, &program);
    most = boundary_most(why, sizeof why);
    if (most < 0)
        pvmjob_fatal("%s: %s", program.name, why);
    allocate(most);
    boundary_each(WAYS, run_case);
    free(x.cube);
    free(x.block);
    return pvmjob_finish();
}
