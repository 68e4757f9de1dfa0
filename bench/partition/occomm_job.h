/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the exchanges of a cube's boundary share whose PEs have symmetric memory (SHMEM, active messages): the cube, two
 * landing places, and a program around them that checks and measures every case.
 */
#ifndef PARTITION_OCCOMM_JOB_H
#define PARTITION_OCCOMM_JOB_H

#include "../common/job.h"
#include "boundary.h"

struct occomm_job {
    struct boundary b;
    int partner;            /* -1: this PE only watches */
    double *cube, *landing; /* symmetric; landing: two places for a copied boundary in turns */
    double *own;            /* room for one */
    long turn;              /* exchanges so far, this one included */
};
extern struct occomm_job occomm;

struct occomm_way {
    const char *name;
    void (*exchange)(void);
};

/* Two places in turns: the partner sends turn t + 1 after unpacking t, and then only I send t + 2. */
double *occomm_landing(void);

/* A main: starts the job, calls `begin` once its memory is there (a barrier follows), `finish` in the end. NULL: there
 * is nothing to do. */
struct occomm_program {
    struct bench_program program;
    const struct occomm_way *ways;
    int n;
    void (*begin)(void), (*finish)(void);
};
int occomm_main(int argc, char **argv, const struct occomm_program *own);

#endif
