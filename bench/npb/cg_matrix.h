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

/* The PEs as a grid, `high` by `wide`, not wider than high; PE i * wide + j is in row i and column j. The rows of the
 * matrix are divided among the rows of the grid; these parts, among the PEs of a row, are the PEs' pieces of a vector.
 * A PE has the columns of the pieces of its column of PEs: of each PE, in order of rows, `stride` places, of which the
 * last may be free. */
struct cg_grid {
    int high, wide, i, j;
    long stride;
};

/* Elements that a processor may multiply at once: rows have a multiple of them, the last with value 0. */
enum { CG_LANES = 8 };

/* A PE's part of the matrix. Row r's elements are start[r] to start[r + 1] - 1. */
struct cg_matrix {
    struct cg_grid grid;
    long from, rows;
    int64_t *start;
    double *value;
    int32_t *column; /* places as above */
};

/* The piece of the PE in column `j` of my row of PEs: from where in my rows, and how long. */
long cg_piece(const struct cg_matrix *a, int j, long *from);

void cg_matrix_make(const struct cg_problem *p, struct cg_matrix *a);

#endif
