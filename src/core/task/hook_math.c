/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The logarithm of the gamma function tells its sign in a variable, signgam, which is the task's. A task may be
 * interrupted in the midst of libm, so the sign is asked for by the functions that hand it out and nothing is
 * exchanged.
 */
#include "core/task/hooks.h"
#include "core/task/own.h"

/* For a type: the function, by both its names, and the one that hands out the sign, as it is. */
#define LOG_GAMMA(type, with_sign)                                       \
    static type of_##with_sign(type x)                                   \
    {                                                                    \
        int *sign = core_task_here()->variables[CORE_VAR_SIGNGAM], mine; \
                                                                         \
        return core_task_real.with_sign(x, sign ? sign : &mine);         \
    }                                                                    \
    static type as_##with_sign(type x, int *sign)                        \
    {                                                                    \
        return core_task_real.with_sign(x, sign);                        \
    }
LOG_GAMMA(double, log_gamma)
LOG_GAMMA(float, log_gammaf)
LOG_GAMMA(long double, log_gammal)

const struct core_task_hook core_task_hooks_math[] = {
    HOOK("lgamma_r", as_log_gamma, log_gamma),
    HOOK("lgammaf_r", as_log_gammaf, log_gammaf),
    HOOK("lgammal_r", as_log_gammal, log_gammal),
    REPLACE("lgamma", of_log_gamma),
    REPLACE("lgammaf", of_log_gammaf),
    REPLACE("lgammal", of_log_gammal),
    REPLACE("gamma", of_log_gamma),
    REPLACE("gammaf", of_log_gammaf),
    REPLACE("gammal", of_log_gammal),
    {0},
};
