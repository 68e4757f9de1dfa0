/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * LU factorization with partial pivoting of a matrix whose columns are dealt to the PEs in blocks, and the solution of
 * A x = b with it. Column n is b: it is eliminated with the others, so the lower factor isn't needed afterwards.
 */
#ifndef LINPACK_LU_H
#define LINPACK_LU_H

#include <stdbool.h>
#include <stddef.h>

struct lu {
    long n, width, blocks; /* order; columns of a block; blocks of the matrix alone */
    long columns, lda;     /* mine, b perhaps among them; doubles from one to the next */
    double *a;             /* symmetric: my columns */
    double *x;             /* symmetric: the solution, whole on every PE */
    int *pivot;            /* symmetric: rows exchanged, from 1, counted from their panel's first row */
    long *ready;           /* symmetric: for each panel, whether it and its pivots may be read */
    double *inbox;         /* symmetric: what the PEs add to the right-hand sides of my blocks */
    long *arrived;         /* symmetric: for each such part, whether it is there */
    double *panel;         /* a copy of another PE's panel; NULL when all are read in place */
    double *y;             /* my columns' part of the right-hand side */
};

/* ---- matrix.c: where things are, and the matrix itself ---- */

static inline int lu_owner(long block, int npes)
{
    return (int)(block % npes);
}
/* How many of PE `pe`'s columns lie before column j. */
long lu_before(const struct lu *m, long j, int pe);
/* Columns of a block of the matrix; the last may be narrower. */
long lu_width(const struct lu *m, long block);
/*
 * Memory for order n. False when the symmetric heap has not so much: then nothing is allocated. `copies`: panels are
 * copied although they could be read in place. Collective.
 */
bool lu_new(struct lu *m, long n, long width, bool copies);
void lu_free(struct lu *m);
/* A and b with numbers of [-1/2, 1/2), each a function of its place only. Collective. */
void lu_fill(struct lu *m);
/* ||Ax - b|| / (eps (||A|| ||x|| + ||b||) n) in the maximum norm, with A and b made anew; the same on all PEs.
 * Collective. */
double lu_residual(const struct lu *m);

/* ---- factor.c, solve.c: collective, and between barriers ---- */

void lu_factor(struct lu *m);
/* Back substitution: m->x on every PE after the next barrier. */
void lu_solve(struct lu *m);

#endif
