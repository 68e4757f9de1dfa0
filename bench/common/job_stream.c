/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Streams of equal puts from one PE to one other.
 */
#include "job_stream.h"

#include <stdlib.h>
#include <string.h>

char *bench_stream_source(void)
{
    char *source = aligned_alloc(4096, BENCH_STREAM_WORDS * 8);

    if (!source)
        bench_job_fatal("no memory");
    memset(source, 1, BENCH_STREAM_WORDS * 8);
    return source;
}

void bench_stream_batch(void *stream, long reps)
{
    const struct bench_stream s = *(const struct bench_stream *)stream;

    for (long i = 0; i < reps; i++)
        shmem_put64(s.target->base, s.source, (size_t)s.words, s.to);
    shmem_quiet();
}

void bench_stream_each(void *stream, long reps)
{
    const struct bench_stream s = *(const struct bench_stream *)stream;

    for (long i = 0; i < reps; i++) {
        shmem_put64(s.target->base, s.source, (size_t)s.words, s.to);
        shmem_quiet();
    }
}

struct bench_params bench_stream_params(const struct bench_target *t, bool all_pes_active, const char *pairs)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "op", "put");
    bench_param_text(&p, "call", "shmem_put64");
    bench_param_text(&p, "target", t->name);
    bench_param_bool(&p, "all_pes_active", all_pes_active);
    bench_param_text(&p, "pairs", pairs);
    return p;
}

struct bench_params bench_stream_message(const struct bench_params *p, long words)
{
    struct bench_params q = *p;

    bench_param_integer(&q, "message_words", words);
    bench_param_integer(&q, "message_bytes", words * 8);
    return q;
}

struct bench_params bench_stream_one_word(const struct bench_params *p, const char *completion)
{
    struct bench_params q = bench_stream_message(p, 1);

    bench_param_text(&q, "completion", completion);
    return q;
}
