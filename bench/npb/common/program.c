/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The frame around a kernel: its options, its runs within the time budget, and its records. A run's time is
 * that of the PE that took longest, each from its leaving the same barrier.
 */
#include "npb.h"

#include <stdlib.h>
#include <string.h>

#define MOST_RUNS 50
#define LONG_RUN_S 1.0

static const char class_names[NPB_CLASSES][2] = {"S", "W", "A", "B", "C"};

/* Floating-point operations as NPB 1 counted them, 10^9; class C as the published rates have it. */
static const struct {
    const char *name;
    double a, b, c;
} counts[] = {
    {"EP", 26.68, 100.9, 403.4},  {"MG", 3.905, 18.81, 155.2},  {"CG", 1.508, 54.89, 136.9},
    {"FT", 5.631, 71.37, 404.5},  {"IS", 0.7812, 3.15, 12.86},  {"LU", 64.57, 319.6, 2041.9},
    {"SP", 102.0, 447.1, 1453.6}, {"BT", 181.3, 721.5, 3052.4},
};

/* 0 where NPB 1 had no such class. */
static double npb1_operations(const char *name, enum npb_class c)
{
    for (size_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        if (strcmp(counts[i].name, name) == 0)
            return 1e9 * (c == NPB_A ? counts[i].a : c == NPB_B ? counts[i].b : c == NPB_C ? counts[i].c : 0);
    return 0;
}

/* Ends the job in order, as for other wrong options. */
static void refuse(const struct npb_kernel *k, const char *what, const char *why)
{
    if (bench_job.me == 0)
        fprintf(stderr, "%s: %s: %s\n", k->name, what, why);
    shmem_barrier_all();
    shmem_finalize();
    exit(2);
}

static enum npb_class choose(const struct npb_kernel *k, const char *text)
{
    enum npb_class c = bench_options.quick ? k->quick : k->usual;
    const char *why;
    char what[64];

    if (text) {
        c = NPB_S;
        while (c < NPB_CLASSES && strcmp(text, class_names[c]) != 0)
            c++;
        if (c == NPB_CLASSES) {
            snprintf(what, sizeof what, "--class %.40s", text);
            refuse(k, what, "not S, W, A, B or C");
        }
    }
    why = k->unfit ? k->unfit(c, bench_job.npes) : NULL;
    if (why) {
        snprintf(what, sizeof what, "%d PEs, class %s", bench_job.npes, class_names[c]);
        refuse(k, what, why);
    }
    return c;
}

bool npb_same(const char *what, double got, double expected, double tolerance)
{
    const double error = fabs(got - expected) / fabs(expected);

    if (error <= tolerance) /* not for a NAN */
        return true;
    if (bench_job.me == 0)
        fprintf(stderr, "%s is %.15g, not %.15g: off by %.1e, allowed are %.1e\n", what, got, expected, error,
                tolerance);
    return false;
}

/* Seconds of the slowest PE, on PE 0. */
static double timed(const struct npb_kernel *k)
{
    static struct bench_series all;
    int64_t start, end;

    shmem_barrier_all();
    bench_region_begin("NPB %s", k->name);
    start = bench_now();
    k->run();
    end = bench_now();
    bench_region_end();
    shmem_barrier_all();
    bench_gather((double)(end - start) * 1e-9, &all);
    return bench_job.me == 0 ? bench_stats(&all).max : 0;
}

/* An interval of the median takes six runs. More are for short ones, until it is narrow. */
static bool enough(const struct bench_series *times)
{
    return times->n >= MOST_RUNS ||
           (times->n >= BENCH_LEAST_SAMPLES && (bench_stats(times).min > LONG_RUN_S || bench_precise(times)));
}

static bool measure(const struct npb_kernel *k, const char *class_name, double budget_ns, struct bench_series *times)
{
    const int64_t end = bench_now() + (int64_t)budget_ns;
    bool right = true, more;

    bench_series_clear(times);
    do {
        double last;

        if (k->prepare)
            k->prepare();
        last = timed(k);
        bench_series_add(times, last);
        if (!bench_agree_right(k->verify())) {
            right = false;
            if (bench_job.me == 0)
                fprintf(stderr, "%s class %s: the results are wrong\n", k->name, class_name);
        }
        more = right && bench_job.me == 0 && !enough(times) && (double)(end - bench_now()) >= 1.1e9 * last;
    } while (bench_agree(more));
    return right;
}

static const char *stop_of(const struct bench_series *times)
{
    return bench_stop_name(bench_precise(times) ? BENCH_STOP_CI : enough(times) ? BENCH_STOP_FULL : BENCH_STOP_BUDGET);
}

static void report(const struct npb_kernel *k, enum npb_class c, const struct bench_series *times, bool right)
{
    static struct bench_series rates;
    const struct bench_params npes = bench_job_params();
    const double npb1 = npb1_operations(k->name, c);
    struct bench_params p = bench_job_params();
    char test[16];

    snprintf(test, sizeof test, "NPB %s", k->name);
    bench_param_text(&p, "cls", class_names[c]);
    bench_emit(test, &p, "time", "s", times, right, stop_of(times));
    if (npb1 > 0) {
        bench_series_invert(&rates, times, npb1 * 1e-6 / bench_job.npes);
        bench_emit(test, &p, "rate_per_pe", "Mflop/s", &rates, right, stop_of(times));
    }
    bench_series_invert(&rates, times, k->operations(c) * 1e-6 / bench_job.npes);
    bench_emit(test, &p, "npb3_rate_per_pe", "Mop/s", &rates, right, stop_of(times));
    if (k->also && c == NPB_A)
        bench_emit(k->also, &npes, "time", "s", times, right, stop_of(times));
}

int npb_main(int argc, char **argv, const struct npb_kernel *k)
{
    static const char *text;
    static struct bench_series times;
    static const struct bench_option own[] = {{"class", BENCH_TEXT, &text, "S, W, A, B or C: how large the problem is"},
                                              {NULL, BENCH_FLAG, NULL, NULL}};
    const struct bench_program program = {k->name, k->purpose, own, 1, 20, 2};
    enum npb_class c;
    double budget;
    bool right;

    bench_job_start(argc, argv, &program);
    c = choose(k, text);
    bench_plan_begin(1, bench_options.max_seconds);
    budget = bench_plan_next("NPB %s class %s", k->name, class_names[c]);
    k->setup(c);
    right = measure(k, class_names[c], budget, &times);
    report(k, c, &times, right);
    return bench_job_finish();
}
