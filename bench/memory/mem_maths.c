/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The fast mathematics: what a value costs by libm, by the same names from libmptm, and in vectors; and how large the
 * errors are, in units of the last place, against long double. This program is linked as the seed's trick has it
 * (-lmptm -lm), so exp here is libmptm's; libm's are found by name in the C library.
 */
#define _GNU_SOURCE 1
#include "memory.h"

#include <dlfcn.h>
#include <mptm.h>
#include <stdlib.h>
#include <string.h>

#define N 4096 /* values: x and y together fit a second level cache */
#define ERRORS 200000
#define ALLOWED 4.0 /* ulp; libmvec promises no more than that */

typedef double scalar(double x);
typedef void vector(size_t n, const double *x, double *y);

struct function {
    const char *name;
    double low, high; /* where arguments lie, evenly */
    scalar *ours;
    vector *vector;
    long double (*exact)(long double x);
    scalar *libm;
};

static double rsqrt(double x)
{
    return 1 / sqrt(x);
}

static double recip(double x)
{
    return 1 / x;
}

static long double exact_rsqrt(long double x)
{
    return 1 / sqrtl(x);
}

static long double exact_recip(long double x)
{
    return 1 / x;
}

/* pow has two arguments: the measured one is x to the power of a fixed number. */
#define EXPONENT 2.71828

static double power(double x)
{
    return pow(x, EXPONENT);
}

static long double exact_power(long double x)
{
    return powl(x, (long double)(double)EXPONENT);
}

static void vector_power(size_t n, const double *x, double *y)
{
    static double exponents[N];

    if (exponents[0] == 0)
        for (size_t i = 0; i < N; i++)
            exponents[i] = EXPONENT;
    for (; n > N; n -= N, x += N, y += N)
        mptm_vpow(N, x, exponents, y);
    mptm_vpow(n, x, exponents, y);
}

static struct function functions[] = {
    {"exp", -700, 700, exp, mptm_vexp, expl, NULL},
    {"log", 1e-3, 1e6, log, mptm_vlog, logl, NULL},
    {"log", 0.5, 2, log, mptm_vlog, logl, NULL},
    {"sin", -3.2, 3.2, sin, mptm_vsin, sinl, NULL},
    {"sin", -1e5, 1e5, sin, mptm_vsin, sinl, NULL},
    {"cos", -3.2, 3.2, cos, mptm_vcos, cosl, NULL},
    {"cos", -1e5, 1e5, cos, mptm_vcos, cosl, NULL},
    {"sqrt", 0, 1e6, sqrt, mptm_vsqrt, sqrtl, NULL},
    {"pow", 1e-3, 1e3, NULL, vector_power, exact_power, power}, /* no scalar one of ours */
    {"rsqrt", 1e-3, 1e6, NULL, mptm_vrsqrt, exact_rsqrt, rsqrt},
    {"recip", 1e-3, 1e6, NULL, mptm_vrecip, exact_recip, recip},
};
#define FUNCTIONS (int)(sizeof functions / sizeof *functions)

static double x[N], y[N];

struct job {
    scalar *f;
    vector *v;
};

static void by_values(void *arg, long reps)
{
    scalar *const f = ((struct job *)arg)->f;

    for (long r = 0; r < reps; r++) {
        for (int i = 0; i < N; i++)
            y[i] = f(x[i]);
        bench_use(r);
    }
}

static void by_vectors(void *arg, long reps)
{
    vector *const v = ((struct job *)arg)->v;

    for (long r = 0; r < reps; r++) {
        v(N, x, y);
        bench_use(r);
    }
}

static void fill(double *to, size_t n, const struct function *f)
{
    static uint64_t state = 1;

    for (size_t i = 0; i < n; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        to[i] = f->low + (f->high - f->low) * ((double)(state >> 11) * 0x1p-53);
    }
}

/* The distance in units of the last place that the exact value would have. */
static double error_of(double value, long double exact)
{
    int exponent;

    if (exact == 0 || !isfinite(value))
        return value == (double)exact ? 0 : INFINITY;
    frexpl(exact, &exponent);
    return (double)fabsl(ldexpl((long double)value - exact, 53 - exponent));
}

/* All errors' maximum; the series gets that of each of 20 parts. */
static double errors(const struct function *f, scalar *s, vector *v, struct bench_series *parts)
{
    enum { PARTS = 20, EACH = ERRORS / PARTS };
    static double args[EACH], values[EACH];
    double most = 0;

    bench_series_clear(parts);
    for (int p = 0; p < PARTS; p++) {
        double here = 0;

        fill(args, EACH, f);
        if (v)
            v(EACH, args, values);
        for (int i = 0; i < EACH; i++) {
            const double e = error_of(v ? values[i] : s(args[i]), f->exact((long double)args[i]));

            here = e > here ? e : here;
        }
        bench_series_add(parts, here);
        most = here > most ? here : most;
    }
    return most;
}

static void measure(const struct function *f, const char *method, scalar *s, vector *v)
{
    static struct bench_series times, parts;
    struct job j = {s, v};
    struct bench_params p = {0};
    const double budget = bench_plan_next("%s %s", f->name, method);
    enum bench_stop stop;
    char range[48];
    double most;
    bool right;

    fill(x, N, f);
    stop = bench_measure(v ? by_vectors : by_values, NULL, &j, budget, &times);
    most = errors(f, s, v, &parts);
    right = most <= ALLOWED;
    if (!right)
        mem_failed();
    snprintf(range, sizeof range, "%g to %g", f->low, f->high);
    bench_param_text(&p, "function", f->name);
    bench_param_text(&p, "method", method);
    bench_param_text(&p, "arguments", range);
    if (v)
        bench_param_text(&p, "vectors", mptm_method());
    bench_series_scale(&times, &times, 1.0 / N);
    bench_report_write(&(struct bench_record){.test = "fast mathematics",
                                              .metric = "time",
                                              .unit = "ns",
                                              .params = &p,
                                              .series = &times,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
    bench_series_invert(&times, &times, 1e3);
    bench_report_write(&(struct bench_record){.test = "fast mathematics",
                                              .metric = "rate",
                                              .unit = "Mop/s",
                                              .params = &p,
                                              .series = &times,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
    bench_report_write(&(struct bench_record){.test = "fast mathematics",
                                              .metric = "error",
                                              .unit = "ulp",
                                              .params = &p,
                                              .series = &parts,
                                              .has_value = true,
                                              .value = most,
                                              .verified = right});
}

int main(int argc, char **argv)
{
    void *const libm = dlopen("libm.so.6", RTLD_LAZY);
    int cases = 0;

    mem_start(argc, argv, "mem_maths", "fast mathematics: time and error of a value", NULL, 15, 3);
    if (!libm) {
        fprintf(stderr, "mem_maths: no libm.so.6: %s\n", dlerror());
        return 2;
    }
    for (int i = 0; i < FUNCTIONS; i++) {
        struct function *const f = &functions[i];
        void *const found = f->ours ? dlsym(libm, f->name) : NULL;

        if (found)
            memcpy(&f->libm, &found, sizeof found);
        cases += 1 + (f->libm != NULL) + (f->ours != NULL);
    }
    bench_plan_begin(cases, bench_options.max_seconds);
    for (int i = 0; i < FUNCTIONS; i++) {
        const struct function *const f = &functions[i];

        if (f->libm)
            measure(f, "libm", f->libm, NULL);
        if (f->ours)
            measure(f, "libmptm", f->ours, NULL);
        measure(f, "libmptm vectors", NULL, f->vector);
    }
    return mem_finish();
}
