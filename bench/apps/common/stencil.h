/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Five-point stencil on a grid of rows that are divided over the processes: each step every inner point becomes the
 * mean of its four neighbours. The grid's outermost points keep their values. Neighbouring processes bring each other
 * their first and last row before each step.
 */
#ifndef BENCH_APP_STENCIL_H
#define BENCH_APP_STENCIL_H

#include "app.h"

struct stencil {
    int rows, columns, steps; /* rows of each process; one more above and below are the neighbours', or fixed */
    double *grid[2];          /* of the language; a step goes from one to the other, the first one is grid[0] */
};
extern struct stencil stencil;
extern const struct bench_option stencil_options[];
extern const struct app_problem stencil_problem;

/* Reads the options. `bytes` becomes the size of a grid. Returns what is wrong, or NULL. */
const char *stencil_setup(size_t *bytes);

#endif
