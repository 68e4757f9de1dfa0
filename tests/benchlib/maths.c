/* SPDX-License-Identifier: BSD-3-Clause
 *
 * libmptm: its names take the place of libm's; arguments at and past every edge of the scalar functions; errors of
 * scalars and vectors within what the documentation says; vectors of every short length, in place as well.
 */
#define _GNU_SOURCE 1
#include <dlfcn.h>
#include <float.h>
#include <math.h>
#include <mptm.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

static void check(int right, const char *what, double x, double got)
{
    if (!right && ++failures <= 20)
        printf("%s(%a) gives %a\n", what, x, got);
}

static double ulps(double value, long double exact)
{
    int exponent;

    if (isnan((double)exact))
        return isnan(value) ? 0 : INFINITY;
    if (value == (double)exact)
        return 0;
    frexpl(exact, &exponent);
    exponent =
        exponent < DBL_MIN_EXP ? DBL_MIN_EXP : exponent; /* subnormals are as far apart as the least normal ones */
    return (double)fabsl(ldexpl((long double)value - exact, DBL_MANT_DIG - exponent));
}

static const struct {
    const char *name;
    double (*f)(double x);
    long double (*exact)(long double x);
    void (*vector)(size_t n, const double *x, double *y);
    double low, high, allowed; /* ulp, of the scalar */
} functions[] = {
    {"exp", exp, expl, mptm_vexp, -707, 709, 1},   {"log", log, logl, mptm_vlog, 1e-300, 3, 1},
    {"sin", sin, sinl, mptm_vsin, -10, 10, 2.5},   {"cos", cos, cosl, mptm_vcos, -10, 10, 2.5},
    {"sin", sin, sinl, mptm_vsin, -1e6, 1e6, 2.5}, {"cos", cos, cosl, mptm_vcos, -1e6, 1e6, 2.5},
    {"sqrt", sqrt, sqrtl, mptm_vsqrt, 0, 10, 0.5},
};
#define FUNCTIONS (sizeof functions / sizeof *functions)

static const double edges[] = {
    0.0,
    -0.0,
    1,
    -1,
    0.5,
    2,
    0.6875,
    1.375,
    1 + DBL_EPSILON,
    1 - DBL_EPSILON / 2,
    1.0078125,
    0.99609375,
    DBL_MIN,
    -DBL_MIN,
    DBL_TRUE_MIN,
    DBL_MIN / 3,
    DBL_MAX,
    -DBL_MAX,
    INFINITY,
    -INFINITY,
    NAN,
    708,
    709.78,
    709.79,
    1e3,
    -708,
    -708.5,
    -745.1,
    -745.2,
    -1e3,
    1e-5,
    -1e-9,
    0x1p-27,
    0x1.fp-28,
    1e6,
    -1e6,
    999999.9,
    1e6 + 1,
    1e15,
    1e22,
    -1e300,
    M_PI,
    M_PI_2,
    M_PI_4,
    3 * M_PI_2,
    100 * M_PI,
    0x1.921fb54442d18p+19,
    6381956970095103.0 * 0x1p-33,
};
#define EDGES (sizeof edges / sizeof *edges)

static void at_edges(void)
{
    for (size_t k = 0; k < FUNCTIONS; k++)
        for (size_t i = 0; i < EDGES; i++) {
            const double got = functions[k].f(edges[i]);
            const long double exact = functions[k].exact((long double)edges[i]);

            check(ulps(got, exact) <= functions[k].allowed && (exact != 0 || signbit(got) == signbit((double)exact)),
                  functions[k].name, edges[i], got);
        }
}

static void at_random(void)
{
    enum { N = 4000 };
    static double x[N], y[N];

    for (size_t k = 0; k < FUNCTIONS; k++) {
        for (size_t i = 0; i < N; i++)
            x[i] = functions[k].low + (functions[k].high - functions[k].low) * ((double)random() / RAND_MAX);
        functions[k].vector(N, x, y);
        for (size_t i = 0; i < N; i++) {
            const long double exact = functions[k].exact((long double)x[i]);

            check(ulps(functions[k].f(x[i]), exact) <= functions[k].allowed, functions[k].name, x[i],
                  functions[k].f(x[i]));
            check(ulps(y[i], exact) <= 4, "a vector's", x[i], y[i]);
        }
    }
}

/* Neither a word too few nor one too many. */
static void of_each_length(void)
{
    for (size_t n = 0; n < 40; n++) {
        double x[41], y[41], power[41], same[41];

        for (size_t i = 0; i < 41; i++)
            x[i] = same[i] = 0.25 + (double)i, power[i] = 2, y[i] = -7;
        mptm_vpow(n, x, power, y);
        for (size_t i = 0; i < 41; i++)
            check(i < n ? ulps(y[i], (long double)x[i] * x[i]) <= 4 : y[i] == -7, "mptm_vpow", x[i], y[i]);
        mptm_vrecip(n, x, y);
        mptm_vrsqrt(n, same, same);
        for (size_t i = 0; i < 41; i++) {
            check(i < n ? y[i] == 1 / x[i] : y[i] == -7, "mptm_vrecip", x[i], y[i]);
            check(i < n ? ulps(same[i], 1 / sqrtl((long double)x[i])) <= 2 : same[i] == x[i], "mptm_vrsqrt", x[i],
                  same[i]);
        }
    }
}

int main(void)
{
    void *const libm = dlopen("libm.so.6", RTLD_LAZY);
    double (*theirs)(double x);
    void *found = libm ? dlsym(libm, "exp") : NULL;

    if (!found)
        return 77;
    memcpy(&theirs, &found, sizeof theirs);
    check(exp != theirs, "the address of exp is libm's, exp", 0, 0);
    printf("vectors: %s\n", mptm_method());
    at_edges();
    at_random();
    of_each_length();
    return failures != 0;
}
