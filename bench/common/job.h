/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the benchmarks share that needs SHMEM: start and end of the job, agreement between PEs, symmetric
 * targets, measuring together. Calls of OpenSHMEM 1.4 only, so that every library can build it.
 */
#ifndef BENCH_JOB_H
#define BENCH_JOB_H

#include "bench.h"

#include <shmem.h>

#define BENCH_SHMEM(major, minor) (SHMEM_MAJOR_VERSION * 100 + SHMEM_MINOR_VERSION >= (major) * 100 + (minor))

/* ---- job.c ---- */

struct bench_job {
    int me, npes;
    int machines; /* that the PEs are on; with more than one, their clocks can't be compared */
    int processes; /* that the PEs are of: fewer than PEs where these are tasks, which the kernel can't have wait */
    const char *library; /* for the records, set before bench_job_start; NULL: SHMEM */
};
extern struct bench_job bench_job;

struct bench_program {
    const char *name, *purpose;
    const struct bench_option *own; /* or NULL */
    int min_pes;
    double seconds, quick_seconds; /* without --max-seconds */
};

/* Before bench_job_start: it calls this when SHMEM has started and nothing here has taken any memory yet. */
void bench_job_early(void (*early)(void));
/* Starts SHMEM, reads the options, opens the report on PE 0. Ends the process on --help and on errors. Collective. */
void bench_job_start(int argc, char **argv, const struct bench_program *program);
/* Ends the report and SHMEM; returns the exit status. Collective. */
int bench_job_finish(void);
/* Says what is impossible and ends the whole job. */
void bench_job_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

struct bench_target {
    const char *name; /* heap, global */
    char *base;       /* symmetric, page-aligned on the heap */
};
/*
 * The targets the options ask for: `global` and as much of the heap. Returns how many. Collective.
 */
int bench_job_targets(void *global, size_t bytes, struct bench_target out[2]);

/*
 * Symmetric buffers, page-aligned and touched, for messages of up to largest[i] bytes and for the caches of a set.
 * Returns the bytes that each rotates over: less than bench_rotation says if the heap has no more, 0 if nothing
 * rotates. Collective.
 */
size_t bench_job_buffers(int places, const size_t *largest, int caches, char **out);
/* Begins a case on all PEs where PE 0 is, see bench_buffers_begin. Collective. */
void bench_job_rotate(struct bench_buffers *b, enum bench_cache cache, size_t bytes, size_t room);
/* bench_cold_add for symmetric memory of another PE, where this one can load and store it; else false. */
bool bench_job_cold_add(const void *at, size_t bytes, int pe);

/* ---- job_name.c ---- */

/* The library's name and version without what follows in brackets, which would tell two builds of it apart. */
void bench_job_name(char name[SHMEM_MAX_NAME_LEN + 1]);

/* ---- job_agree.c: all collective ---- */

void bench_agree_start(void);
/* PE 0's value, on all PEs; also a barrier. */
long bench_agree(long value);
/* The budget of the next case as PE 0's plan has it, ns. */
double bench_agree_budget(double budget_ns);
/* True when `mine` is true on all PEs. Else the job's exit status will be 1. */
bool bench_agree_right(bool mine);
bool bench_agree_failed(void);
/* `mine` of all PEs, in PE order, to PE 0. */
void bench_gather(double mine, struct bench_series *all);
/* Series of PE `from`, and why it ended, to PE 0. */
void bench_collect(struct bench_series *s, enum bench_stop *stop, int from);

enum bench_span {
    BENCH_PE0,  /* the batch as PE 0 saw it */
    BENCH_SPAN, /* from the first PE's start to the last PE's end; on several machines as BENCH_LONGEST */
    BENCH_LONGEST, /* the time of the PE that took longest, each by its own start */
};
/*
 * As bench_measure, on all PEs together after a barrier; the samples are on PE 0, the stop reason everywhere.
 * `mine` (or NULL) gets this PE's own times. Batches are long enough that the PEs really run at the same time, except
 * for BENCH_PE0, where the body itself keeps them together.
 */
enum bench_stop bench_measure_together(bench_body *body, void *arg, double budget_ns, enum bench_span span,
                                       struct bench_series *out, struct bench_series *mine);

/* ---- job_emit.c ---- */

/* Parameters with npes set. */
struct bench_params bench_job_params(void);
/* A record of PE 0; nothing elsewhere. `stop` may be NULL. */
void bench_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                const struct bench_series *s, bool right, const char *stop);
void bench_emit_pair(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                     const struct bench_series *s, bool right, const char *stop, int a, int b);
/* A figure computed from others: value, and the series it comes from (NULL: itself alone). */
void bench_emit_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                      double value, const struct bench_series *s, bool right);
struct bench_nhalf;
/* r_inf, rate_at_n_half (half of r_inf, as the T3D programs print it), what was measured there, n_half_words and
 * _bytes. */
void bench_emit_nhalf(const char *test, const struct bench_params *p, const struct bench_nhalf *n);
/* latency_max, _min, _avg over pairs and the one-word rate, as the T3D programs print them; the series holds us by
 * pair. */
void bench_emit_latencies(const char *test, const struct bench_params *p, const struct bench_series *by_pair,
                          bool right);

#endif
