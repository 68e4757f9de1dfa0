/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The random sparse matrix of CG: sum over i of w_i v_i v_i' + (rcond - shift) I, where v_i has `nonzero` random
 * elements and 1/2 at i, and the weights w_i fall geometrically from 1 to rcond.
 */
#ifndef NPB_CG_MATRIX_H
#define NPB_CG_MATRIX_H

#include "common/npb.h"

struct cg_problem {
    long n;
    int nonzero;
    double shift, rcond;
};

/* A block of rows. Row i's elements are start[i] to start[i + 1] - 1. */
struct cg_matrix {
    long from, rows;
    int64_t *start;
    double *value;
    int32_t *column;
};

void cg_matrix_make(const struct cg_problem *p, struct cg_matrix *a);

#endif
