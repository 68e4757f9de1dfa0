/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Blocked matrix multiply, C = A * B: matrices of `blocks` x `blocks` blocks of `side` x `side` doubles; block (i, j)
 * is number i * blocks + j and lies on process number % npes, which computes it if it is C's.
 */
#ifndef BENCH_APP_MM_H
#define BENCH_APP_MM_H

#include "app.h"

enum mm_matrix { MM_A, MM_B, MM_C, MM_MATRICES };

struct mm {
    int blocks, side;
    double *part[MM_MATRICES]; /* this process's blocks, in the order of their numbers */
};
extern struct mm mm; /* of the case that runs */
extern const struct bench_option mm_options[];
extern const struct app_problem mm_problem;

/* Of the larger case: one matrix on each process, one block. Returns what is wrong with the options, or NULL. */
const char *mm_room(size_t *part_bytes, size_t *block_bytes);
/* mm becomes that case; its parts stay. */
void mm_begin_large(void);
void mm_begin_small(void);

#endif
