/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Vector functions, compiled once for each instruction set: libmvec's by their names in the vector ABI where the C
 * library has them (MPTM_LIBMVEC), else libm's for one value after the other.
 */
#include "mptm/vector.h"

#include <math.h>
#include <string.h>

#if defined(__AVX512F__)
#define FOR_ISA(name) name##_avx512
#define ABI(name) _ZGVeN8##name
#define METHOD "libmvec, 8 at a time"
enum { W = 8 };
#elif defined(__AVX2__)
#define FOR_ISA(name) name##_avx2
#define ABI(name) _ZGVdN4##name
#define METHOD "libmvec, 4 at a time"
enum { W = 4 };
#else
#define FOR_ISA(name) name##_base
#define ABI(name) _ZGVbN2##name
#define METHOD "libmvec, 2 at a time"
enum { W = 2 };
#endif

typedef double vec __attribute__((vector_size(W * 8)));
typedef double vec_anywhere __attribute__((vector_size(W * 8), aligned(8), may_alias));

static inline vec load(const double *p)
{
    return *(const vec_anywhere *)p;
}

static inline void store(double *p, vec v)
{
    *(vec_anywhere *)p = v;
}

/* The last few, the rest of the vector filled up with a value that every function takes. */
static inline vec load_part(const double *p, size_t n)
{
    double room[W];

    for (size_t i = 0; i < W; i++)
        room[i] = 1;
    memcpy(room, p, n * sizeof *p);
    return load(room);
}

static inline void store_part(double *p, vec v, size_t n)
{
    memcpy(p, &v, n * sizeof *p);
}

#define OF_VECTORS(name, function)                         \
    static void name(size_t n, const double *x, double *y) \
    {                                                      \
        for (; n >= W; n -= W, x += W, y += W)             \
            store(y, function(load(x)));                   \
        if (n)                                             \
            store_part(y, function(load_part(x, n)), n);   \
    }
#define OF_VALUES(name, expression)                        \
    static void name(size_t n, const double *x, double *y) \
    {                                                      \
        for (size_t i = 0; i < n; i++)                     \
            y[i] = expression;                             \
    }

#if defined(MPTM_LIBMVEC)
vec ABI(v_exp)(vec x);
vec ABI(v_log)(vec x);
vec ABI(v_sin)(vec x);
vec ABI(v_cos)(vec x);
vec ABI(vv_pow)(vec x, vec y);

OF_VECTORS(vector_exp, ABI(v_exp))
OF_VECTORS(vector_log, ABI(v_log))
OF_VECTORS(vector_sin, ABI(v_sin))
OF_VECTORS(vector_cos, ABI(v_cos))

static void vector_pow(size_t n, const double *x, const double *y, double *z)
{
    for (; n >= W; n -= W, x += W, y += W, z += W)
        store(z, ABI(vv_pow)(load(x), load(y)));
    if (n)
        store_part(z, ABI(vv_pow)(load_part(x, n), load_part(y, n)), n);
}
#else
#undef METHOD
#define METHOD "libm"
OF_VALUES(vector_exp, exp(x[i]))
OF_VALUES(vector_log, log(x[i]))
OF_VALUES(vector_sin, sin(x[i]))
OF_VALUES(vector_cos, cos(x[i]))

static void vector_pow(size_t n, const double *x, const double *y, double *z)
{
    for (size_t i = 0; i < n; i++)
        z[i] = pow(x[i], y[i]);
}
#endif

static inline vec root(vec v)
{
#if defined(__AVX512F__)
    __asm__("vsqrtpd %1, %0" : "=v"(v) : "v"(v));
#elif defined(__AVX2__)
    __asm__("vsqrtpd %1, %0" : "=x"(v) : "x"(v));
#elif defined(__x86_64__)
    __asm__("sqrtpd %1, %0" : "=x"(v) : "x"(v));
#else
    for (int i = 0; i < W; i++)
        v[i] = __builtin_sqrt(v[i]);
#endif
    return v;
}

static inline vec inverse_root(vec v)
{
    return 1 / root(v);
}

OF_VECTORS(vector_sqrt, root)
OF_VECTORS(vector_rsqrt, inverse_root)
OF_VALUES(vector_recip, 1 / x[i])

const struct mptm_vectors FOR_ISA(mptm_vectors) = {
    .method = METHOD,
    .exp = vector_exp,
    .log = vector_log,
    .sin = vector_sin,
    .cos = vector_cos,
    .sqrt = vector_sqrt,
    .rsqrt = vector_rsqrt,
    .recip = vector_recip,
    .pow = vector_pow,
};
