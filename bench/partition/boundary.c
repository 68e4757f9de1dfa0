/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Boundaries of a cube: where they lie, copies by hand, checks, and the records of their exchange.
 */
#include "boundary.h"

#include <string.h>

#define SMALLEST 8

static long most;
const struct bench_option boundary_options[] = {
    {"most", BENCH_LONG, &most, "largest side of the cube (256; 128 with --quick)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

size_t boundary_cube(int side)
{
    const size_t row = (size_t)side + 2;

    return row * row * row;
}

void boundary_init(struct boundary *b, int which, int side)
{
    const size_t n = (size_t)side, row = n + 2, layer = row * row;

    memset(b, 0, sizeof *b);
    b->side = side;
    if (which == 0) { /* of a layer across x, the first n * n */
        b->pattern = "contiguous";
        b->vectors = b->blocks = 1;
        b->block = n * n;
        b->own = layer;
        b->ghost = 0;
    } else if (which == 1) { /* across y */
        b->pattern = "single-stride";
        b->vectors = 1;
        b->blocks = n;
        b->stride = layer;
        b->block = n;
        b->own = layer + row + 1;
        b->ghost = layer + 1;
    } else { /* across z */
        b->pattern = "double-stride";
        b->vectors = n;
        b->vector_stride = layer;
        b->blocks = n;
        b->stride = row;
        b->block = 1;
        b->own = layer + row + 1;
        b->ghost = layer + row;
    }
}

size_t boundary_doubles(const struct boundary *b)
{
    return b->vectors * b->blocks * b->block;
}

void boundary_pack(const struct boundary *b, const double *cube, size_t at, double *to)
{
    for (size_t v = 0; v < b->vectors; v++) {
        const double *from = cube + at + v * b->vector_stride;

        for (size_t i = 0; i < b->blocks; i++, from += b->stride)
            for (size_t k = 0; k < b->block; k++)
                *to++ = from[k];
    }
}

void boundary_unpack(const struct boundary *b, double *cube, size_t at, const double *from)
{
    for (size_t v = 0; v < b->vectors; v++) {
        double *to = cube + at + v * b->vector_stride;

        for (size_t i = 0; i < b->blocks; i++, to += b->stride)
            for (size_t k = 0; k < b->block; k++)
                to[k] = *from++;
    }
}

/* Exact in doubles for every cube that fits into memory. */
static double value_at(int pe, int round, size_t place)
{
    return (double)place * 1024 + pe * 32 + round % 32;
}

void boundary_fill(const struct boundary *b, double *cube, int pe, int round)
{
    const size_t n = boundary_cube(b->side);

    for (size_t i = 0; i < n; i++)
        cube[i] = value_at(pe, round, i);
}

/* The ghosts get back their first values on the way, so that then the whole cube must have them. */
static bool ghosts_right(const struct boundary *b, double *cube, int pe, int partner, int round)
{
    const size_t shift = b->own - b->ghost;

    for (size_t v = 0; v < b->vectors; v++)
        for (size_t i = 0; i < b->blocks; i++)
            for (size_t k = 0; k < b->block; k++) {
                const size_t place = b->ghost + v * b->vector_stride + i * b->stride + k;

                if (cube[place] != value_at(partner, round, place + shift))
                    return false;
                cube[place] = value_at(pe, round, place);
            }
    return true;
}

bool boundary_right(const struct boundary *b, double *cube, int pe, int partner, int round)
{
    const size_t n = boundary_cube(b->side);

    if (!ghosts_right(b, cube, pe, partner, round))
        return false;
    for (size_t i = 0; i < n; i++)
        if (cube[i] != value_at(pe, round, i))
            return false;
    return true;
}

/* Runs of words that follow each other, as the boundary's blocks have them; single words by themselves. */
void boundary_write(const struct boundary *b, double *cube, int pe, long round)
{
    uint64_t word = bench_fresh_value(pe, round);

    for (size_t v = 0; v < b->vectors; v++) {
        double *at = cube + b->own + v * b->vector_stride;

        for (size_t i = 0; i < b->blocks; i++, at += b->stride, word += b->block) {
            if (b->block == 1)
                memcpy(at, &word, sizeof word);
            else
                bench_fresh_fill(at, b->block * sizeof word, word);
        }
    }
    __asm__ volatile("" : : : "memory"); /* the stores happen, whoever reads them */
}

void boundary_read(const struct boundary *b, const double *cube, int partner, long round)
{
    uint64_t sum = 0, word;

    for (size_t v = 0; v < b->vectors; v++) {
        const double *at = cube + b->ghost + v * b->vector_stride;

        for (size_t i = 0; i < b->blocks; i++, at += b->stride) {
            if (b->block == 1)
                memcpy(&word, at, sizeof word);
            else
                word = bench_fresh_sum(at, b->block * sizeof word);
            sum += word;
        }
    }
    bench_fresh_compare(sum, boundary_doubles(b) * sizeof word, bench_fresh_value(partner, round), 1);
}

int boundary_most(char *why, size_t size)
{
    if (most == 0)
        most = bench_options.quick ? 128 : 256;
    if (most >= SMALLEST && most <= 1024)
        return (int)most;
    snprintf(why, size, "--most: %ld is not between %d and 1024", most, SMALLEST);
    return -1;
}

static int next_side(int side)
{
    const int next = side == 0 ? SMALLEST : side * (bench_options.quick ? 4 : 2);

    if (side == most)
        return 0;
    return next < most ? next : (int)most;
}

static int sides(void)
{
    int n = 0;

    for (int side = next_side(0); side; side = next_side(side))
        n++;
    return n;
}

void boundary_each(int ways, void (*one)(int which, int side, int way, enum bench_cache cache))
{
    const int all = 1 << BENCH_HOT | 1 << BENCH_FLUSHED | 1 << BENCH_WRITTEN,
              caches = bench_caches(1 << BENCH_HOT, all, all);

    bench_plan_begin(sides() * BOUNDARIES * ways * bench_caches_count(caches), bench_options.max_seconds);
    for (int side = next_side(0); side; side = next_side(side))
        for (int which = 0; which < BOUNDARIES; which++)
            for (int way = 0; way < ways; way++)
                for (int cache = 0; cache < BENCH_CACHES; cache++)
                    if (caches & 1 << cache)
                        one(which, side, way, (enum bench_cache)cache);
}

/* Single doubles and short blocks lie all over the cube. */
void boundary_cache(const struct boundary *b, enum bench_cache cache, const double *cube, const double *const *copies,
                    int n)
{
    const size_t bytes = boundary_doubles(b) * sizeof(double);

    bench_cold_clear();
    if (cache != BENCH_FLUSHED)
        return;
    if (b->vectors * b->blocks == 1) {
        bench_cold_add(cube + b->own, bytes);
        bench_cold_add(cube + b->ghost, bytes);
    } else {
        bench_cold_add(cube, boundary_cube(b->side) * sizeof(double));
    }
    for (int i = 0; i < n; i++)
        bench_cold_add(copies[i], bytes);
}

void boundary_emit(const struct boundary *b, const struct bench_params *job, const char *method, enum bench_cache cache,
                   struct bench_series *times, bool right, enum bench_stop stop)
{
    static struct bench_series rates;
    const double bytes = 8.0 * (double)boundary_doubles(b);
    struct bench_params p = *job;

    bench_param_text(&p, "pattern", b->pattern);
    bench_param_text(&p, "method", method);
    bench_param_cache(&p, cache, 0);
    bench_param_integer(&p, "side", b->side);
    bench_param_integer(&p, "message_bytes", (long)bytes);
    bench_series_invert(&rates, times, bytes * 1e3);
    bench_series_scale(times, times, 1e-3);
    bench_report_write(&(struct bench_record){.test = "OCCOMM",
                                              .metric = "exchange_time",
                                              .unit = "us",
                                              .params = &p,
                                              .series = times,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
    bench_report_write(&(struct bench_record){.test = "OCCOMM",
                                              .metric = "bandwidth",
                                              .unit = "MB/s",
                                              .params = &p,
                                              .series = &rates,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
}
