/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The times of a barrier of all PEs, whatever it is called: as a rate (the MPT paper's table 2), as sequences of ten
 * (ParkBench's SYNCH1, the T3E paper's table 5), and when one PE comes late, what passes until the last has left.
 */
#ifndef BENCH_JOB_BARRIER_H
#define BENCH_JOB_BARRIER_H

#include "job.h"

#define BENCH_BARRIER_CASES 3

struct bench_barrier {
    const char *name;
    bench_body *body;
};

/* Collective; `right`: it was checked. */
void bench_barrier(const struct bench_barrier *b, bool right);
/* Computes for so long. */
void bench_linger(int64_t ns);

#endif
