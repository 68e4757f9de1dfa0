/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the parallel sorts have in common: 32-bit random keys, the same number on each process, and the check that what
 * came out is in order within and across processes and is what went in.
 */
#ifndef BENCH_APP_KEYS_H
#define BENCH_APP_KEYS_H

#include "app.h"

struct keys {
    long n;             /* keys of each process before */
    uint32_t *in;       /* not changed by a run */
    const uint32_t *out; /* set by each run: this process's keys after, */
    long nout;           /* so many */
};
extern struct keys keys;
extern const struct bench_option keys_options[];
extern const struct app_problem keys_sample_problem, keys_radix_problem;

/* Reads the options, makes the keys. Returns what is wrong, or NULL. */
const char *keys_setup(void);

#endif
