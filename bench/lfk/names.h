/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of the kernels' copies: LFK_NAME(k01) is <LFK_VARIANT>_k01, and LFK_DECLARE declares all 24 of a variant.
 */
#ifndef LFK_NAMES_H
#define LFK_NAMES_H

#include "memory.h"

#define LFK_JOIN_(a, b) a##_##b
#define LFK_JOIN(a, b) LFK_JOIN_(a, b)

/* f(variant, kernel) for each kernel */
#define LFK_EACH(f, v)                                                                                                \
    f(v, k01) f(v, k02) f(v, k03) f(v, k04) f(v, k05) f(v, k06) f(v, k07) f(v, k08) f(v, k09) f(v, k10) f(v, k11)     \
        f(v, k12) f(v, k13) f(v, k14) f(v, k15) f(v, k16) f(v, k17) f(v, k18) f(v, k19) f(v, k20) f(v, k21) f(v, k22) \
            f(v, k23) f(v, k24)
#define LFK_DECLARE_ONE(v, k) lfk_kernel LFK_JOIN(v, k);
#define LFK_DECLARE(v) LFK_EACH(LFK_DECLARE_ONE, v)
#define LFK_LIST_ONE(v, k) LFK_JOIN(v, k),
#define LFK_LIST(v) {LFK_EACH(LFK_LIST_ONE, v)}

#ifdef LFK_VARIANT
#define LFK_NAME(k) LFK_JOIN(LFK_VARIANT, k)
LFK_DECLARE(LFK_VARIANT)
#endif

#endif
