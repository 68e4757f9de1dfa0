/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Split-C's statements that choose processors and elements. split-c.h includes it; programs may name it, too.
 */
#ifndef SPLIT_C_CONTROL_H
#define SPLIT_C_CONTROL_H

#include "split-c.h"

/* on_one { ... } runs on processor 0, on_proc(p) { ... } on p; an else belongs to neither. */
#define on_proc(p)       \
    if (MYPROC != (p)) { \
    } else
#define on_one on_proc(0)

/* The i below n that are this processor's in A[n]::, the (i, j) of A[n][m]::. */
#define for_my_1D(i, n) for ((i) = MYPROC; (i) < (n); (i) += PROCS)
#define for_my_2D(i, j, n, m) \
    for (long sc_k_ = MYPROC; sc_k_ < (long)(n) * (m) && ((i) = sc_k_ / (m), (j) = sc_k_ % (m), 1); sc_k_ += PROCS)

#endif
