/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * All PEs put at once, PE i to PE i + d, for every distance d: the latency of a one-word put, the largest rate a PE
 * gets (Rmax) and the message that reaches half of it (N one-half), as the T3D's multiple_pairs printed them.
 */
#include "common/job_stream.h"
#include "common/nhalf.h"

#include <stdlib.h>
#include <string.h>

static char global_region[BENCH_STREAM_WORDS * 8] __attribute__((aligned(4096)));

struct exchange {
    struct bench_stream stream;
    int distance, from;
};

static struct bench_series samples, mine;

static struct exchange at_distance(const struct bench_target *t, char *source, int d)
{
    const int n = bench_job.npes, me = bench_job.me;

    return (struct exchange){{t, source, 1, (me + d) % n}, d, (me + n - d) % n};
}

static bool check(const struct exchange *x)
{
    const struct bench_stream *s = &x->stream;
    const size_t bytes = (size_t)s->words * 8;
    const int round = x->distance & 0xff;

    memset(s->target->base, 0, bytes);
    bench_pattern_fill(s->source, bytes, bench_pattern_seed(bench_job.me, bytes, round));
    shmem_barrier_all();
    shmem_put64(s->target->base, s->source, (size_t)s->words, s->to);
    shmem_barrier_all();
    return bench_agree_right(bench_pattern_check(s->target->base, bytes, bench_pattern_seed(x->from, bytes, round)));
}

static struct bench_params parameters(const struct bench_target *t)
{
    return bench_stream_params(t, true, "all PEs send at once, every distance");
}

/* Each PE's own median time of a put; the extremes are over PEs and distances. */
static void latencies(const struct bench_target *t, char *source, const char *completion, bench_body *body)
{
    static struct bench_series by_pair, of_pes;
    const struct bench_params all = parameters(t), params = bench_stream_one_word(&all, completion);
    bool all_right = true;

    bench_series_clear(&by_pair);
    for (int d = 1; d < bench_job.npes; d++) {
        const double budget = bench_agree_budget(bench_plan_next("latency %s %s distance %d", completion, t->name, d));
        struct exchange x = at_distance(t, source, d);
        struct bench_params p = params;
        enum bench_stop stop;
        bool right;

        stop = bench_measure_together(body, &x.stream, budget, BENCH_LONGEST, &samples, &mine);
        right = check(&x);
        all_right = all_right && right;
        bench_gather(bench_stats(&mine).median * 1e-3, &of_pes);
        bench_series_append(&by_pair, &of_pes);
        bench_series_scale(&samples, &samples, 1e-3);
        bench_param_integer(&p, "distance", d);
        bench_emit("multiple_pairs", &p, "latency", "us", &samples, right, bench_stop_name(stop));
    }
    bench_emit_latencies("multiple_pairs", &params, &by_pair, all_right);
}

/* Of one PE, while all send: from the first start to the last end. */
static double rate(void *arg, long words)
{
    struct exchange *x = arg;
    const struct bench_target *t = x->stream.target;
    const double budget =
        bench_agree_budget(bench_plan_next("rate %s distance %d %ld words", t->name, x->distance, words));
    const struct bench_params all = parameters(t);
    struct bench_params params = bench_stream_message(&all, words);
    enum bench_stop stop;
    bool right;

    x->stream.words = words;
    stop = bench_measure_together(bench_stream_batch, &x->stream, budget, BENCH_SPAN, &samples, NULL);
    right = check(x);
    bench_series_invert(&samples, &samples, 8e3 * (double)words);
    bench_param_integer(&params, "distance", x->distance);
    bench_emit("multiple_pairs", &params, "bandwidth", "MB/s", &samples, right, bench_stop_name(stop));
    return (double)bench_agree(bench_job.me == 0 ? (long)(bench_stats(&samples).median * 1e3) : 0) / 1e3;
}

/* Sizes at distance 1; the best size at all distances; N one-half at the fastest distance. */
static void bandwidths(const struct bench_target *t, char *source, long step)
{
    struct exchange x = at_distance(t, source, 1);
    const struct bench_params params = parameters(t);
    struct bench_nhalf best;
    int best_distance = 1;

    bench_rmax(rate, &x, BENCH_STREAM_WORDS, step, &best);
    for (int d = 2; d < bench_job.npes; d++) {
        double r;

        x = at_distance(t, source, d);
        r = rate(&x, best.r_inf_words);
        if (r <= best.r_inf)
            continue;
        best.r_inf = r;
        best_distance = d;
    }
    x = at_distance(t, source, best_distance);
    bench_nhalf(rate, &x, BENCH_STREAM_WORDS, &best);
    bench_emit_nhalf("multiple_pairs", &params, &best);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"multiple_pairs", "one-way puts, all PEs at once", NULL, 2, 20, 5};
    struct bench_target targets[2];
    char *source;
    long step;
    int n, distances;

    bench_job_start(argc, argv, &program);
    n = bench_job_targets(global_region, sizeof global_region, targets);
    source = bench_stream_source();
    step = bench_options.quick ? 8 : 2;
    distances = bench_job.npes - 1;
    bench_plan_begin(
        n * (3 * distances - 1 + bench_rmax_cases(BENCH_STREAM_WORDS, step) + bench_nhalf_cases(BENCH_STREAM_WORDS)),
        bench_options.max_seconds);
    bench_plan_insist(BENCH_STREAM_SAMPLES);
    for (int t = 0; t < n; t++) {
        latencies(&targets[t], source, "batch", bench_stream_batch);
        latencies(&targets[t], source, "each", bench_stream_each);
        bandwidths(&targets[t], source, step);
    }
    free(source);
    return bench_job_finish();
}
