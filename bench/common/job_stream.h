/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What single_pairs and multiple_pairs share: streams of equal puts from one PE to one other.
 */
#ifndef BENCH_JOB_STREAM_H
#define BENCH_JOB_STREAM_H

#include "job.h"

#define BENCH_STREAM_WORDS (512l << 10) /* the longest message: 4 MiB */
#define BENCH_STREAM_SAMPLES 15 /* of each point at least: the searches believe its median */

struct bench_stream {
    const struct bench_target *target;
    char *source; /* private, BENCH_STREAM_WORDS long */
    long words;   /* of 8 bytes, a message */
    int to;
};

char *bench_stream_source(void);
/* Bodies, with a struct bench_stream as argument: all puts completed together, or each before the next. */
void bench_stream_batch(void *stream, long reps);
void bench_stream_each(void *stream, long reps);
/* The parameters as published for these tests. */
struct bench_params bench_stream_params(const struct bench_target *t, bool all_pes_active, const char *pairs);
/* Those of the one-word latency. */
struct bench_params bench_stream_one_word(const struct bench_params *p, const char *completion);
/* And of a message of so many words. */
struct bench_params bench_stream_message(const struct bench_params *p, long words);

#endif
