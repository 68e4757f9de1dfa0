/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LINPACK for parallel systems: a dense system of any order, by Gaussian elimination with partial pivoting. Orders grow
 * as far as time and memory allow for Rmax; then the order is sought at which half of that is reached.
 */
#include "lu.h"
#include "peak.h"

#include "../common/job.h"

#include <cblas.h>
#include <stdlib.h>
#include <string.h>

#define TEST "LINPACK (HPC)"
#define ALLOWED 16.0   /* HPL's bound for the residual */
#define SMALLEST 128
#define LARGEST 40000  /* an int must hold what LAPACK counts */
#define STEP 8         /* orders that the search for N one-half tells apart */
#define LEAST_RUNS 5 /* of orders that take no time to speak of */
#define MOST_RUNS 15
#define LAST_SHARE 0.3 /* of the time, for one run of the largest order */
#define MOST_ORDERS 64

extern void openblas_set_num_threads(int threads);
extern char *openblas_get_corename(void);

static long order, width;
static bool copies, memory_ended;
static const struct bench_option own[] = {
    {"n", BENCH_LONG, &order, "solve one system of this order, and search for nothing"},
    {"nb", BENCH_LONG, &width, "columns of a block (default: by the order)"},
    {"copies", BENCH_FLAG, &copies, "copy each panel, also where it could be read in place"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

struct best {
    double rate; /* Gflop/s */
    long n;
};
static struct best tried[MOST_ORDERS]; /* each order is measured once */
static int tried_orders;

/* As HPL counts them, the solution's among them. */
static double flops(long n)
{
    const double x = (double)n;

    return (2.0 / 3 * x + 1.5) * x * x;
}

/* Wide enough for the multiplications, but not so wide that panels, which one PE makes alone, take most of the time. */
static long usual_width(long n)
{
    const long sixteenth = n / 16 / 8 * 8;

    return sixteenth < 32 ? 32 : sixteenth > 192 ? 192 : sixteenth;
}

/* One run: its seconds, those of the slowest PE, on PE 0. */
static double timed(struct lu *m)
{
    static struct bench_series all;
    int64_t start, end;

    lu_fill(m);
    start = bench_now();
    lu_factor(m);
    lu_solve(m);
    shmem_barrier_all();
    end = bench_now();
    bench_gather((double)(end - start) * 1e-9, &all);
    return bench_job.me == 0 ? bench_stats(&all).max : 0;
}

static void emit_order(const struct lu *m, const struct bench_series *times, double residual, bool right)
{
    static struct bench_series rates;
    struct bench_params p = bench_job_params();

    bench_param_integer(&p, "n", m->n);
    bench_param_integer(&p, "nb", m->width);
    bench_param_text(&p, "kernels", openblas_get_corename());
    bench_series_invert(&rates, times, flops(m->n) * 1e-9);
    bench_emit(TEST, &p, "rate", "Gflop/s", &rates, right, NULL);
    bench_emit(TEST, &p, "time", "s", times, right, NULL);
    bench_emit_value(TEST, &p, "residual", "1", residual, NULL, right);
}

/* Runs of one order within so many seconds. Returns the best rate in Gflop/s, the same on all PEs, or 0 without memory.
 */
static double measure(long n, double seconds)
{
    static struct bench_series times;
    const int64_t end = bench_now() + (int64_t)(seconds * 1e9);
    struct lu m;
    double residual, rate = 0;
    bool right, again;

    if (!lu_new(&m, n, width ? width : usual_width(n), copies))
        return 0;
    bench_series_clear(&times);
    do {
        const double last = timed(&m);

        bench_series_add(&times, last);
        again = times.n < MOST_RUNS && (double)(end - bench_now()) > 1.3e9 * last;
        again = again || (times.n < LEAST_RUNS && last < 0.2 * seconds);
    } while (bench_agree(again));
    residual = lu_residual(&m);
    right = bench_agree_right(residual < ALLOWED);
    if (!right && bench_job.me == 0)
        fprintf(stderr, "linpack: order %ld: the residual is %g, allowed are %g\n", n, residual, ALLOWED);
    emit_order(&m, &times, residual, right);
    lu_free(&m);
    if (bench_job.me == 0)
        rate = flops(n) * 1e-9 / bench_stats(&times).min;
    return 1e-6 * (double)bench_agree((long)(1e6 * rate));
}

static double rate_of(long n, double seconds)
{
    for (int i = 0; i < tried_orders; i++)
        if (tried[i].n == n)
            return tried[i].rate;
    const double rate = measure(n, seconds);

    if (rate > 0 && tried_orders < MOST_ORDERS)
        tried[tried_orders++] = (struct best){rate, n};
    return rate;
}

/* With less memory than the time would allow, the largest order that fits. */
static struct best rate_fitting(long n, double seconds)
{
    double rate;

    while ((rate = rate_of(n, seconds)) == 0) {
        memory_ended = true;
        n = n * 15 / 16 / STEP * STEP;
        if (n < SMALLEST)
            bench_job_fatal("linpack: the symmetric heap is too small: raise SHMEM_SYMMETRIC_SIZE");
    }
    return (struct best){rate, n};
}

/* The order whose one run takes LAST_SHARE of the time, at a somewhat higher rate than the last had. */
static long last_order(double seconds, double rate)
{
    return (long)fmin(LARGEST, cbrt(1.5 * LAST_SHARE * seconds * 1.15e9 * rate)) / STEP * STEP;
}

/* Orders 128, 256, ... while the next takes a small part of the time, then one large order. */
static struct best find_largest(double seconds)
{
    struct best best = {0}, now = {0, SMALLEST};

    bench_plan_next("growing orders");
    for (;; now.n *= 2) {
        now = rate_fitting(now.n, 0.03 * seconds);
        if (now.rate > best.rate)
            best = now;
        if (memory_ended || now.n > LARGEST / 2 || flops(2 * now.n) > 0.1 * seconds * 1e9 * best.rate)
            break;
    }
    bench_plan_next("the largest order");
    now.n = last_order(seconds, best.rate);
    if (memory_ended || now.n <= best.n || now.n < SMALLEST)
        return best;
    now = rate_fitting(now.n, 0);
    return now.rate > best.rate ? now : best;
}

/* Doubling, then bisection between an order that is too slow and one that is fast enough. */
static long find_half(const struct best *max, double seconds)
{
    long slow = 0, fast = SMALLEST;

    bench_plan_next("half of the largest rate");
    while (fast < max->n && rate_of(fast, 0.02 * seconds) < max->rate / 2) {
        slow = fast;
        fast = 2 * fast < max->n ? 2 * fast : max->n;
    }
    while (fast - slow > (fast / 32 > STEP ? fast / 32 : STEP)) {
        const long middle = (slow + fast) / 2 / STEP * STEP;

        if (middle <= slow || middle < STEP)
            break;
        if (rate_of(middle, 0.02 * seconds) < max->rate / 2)
            slow = middle;
        else
            fast = middle;
    }
    return fast;
}

static void search(void)
{
    const double seconds = bench_options.max_seconds;
    const struct bench_params p = bench_job_params();
    struct best max;
    double peak;
    long half;

    bench_plan_begin(4, seconds);
    bench_plan_next("multiplications and additions in registers");
    peak = peak_gflops(0.02e9 * seconds);
    max = find_largest(seconds);
    half = find_half(&max, seconds);
    bench_emit_value(TEST, &p, "rmax", "Gflop/s", max.rate, NULL, !bench_agree_failed());
    bench_emit_value(TEST, &p, "nmax", "order", (double)max.n, NULL, !bench_agree_failed());
    bench_emit_value(TEST, &p, "n_half", "order", (double)half, NULL, !bench_agree_failed());
    bench_emit_value(TEST, &p, "rpeak", "Gflop/s", peak, NULL, true);
    bench_emit_value(TEST, &p, "percent_of_peak", "%", 100 * max.rate / peak, NULL, !bench_agree_failed());
}

/* One order, with the runs that the time allows. */
static void solve_given(void)
{
    bench_plan_begin(1, bench_options.max_seconds);
    bench_plan_next("order %ld", order);
    if (measure(order, 0.8 * bench_options.max_seconds) == 0)
        bench_job_fatal(
            "linpack: --n %ld: the symmetric heap has not enough memory: raise SHMEM_SYMMETRIC_SIZE above %.0f MB",
            order, 8e-6 * (double)order * ((double)order / bench_job.npes + 3 * 256));
}

/* An OpenBLAS older than the processor may take it for a lesser one. */
static void look_at_kernels(void)
{
#if defined(__x86_64__)
    if (bench_job.me == 0 && __builtin_cpu_supports("avx512f") && strcmp(openblas_get_corename(), "Haswell") == 0)
        fprintf(
            stderr,
            "linpack: OpenBLAS doesn't know this processor and uses no AVX-512: OPENBLAS_CORETYPE=SKYLAKEX makes it\n");
#endif
}

/* Ends the job in order, as for other wrong options. */
static void refuse(const char *option, long value, const char *why)
{
    if (bench_job.me == 0)
        fprintf(stderr, "linpack: --%s %ld: %s\n", option, value, why);
    shmem_barrier_all();
    shmem_finalize();
    exit(2);
}

int main(int argc, char **argv)
{
    const struct bench_program program = {
        "linpack", "a dense system by LU factorization with partial pivoting", own, 1, 120, 15};

    bench_job_start(argc, argv, &program);
    if (order < 0 || order > LARGEST)
        refuse("n", order, "an order is 1 to 40000");
    if (width < 0 || width > 4096)
        refuse("nb", width, "a block has 1 to 4096 columns");
    openblas_set_num_threads(1);
    look_at_kernels();
    if (order)
        solve_given();
    else
        search();
    return bench_job_finish();
}
