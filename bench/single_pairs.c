/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One PE puts to one other while all others are idle, for every ordered pair: the latency of a one-word put, the
 * largest rate (Rmax) and the message that reaches half of it (N one-half), as the T3D's single_pairs printed them.
 */
#include "common/job_stream.h"
#include "common/nhalf.h"

#include <stdlib.h>
#include <string.h>

static char global_region[BENCH_STREAM_WORDS * 8] __attribute__((aligned(4096)));

/* The pair at work. */
struct pair {
    struct bench_stream stream;
    int from;
};

static struct bench_series samples;

/* Data of a seed of their own, checked by the receiver. Collective. */
static bool check(const struct pair *p)
{
    const struct bench_stream *s = &p->stream;
    const size_t bytes = (size_t)s->words * 8;
    const uint64_t seed = bench_pattern_seed(p->from, bytes, s->to & 0xff);
    bool right = true;

    if (bench_job.me == s->to)
        memset(s->target->base, 0, bytes);
    shmem_barrier_all();
    if (bench_job.me == p->from) {
        bench_pattern_fill(s->source, bytes, seed);
        shmem_put64(s->target->base, s->source, (size_t)s->words, s->to);
    }
    shmem_barrier_all();
    if (bench_job.me == s->to)
        right = bench_pattern_check(s->target->base, bytes, seed);
    return bench_agree_right(right);
}

/* Times per put in ns on PE 0, and whether the data were right. Collective. */
static bool run(struct pair *p, bench_body *body, double budget, enum bench_stop *stop)
{
    if (bench_job.me == p->from)
        *stop = bench_measure(body, NULL, &p->stream, budget, &samples);
    bench_collect(&samples, stop, p->from);
    return check(p);
}

static struct bench_params parameters(const struct bench_target *t)
{
    return bench_stream_params(t, false, "one pair active, others idle, one-way put");
}

static void latencies(const struct bench_target *t, char *source, const char *completion, bench_body *body)
{
    static struct bench_series by_pair;
    const struct bench_params all = parameters(t), params = bench_stream_one_word(&all, completion);
    const int n = bench_job.npes;
    bool all_right = true;

    bench_series_clear(&by_pair);
    for (int k = 0; k < n * n; k++) {
        struct pair p = {{t, source, 1, k % n}, k / n};
        enum bench_stop stop = BENCH_STOP_BUDGET;
        const int from = p.from, to = p.stream.to;
        double budget;
        bool right;

        if (from == to)
            continue;
        budget = bench_agree_budget(bench_plan_next("latency %s %s %d-%d", completion, t->name, from, to));
        right = run(&p, body, budget, &stop);
        all_right = all_right && right;
        bench_series_scale(&samples, &samples, 1e-3);
        bench_series_add(&by_pair, bench_stats(&samples).median);
        bench_emit_pair("single_pairs", &params, "latency", "us", &samples, right, bench_stop_name(stop), from, to);
    }
    bench_emit_latencies("single_pairs", &params, &by_pair, all_right);
}

/* For the searches: the same rate on all PEs, as they must take the same way. */
static double rate(void *arg, long words)
{
    struct pair *p = arg;
    const int from = p->from, to = p->stream.to;
    const struct bench_target *t = p->stream.target;
    const double budget = bench_agree_budget(bench_plan_next("rate %s %d-%d %ld words", t->name, from, to, words));
    const struct bench_params all = parameters(t), params = bench_stream_message(&all, words);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right;

    p->stream.words = words;
    right = run(p, bench_stream_batch, budget, &stop);
    bench_series_invert(&samples, &samples, 8e3 * (double)words);
    bench_emit_pair("single_pairs", &params, "bandwidth", "MB/s", &samples, right, bench_stop_name(stop), from, to);
    return (double)bench_agree(bench_job.me == 0 ? (long)(bench_stats(&samples).median * 1e3) : 0) / 1e3;
}

/* Sizes on the first pair; the best size on all pairs; N one-half on the pair that was fastest. */
static void bandwidths(const struct bench_target *t, char *source, long step)
{
    struct pair p = {{t, source, 1, 1}, 0}, best_pair = p;
    const struct bench_params params = parameters(t);
    const int n = bench_job.npes;
    struct bench_nhalf best;

    bench_rmax(rate, &p, BENCH_STREAM_WORDS, step, &best);
    for (int k = 2; k < n * n; k++) {
        double r;

        p.from = k / n;
        p.stream.to = k % n;
        if (p.from == p.stream.to)
            continue;
        r = rate(&p, best.r_inf_words);
        if (r <= best.r_inf)
            continue;
        best.r_inf = r;
        best_pair = p;
    }
    bench_nhalf(rate, &best_pair, BENCH_STREAM_WORDS, &best);
    bench_emit_nhalf("single_pairs", &params, &best);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"single_pairs", "one-way puts, one pair at a time", NULL, 2, 20, 5};
    struct bench_target targets[2];
    char *source;
    int n, pairs;
    long step;

    bench_job_start(argc, argv, &program);
    n = bench_job_targets(global_region, sizeof global_region, targets);
    source = bench_stream_source();
    step = bench_options.quick ? 8 : 2;
    pairs = bench_job.npes * (bench_job.npes - 1);
    bench_plan_begin(
        n * (3 * pairs - 1 + bench_rmax_cases(BENCH_STREAM_WORDS, step) + bench_nhalf_cases(BENCH_STREAM_WORDS)),
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
