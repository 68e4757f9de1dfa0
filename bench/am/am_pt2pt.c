/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Active messages: half the round trip of a word between each pair of PEs; between PEs 0 and 1 the round trip of a
 * request and its reply, the rate of requests of four words that nobody answers, and stores and gets of all sizes with
 * a handler. The limits program says what the machine can. Written and read, the owner of the source writes it and the
 * handler of what came reads it.
 */
#include <am.h>
#include <stdlib.h>

#include "../common/job.h"

#define LARGEST (4l << 20)
#define WINDOW 1024 /* requests of the rate between two answers */

static char global_region[BENCH_FRESH_LARGEST] __attribute__((aligned(4096)));
static volatile long answered, asked, streamed, stored, gotten;
static long sent; /* stores; those that came are `stored` */
static volatile bool stop;
static bool written; /* what is stored and gotten is */
static int partner; /* of the PE that measures */
static struct bench_series samples;

struct transfer {
    char *from, *to;
    long bytes;
};

static void on_answer(vnn_t src, am_word n)
{
    answered += n + (src < 0);
}

static void on_ask(vnn_t src, am_word n)
{
    asked++;
    am_reply_1(src, on_answer, n);
}

static void on_stream(vnn_t src, am_word a, am_word b, am_word c, am_word d)
{
    streamed += (a == b && c == d) + (src < 0);
}

static void on_flush(vnn_t src, am_word n)
{
    asked++;
    am_reply_1(src, on_answer, n);
}

/* The round of what is written and read is the number of stores, or of gets. */
static void on_store(vnn_t src, void *addr, int n, void *arg)
{
    if (written)
        bench_fresh_read(addr, (size_t)n, src, stored + 1);
    stored += addr && n >= 0 && !arg;
    am_reply_1(src, on_answer, 1);
}

static void on_get(vnn_t src, void *addr, int n, void *arg)
{
    if (written)
        bench_fresh_read(addr, (size_t)n, src, gotten + 1);
    gotten += addr && n >= 0 && !arg && src >= 0;
}

/* The source of a get is written where it is. */
static void on_write(vnn_t src, am_word bytes, am_word round)
{
    bench_fresh_write(global_region, (size_t)bytes, bench_job.me, round);
    am_reply_1(src, on_answer, 1);
}

static void on_stop(vnn_t src)
{
    stop = src >= 0;
}

static void ping_pong(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        const long due = answered + 1;

        am_request_1(partner, on_ask, 1);
        am_wait_for(answered == due);
    }
}

static void stream(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        const long due = answered + 1;

        for (int k = 0; k < WINDOW; k++)
            am_request_4(1, on_stream, k, k, i, i);
        am_request_1(1, on_flush, 1);
        am_wait_for(answered == due);
    }
}

static void store(void *arg, long reps)
{
    struct transfer *t = arg;

    for (long i = 0; i < reps; i++) {
        const long due = answered + 1;

        sent++;
        if (written)
            bench_fresh_write(t->from, (size_t)t->bytes, 0, sent);
        am_store(1, t->from, t->to, t->bytes, on_store);
        am_wait_for(answered == due);
    }
}

static void get(void *arg, long reps)
{
    struct transfer *t = arg;

    for (long i = 0; i < reps; i++) {
        const long due = gotten + 1, ready = answered + 1;

        if (written) {
            am_request_2(1, on_write, t->bytes, due);
            am_wait_for(answered == ready);
        }
        am_get(1, t->to, t->from, t->bytes, on_get);
        am_wait_for(gotten == due);
    }
}

/* One case: PE a measures, PE b serves, the others sleep; the samples are PE 0's at last. Collective. */
static enum bench_stop run_pair(bench_body *body, struct transfer *t, const char *name, long bytes, int a, int b)
{
    const double budget = bench_agree_budget(bench_plan_next("%s %ld bytes", name, bytes));
    enum bench_stop why = BENCH_STOP_BUDGET;

    stop = false;
    partner = b;
    gam_barrier();
    if (bench_job.me == a) {
        why = bench_measure(body, NULL, t, budget, &samples);
        am_request_0(b, on_stop);
    }
    if (bench_job.me == b)
        am_wait_for(stop);
    bench_collect(&samples, &why, a);
    return why;
}

static enum bench_stop run(bench_body *body, struct transfer *t, const char *name, long bytes)
{
    return run_pair(body, t, name, bytes, 0, 1);
}

static struct bench_params parameters(const char *call, long bytes)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "call", call);
    bench_param_integer(&p, "message_bytes", bytes);
    return p;
}

static void words(void)
{
    struct bench_params p = parameters("am_request_1 and am_reply_1", 8);
    enum bench_stop why = run(ping_pong, NULL, "request and reply", 8);
    bool right = bench_agree_right(bench_job.me != 1 || asked > 0);

    bench_series_scale(&samples, &samples, 1e-3);
    bench_emit_pair("am", &p, "round trip", "us", &samples, right, bench_stop_name(why), 0, 1);
    p = parameters("am_request_4", 32);
    why = run(stream, NULL, "rate", 32);
    right = bench_agree_right(bench_job.me != 1 || (streamed > 0 && streamed % WINDOW == 0));
    bench_series_invert(&samples, &samples, 1e3 * WINDOW); /* of ns for a window */
    bench_emit_pair("am", &p, "rate", "million/s", &samples, right, bench_stop_name(why), 0, 1);
}

/* Every pair alone with one word, as the T3D's ping_pong. */
static void pairs(void)
{
    static struct bench_series by_pair;
    struct bench_params p = parameters("am_request_1 and am_reply_1", 8);
    bool all_right = true;

    bench_param_integer(&p, "message_words", 1);
    bench_param_bool(&p, "all_pes_active", false);
    for (int a = 0; a < bench_job.npes; a++)
        for (int b = a + 1; b < bench_job.npes; b++) {
            const long before = asked;
            const enum bench_stop why = run_pair(ping_pong, NULL, "one word", 8, a, b);
            const bool right = bench_agree_right(bench_job.me != b || asked > before);

            all_right = all_right && right;
            bench_series_scale(&samples, &samples, 0.5e-3);
            bench_series_add(&by_pair, bench_stats(&samples).median);
            bench_emit_pair("pingpong", &p, "latency", "us", &samples, right, bench_stop_name(why), a, b);
        }
    bench_param_text(&p, "pairs", "every possible pair, one at a time, half round trip of one word");
    bench_emit_latencies("ping_pong", &p, &by_pair, all_right);
}

static bool came(const struct transfer *t)
{
    const uint64_t seed = bench_pattern_seed(0, (size_t)t->bytes, 1);

    if (bench_job.me == 0) {
        bench_pattern_fill(t->from, (size_t)t->bytes, seed);
        store((void *)(uintptr_t)t, 1);
    }
    gam_barrier();
    return bench_job.me != 1 || bench_pattern_check(t->to, (size_t)t->bytes, seed);
}

static void bulk(struct transfer *t, bench_body *body, const char *call, enum bench_cache cache)
{
    struct bench_params p = parameters(call, t->bytes);
    enum bench_stop why;
    bool right;

    written = cache == BENCH_WRITTEN;
    if (written)
        bench_param_cache(&p, cache, 0);
    why = run(body, t, call, t->bytes);
    written = false;
    right = came(t);
    right = bench_agree_right(bench_fresh_right() && right);
    bench_series_invert(&samples, &samples, 1e3 * (double)t->bytes); /* B/ns = 1000 MB/s */
    bench_emit_pair("am", &p, "bandwidth", "MB/s", &samples, right, bench_stop_name(why), 0, 1);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "am_pt2pt", "requests, replies, stores and gets of active messages", NULL, 2, 15, 4};
    const int hot = 1 << BENCH_HOT, both = hot | 1 << BENCH_WRITTEN;
    struct transfer t = {.to = global_region};
    int sizes = 0, caches;

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    caches = bench_caches(hot, both, both);
    am_enable();
    t.from = malloc(BENCH_FRESH_LARGEST);
    if (!t.from)
        bench_job_fatal("no memory");
    for (long n = 64; n <= LARGEST && caches & hot; n *= 4)
        sizes++;
    sizes += caches & 1 << BENCH_WRITTEN ? bench_fresh_sizes() : 0;
    bench_plan_begin(2 + 2 * sizes + bench_job.npes * (bench_job.npes - 1) / 2, bench_options.max_seconds);
    pairs();
    words();
    for (t.bytes = 64; t.bytes <= LARGEST && caches & hot; t.bytes *= 4) {
        bulk(&t, store, "am_store", BENCH_HOT);
        bulk(&t, get, "am_get", BENCH_HOT);
    }
    for (size_t n = BENCH_FRESH_SMALLEST; n && caches & 1 << BENCH_WRITTEN; n = bench_next_fresh(n)) {
        t.bytes = (long)n;
        bulk(&t, store, "am_store", BENCH_WRITTEN);
        bulk(&t, get, "am_get", BENCH_WRITTEN);
    }
    am_disable();
    free(t.from);
    return bench_job_finish();
}
