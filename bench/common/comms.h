/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS tests, whatever the interface: the time of a message by its size, the lines through it, and the
 * same numbers as measured themselves.
 */
#ifndef BENCH_COMMS_H
#define BENCH_COMMS_H

#include "bench.h"

#define BENCH_COMMS_LARGEST (4l << 20)

struct bench_comms {
    const char *test; /* COMMS1, COMMS2, COMMS3 */
    const struct bench_params *params;
    /*
     * Time of a message of so many bytes, us, the same answer on all processes; clears `right` when data came wrong.
     * All processes call it; bytes over its time is the rate that is reported.
     */
    double (*one_way)(void *arg, long bytes, bool *right);
    void *arg;
};

/* How often one_way is called at most. */
int bench_comms_cases(void);
/* All processes; the one with the report writes. */
void bench_comms(const struct bench_comms *c);

#endif
