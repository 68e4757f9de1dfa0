/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rates of the mathematics libraries: vector operations in cache, BLAS where the operands are large, LAPACK's timing
 * program, and fast Fourier transforms. The libraries are those of the system; nothing of ours takes part.
 */
#include "libs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define IN_CACHE 1000 /* vectors that lie in the first cache together */
#define LARGE 2000    /* order of the large matrices */
#define LEAST 100     /* smaller orders say nothing */
#define LONGEST_FFT 32768l

static const char *only = "all";
static long shrink = 1;
static bool failed, counting;
static int cases;
static const struct bench_option own[] = {
    {"library", BENCH_TEXT, &only, "OpenBLAS, reference, FFTW or all"},
    {"shrink", BENCH_LONG, &shrink, "divide the sizes of vectors and matrices by this"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

/* ---- operands ---- */

static double *allocate(size_t doubles)
{
    double *const p = aligned_alloc(64, (doubles * sizeof(double) + 63) / 64 * 64);

    if (!p) {
        fprintf(stderr, "libs: no memory for %zu doubles\n", doubles);
        exit(2);
    }
    return p;
}

/* Numbers of [-1, 1), the same in every run. */
static double *numbers(size_t doubles)
{
    double *const p = allocate(doubles);
    uint64_t x = 88172645463325252ull;

    for (size_t i = 0; i < doubles; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
        p[i] = (double)(int64_t)x * 0x1p-63;
    }
    return p;
}

/* Equal to its conjugate transpose, with a diagonal that outweighs the rest. */
static void make_definite(double *m, size_t n, size_t parts)
{
    for (size_t j = 0; j < n; j++) {
        for (size_t i = 0; i < j; i++)
            for (size_t k = 0; k < parts; k++)
                m[parts * (j + i * n) + k] = (k ? -1 : 1) * m[parts * (i + j * n) + k];
        m[parts * (j + j * n)] = 2 * (double)n;
        if (parts == 2)
            m[2 * (j + j * n) + 1] = 0;
    }
}

static size_t size_of(const struct routine *r, enum writes operand, size_t n)
{
    const bool matrix = r->shape == MATRICES || (r->shape == MATRIX_AND_VECTORS && operand == A);

    if (r->shape == VECTORS && operand == C)
        return 0;
    return (matrix ? n * n : n) * (r->is_complex ? 2 : 1);
}

static double *overwritten(const struct routine *r, const struct work *w)
{
    return r->writes == A ? w->a : r->writes == B ? w->b : NULL;
}

static struct work new_work(const struct library *l, const struct routine *r, int n)
{
    const size_t order = (size_t)n;
    struct work w = {.f = library_find(l, r->name), .n = n, .is_complex = r->is_complex, .uplo = r->uplo};

    w.a = numbers(size_of(r, A, order));
    w.b = numbers(size_of(r, B, order));
    w.c = numbers(size_of(r, C, order));
    if (r->hermitian)
        make_definite(w.a, order, r->is_complex ? 2 : 1);
    if (overwritten(r, &w)) {
        w.original = allocate(size_of(r, r->writes, order));
        memcpy(w.original, overwritten(r, &w), size_of(r, r->writes, order) * sizeof(double));
    }
    if (r->shape != MATRICES)
        return w;
    w.tau = allocate(4 * order);
    w.d = allocate(order);
    w.e = allocate(order);
    w.space = allocate(2 * (128 * order + 8192));
    w.pivot = calloc(order, sizeof(int));
    return w;
}

static void free_work(struct work *w)
{
    double *const all[] = {w->a, w->b, w->c, w->original, w->tau, w->d, w->e, w->space};

    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        free(all[i]);
    free(w->pivot);
}

/* ---- one case ---- */

struct run {
    const struct routine *r;
    struct work w;
    bool copy, call;
};

static void restore(struct run *x)
{
    if (x->w.original)
        memcpy(overwritten(x->r, &x->w), x->w.original, size_of(x->r, x->r->writes, (size_t)x->w.n) * sizeof(double));
}

static void body(void *arg, long reps)
{
    struct run *const x = arg;

    for (long i = 0; i < reps; i++) {
        if (x->copy)
            restore(x);
        if (x->call)
            x->r->call(&x->w);
    }
}

/* What is overwritten must begin anew each time; LAPACK's timing takes the copying off as well. */
static enum bench_stop time_it(struct run *x, double budget, struct bench_series *times)
{
    static struct bench_series copying;
    enum bench_stop stop;
    double copy = 0;

    x->copy = x->w.original && !x->r->again;
    if (x->copy) {
        bench_measure(body, NULL, x, 0.1 * budget, &copying);
        copy = bench_stats(&copying).median;
    }
    x->call = true;
    stop = bench_measure(body, NULL, x, 0.9 * budget, times);
    for (size_t i = 0; i < times->n; i++)
        times->v[i] = fmax(times->v[i] - copy, 0.1 * times->v[i]);
    return stop;
}

static void measure(const struct library *l, const struct routine *r, const char *test, struct bench_params *p, int n,
                    double budget)
{
    static struct bench_series times, rates;
    struct run x = {.r = r, .w = new_work(l, r, n)};
    enum bench_stop stop = time_it(&x, budget, &times);
    bool right;

    restore(&x);
    r->call(&x.w);
    right = r->right(&x.w);
    if (!right) {
        fprintf(stderr, "libs: %s: %s, n = %d: the result is wrong\n", l->name, r->name, n);
        failed = true;
    }
    bench_series_invert(&rates, &times, routine_flops(r, n) * 1e3);
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = "rate",
                                              .unit = "Mflop/s",
                                              .params = p,
                                              .series = &rates,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
    free_work(&x.w);
}

/* ---- the tables ---- */

/* The order asked for, or half of it and so on while the library would take too long. */
static int bearable(const struct library *l, const struct routine *r, int n)
{
    const double most = bench_options.quick ? l->quick_flops : l->flops;

    while (n / 2 >= LEAST && routine_flops(r, n) > most)
        n /= 2;
    return n;
}

static void run_case(const struct library *l, const struct routine *r, const char *test, int n, bool facts)
{
    struct bench_params p = {0};
    double budget;

    cases++;
    if (counting)
        return;
    bench_param_text(&p, "routine", r->published);
    if (facts) {
        bench_param_text(&p, "operation",
                         strstr(r->name, "asum")   ? "a <- || x ||_1"
                         : strstr(r->name, "nrm2") ? "a <- || x ||_2"
                         : strstr(r->name, "axpy") ? "y <- a*x + y"
                                                   : "a <- x' * y");
        bench_param_text(&p, "data_type", r->is_complex ? "complex" : "real");
    } else
        bench_param_integer(&p, "n", n);
    bench_param_text(&p, "by", l->name);
    budget = bench_plan_next("%s, %s, n = %d", l->name, r->published, n);
    measure(l, r, test, &p, n, budget);
}

static int asymptotic_order(const struct routine *r)
{
    if (r->shape != VECTORS)
        return (int)(LARGE / shrink);
    return (int)((strstr(r->name, "nrm2") ? 30000000 : r->is_complex ? 7500000 : 15000000) / shrink);
}

static void run_library(const struct library *l)
{
    const int step = bench_options.quick ? 200 : 100;

    for (const struct routine *r = routines_vectors; r->published; r++)
        run_case(l, r, "BLAS 1 in cache", IN_CACHE, true);
    for (const struct routine *r = routines_asymptotic; r->published; r++)
        run_case(l, r, "BLAS asymptotic", bearable(l, r, asymptotic_order(r)), false);
    for (const struct routine *r = routines_lapack; r->published; r++)
        for (int n = 100; n <= 500 / shrink || n == 100; n += step)
            if (bearable(l, r, n) == n)
                run_case(l, r, "LAPACK timing program", n, false);
}

static bool wanted(const char *name)
{
    return strcmp(only, "all") == 0 || strcmp(only, name) == 0;
}

/* Counts the cases, or runs them. */
static void run_all(void)
{
    for (struct library *l = libraries; l->name; l++)
        if (wanted(l->name) && l->blas)
            run_library(l);
    if (!wanted("FFTW") || !fftw_file)
        return;
    if (counting)
        cases += fft_cases((int)(LONGEST_FFT / shrink));
    else
        failed |= !fft_run((int)(LONGEST_FFT / shrink));
}

static int usage(const char *why)
{
    fprintf(stderr, "libs: %s\n", why);
    return 2;
}

int main(int argc, char **argv)
{
    static const char *const implementation = "the system's libraries";
    char why[128];

    if (bench_options_parse(argc, argv, own, why, sizeof why))
        return usage(why);
    if (bench_options.help) {
        bench_options_help(stdout, "libs", "rates of BLAS, LAPACK and FFT libraries", own);
        return 0;
    }
    if (shrink < 1 || shrink > 100)
        return usage("--shrink: must be 1 to 100");
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? 20 : 120;
    for (struct library *l = libraries; l->name; l++)
        if (wanted(l->name) && l->blas && !library_open(l))
            return 2;
    counting = true;
    run_all();
    if (cases == 0) {
        fprintf(stderr,
                "libs: --library '%s': not OpenBLAS, reference, FFTW or all, or not there when this was built\n", only);
        return 2;
    }
    if (bench_report_open(bench_options.out, "libraries", implementation)) {
        fprintf(stderr, "libs: %s: %s\n", bench_options.out, strerror(errno));
        return 2;
    }
    bench_env_write(&(struct bench_env){.library = "libraries", .implementation = implementation, .npes = 1});
    bench_plan_begin(cases, bench_options.max_seconds);
    counting = false;
    run_all();
    bench_plan_end();
    bench_env_write_end(NULL);
    if (bench_report_close())
        return usage("the records could not be written");
    return failed ? 1 : 0;
}
