/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The memory of the processes of a job: what a PE costs beyond its program's own data, which a benchmark that does
 * nothing else hardly has.
 */
#ifndef BENCH_FOOTPRINT_H
#define BENCH_FOOTPRINT_H

#include "bench.h"

struct bench_footprint { /* plain doubles, for PEs to send; of this process, bytes */
    double memory;       /* its share of each page that it has: a page of several processes counts once in all */
    double page_tables;
};

/* False where the kernel doesn't tell. */
bool bench_footprint_look(struct bench_footprint *f);
/*
 * The records of the sum of all processes, for each PE. `verified`: of each process one PE has looked, and was told.
 */
void bench_footprint_write(const struct bench_params *p, int npes, const struct bench_footprint *sum, bool verified);
/* Marks the first PE of each process among npes. */
void bench_footprint_firsts(const double *processes, int npes, long *first);

#endif
