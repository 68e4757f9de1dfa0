/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the PVM benchmarks share: start and end of the job, options, measuring all tasks together. Calls of PVM 3.4
 * only, so that every PVM builds it; the records are those of the other benchmarks (bench.h).
 */
#ifndef BENCH_PVMJOB_H
#define BENCH_PVMJOB_H

#include <pvm3.h>

#include "../common/bench.h"

/* Tags from here on are the job's own; the programs' are below. */
#define PVMJOB_TAGS 1000

struct pvmjob {
    int rank, size;
    int *tids;      /* of each rank */
    bool launched;  /* all started by a launcher; else rank 0 spawned the others */
    char *program;  /* its path, for pvm_spawn */
    char *group;    /* all tasks are in it */
};
extern struct pvmjob pvmjob;

struct pvmjob_program {
    const char *name, *purpose;
    int min_tasks; /* and how many there are without a launcher, unless --tasks says more */
    double seconds, quick_seconds; /* without --max-seconds */
    const struct bench_option *own; /* or NULL */
};

/*
 * Enrols, reads the options, spawns the other tasks where no launcher started them, opens the report on rank 0.
 * All tasks call it, as all else here that isn't said to be for one.
 */
void pvmjob_start(int argc, char **argv, const struct pvmjob_program *program);
int pvmjob_finish(void); /* exit status */
/* For one task: ends it and those that it spawned. */
void pvmjob_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));
/* For one task: `code` as it is; a negative one is fatal, with the call's name. */
int pvmjob_must(const char *call, int code);

void pvmjob_barrier(void);
/* Rank 0's bytes to all. */
void pvmjob_share(void *data, int bytes);
/* The same number of bytes from each rank, in order of ranks, to rank 0. */
void pvmjob_gather(const void *mine, int bytes, void *all);
long pvmjob_agree(long value);
/* The share of time of the next case, ns; rank 0 announces it. */
double pvmjob_case(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* True when all say so; else the exit status will be 1. */
bool pvmjob_right(bool mine);

/* Bytes that each of two buffers of a task rotates over; 0 where the caches of the set don't need that. */
size_t pvmjob_rotation(int caches);

enum pvmjob_span { PVMJOB_RANK0, PVMJOB_LONGEST };
/* Samples (ns for one repetition) on rank 0. RANK0: the body keeps tasks together itself. LONGEST: of all tasks' times.
 */
enum bench_stop pvmjob_measure(bench_body *body, void *arg, double budget_ns, enum pvmjob_span span,
                               struct bench_series *out);

struct bench_params pvmjob_params(void); /* with npes and how the tasks came to be */
/* What rank 0 measured; `stop` may be NULL. Others write nothing. */
void pvmjob_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                 const struct bench_series *s, bool right, const char *stop);
void pvmjob_emit_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                       double value, bool right);

#endif
