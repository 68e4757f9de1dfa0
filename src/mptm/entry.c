/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The names of libm that this library replaces. The loader binds each to the body for this processor before the
 * program runs, so that a call costs no more than one of libm's.
 */
#include "mptm/scalar.h"

#if defined(__aarch64__)
/* Every such processor has fused multiply-add. */
#define ENTRY(name)                                              \
    double name(double x);                                       \
    __attribute__((visibility("default"))) double name(double x) \
    {                                                            \
        return mptm_scalars_fma.name(x);                         \
    }
#elif defined(__x86_64__)
typedef double mptm_function(double x);

/* Runs before the library is relocated entirely: nothing of the sanitizers yet. */
#define ENTRY(name)                                                                                                  \
    __attribute__((unused, no_sanitize("address", "undefined", "thread"))) static mptm_function *choose_##name(void) \
    {                                                                                                                \
        __builtin_cpu_init();                                                                                        \
        return __builtin_cpu_supports("fma") ? mptm_scalars_fma.name : mptm_scalars_base.name;                       \
    }                                                                                                                \
    double name(double x) __attribute__((ifunc("choose_" #name), visibility("default")));
#else
#define ENTRY(name)                                              \
    double name(double x);                                       \
    __attribute__((visibility("default"))) double name(double x) \
    {                                                            \
        return mptm_scalars_base.name(x);                        \
    }
#endif

ENTRY(exp)
ENTRY(log)
ENTRY(sin)
ENTRY(cos)

/* One instruction, and no look at errno. */
double sqrt(double x);
__attribute__((visibility("default"))) double sqrt(double x)
{
#if defined(__x86_64__)
    __asm__("sqrtsd %0, %0" : "+x"(x));
#elif defined(__aarch64__)
    __asm__("fsqrt %d0, %d0" : "+w"(x));
#else
    x = __builtin_sqrt(x);
#endif
    return x;
}
