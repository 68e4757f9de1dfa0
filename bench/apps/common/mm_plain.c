/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The same local loop as in the programs, compiled as plain C, to see what another compiler costs.
 */
#include "mm.h"
#include "mm_local.h"
#include "mm_plain.h"

#include <stdlib.h>

#define ROUNDS 4

struct job {
    mm_loop *loop;
    int side;
    double *c, *a, *b;
};

static void plain(int n, double c[restrict n][n], double a[restrict n][n], double b[restrict n][n])
{
    mm_local(n, c, a, b);
}

static void body(void *arg, long reps)
{
    struct job *const j = arg;
    const int n = j->side;

    for (long i = 0; i < reps; i++)
        j->loop(n, (double (*)[n])j->c, (double (*)[n])j->a, (double (*)[n])j->b);
}

/* Of small whole numbers, so that every order of summing gives the same. */
static bool right(struct job *j)
{
    const int n = j->side;

    for (int i = 0; i < n * n; i++) {
        j->a[i] = (double)(app_mix((uint64_t)i) % 17) - 8;
        j->b[i] = (double)(app_mix((uint64_t)i + 99999) % 17) - 8;
        j->c[i] = i;
    }
    body(j, 1);
    for (int i = 0; i < n * n; i++) {
        double sum = i;

        for (int k = 0; k < n; k++)
            sum += j->a[i / n * n + k] * j->b[k * n + i % n];
        if (j->c[i] != sum)
            return false;
    }
    for (int i = 0; i < n * n; i++)
        j->a[i] = app_real((uint64_t)i) * 1e-3; /* so that c stays small */
    return true;
}

static void emit(const char *compiler, int side, const struct bench_series *s, bool good)
{
    struct bench_params p = {0};

    bench_param_text(&p, "compiler", compiler);
    bench_param_integer(&p, "npes", app_job.npes);
    bench_param_integer(&p, "block_side", side);
    bench_report_write(&(struct bench_record){.test = "local multiply",
                                              .metric = "rate",
                                              .unit = "Mflop/s",
                                              .params = &p,
                                              .series = s,
                                              .verified = good,
                                              .stop = "budget"});
}

static void compare(const char *compiler, mm_loop *loop, int side, double budget_ns)
{
    static struct bench_series samples, some, all[2];
    const size_t bytes = sizeof(double) * (size_t)side * (size_t)side;
    struct job j = {NULL, side, app_alloc(bytes), app_alloc(bytes), app_alloc(bytes)};
    mm_loop *const loops[2] = {loop, plain};
    bool good = true;

    for (int i = 0; i < 2 * ROUNDS; i++) {
        j.loop = loops[i % 2];
        good = right(&j) && good;
        if (i < 2)
            bench_series_clear(&all[i]);
        bench_measure(body, NULL, &j, budget_ns / (2 * ROUNDS), &some);
        bench_series_invert(&samples, &some, 2e3 * side * side * side);
        bench_series_append(&all[i % 2], &samples);
    }
    for (int i = 0; i < 2; i++)
        emit(i == 0 ? compiler : "cc", side, &all[i], good);
    free(j.c);
    free(j.a);
    free(j.b);
}

void mm_compare(const char *compiler, mm_loop *loop, double budget_ns)
{
    mm_begin_large();
    compare(compiler, loop, mm.side, budget_ns / 2);
    mm_begin_small();
    compare(compiler, loop, mm.side, budget_ns / 2);
}
