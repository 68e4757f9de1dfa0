/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the bare machine needs for a message that is written before it goes and read when it has come: by one process,
 * and by two that copy it to each other through shared memory.
 */
#ifndef BENCH_WRITTEN_H
#define BENCH_WRITTEN_H

#include "bench.h"

struct bench_written {
    int cpus[2];            /* equal: there is one process */
    void (*pin)(int which); /* this process to the first or the second */
    /* In shared memory: what each of the two sends, where it comes to, and words that each waits for, in lines of their
     * own. */
    char *out[2], *in[2];
    long *words[2];
};

int bench_written_cases(void); /* of the plan, in each round */
/* Measures and writes the records of all sizes; how many of them saw wrong data. */
int bench_written_limits(const struct bench_written *w, int rounds);

#endif
