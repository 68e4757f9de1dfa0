/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What scalar.c gives to entry.c, once for each instruction set.
 */
#ifndef MPTM_SCALAR_H
#define MPTM_SCALAR_H

struct mptm_scalars {
    double (*exp)(double x);
    double (*log)(double x);
    double (*sin)(double x);
    double (*cos)(double x);
};
extern const struct mptm_scalars mptm_scalars_base, mptm_scalars_fma;

#endif
