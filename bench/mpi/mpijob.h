/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the MPI benchmarks share: start and end of the job, options, measuring all ranks together. Plain MPI-3
 * calls only, so that every library builds it; the records are those of the other benchmarks (bench.h).
 */
#ifndef BENCH_MPIJOB_H
#define BENCH_MPIJOB_H

#include <mpi.h>

#include "../common/bench.h"

struct mpijob {
    int rank, size;
};
extern struct mpijob mpijob;

struct mpijob_program {
    const char *name, *purpose;
    int min_ranks;
    double seconds, quick_seconds; /* without --max-seconds */
};

/* Starts MPI, reads the options, opens the report on rank 0. Collective. */
void mpijob_start(int argc, char **argv, const struct mpijob_program *program);
/* Before mpijob_start: these options in place of --multiple and --idle-thread. */
void mpijob_own(const struct bench_option *own);
/* Before mpijob_start: it calls this when MPI has started and nothing here has taken any memory yet. */
void mpijob_early(void (*early)(void));
/* Before mpijob_start: so many burners are there for the program to let go, which then takes no --burner. */
void mpijob_burners(int n);
int mpijob_finish(void); /* exit status */
void mpijob_fatal(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Rank 0's value on all. */
long mpijob_agree(long value);
/* The share of time of the next case, ns; rank 0 announces it. */
double mpijob_case(const char *name);
/* True when all say so; else the exit status will be 1. */
bool mpijob_right(bool mine);

/*
 * Bytes that each of two buffers of a rank rotates over, the same on all; 0 where the caches of the set don't need
 * that. For what rotates over both: bench_param_cache(…, 2 * it).
 */
size_t mpijob_rotation(int caches);

enum mpijob_span { MPIJOB_RANK0, MPIJOB_LONGEST };
/* Samples (ns for one repetition) on rank 0. RANK0: the body keeps ranks together itself. LONGEST: of all ranks' times.
 */
enum bench_stop mpijob_measure(bench_body *body, void *arg, double budget_ns, enum mpijob_span span,
                               struct bench_series *out);

struct bench_params mpijob_params(void); /* with npes set */
void mpijob_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                 const struct bench_series *s, bool right, enum bench_stop stop);

#endif
