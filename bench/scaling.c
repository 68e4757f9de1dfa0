/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What grows with the number of PEs: a barrier, a sum of one word, and one-word messages that each PE puts to the next
 * one and waits for. Few samples of each suffice, so that thousands of PEs can be measured.
 */
#include "common/job.h"

#define WINDOW 32 /* words to the next PE between two barriers */
#define ROUNDS 8  /* calls of a repetition, so that it matters little which PE is the first to start */

#if BENCH_SHMEM(1, 5)
#define REDUCE "shmem_long_sum_reduce"
#else
#define REDUCE "shmem_long_sum_to_all"
static long sync_words[2][SHMEM_REDUCE_SYNC_SIZE];
static long work[2][2 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? 2 : SHMEM_REDUCE_MIN_WRKDATA_SIZE];
#endif

/* Symmetric. */
static struct words {
    long source, sum, came[WINDOW];
} *words;
static long round_number;
static struct bench_series samples;

static void barrier(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < ROUNDS * reps; i++)
        shmem_barrier_all();
}

static void reduce(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < ROUNDS * reps; i++) {
#if BENCH_SHMEM(1, 5)
        shmem_long_sum_reduce(SHMEM_TEAM_WORLD, &words->sum, &words->source, 1);
#else
        const long k = round_number++ & 1; /* may be called again while a slow PE still uses the last work area */

        shmem_long_sum_to_all(&words->sum, &words->source, 1, 0, 0, bench_job.npes, work[k], sync_words[k]);
#endif
    }
}

static void messages(void *arg, long reps)
{
    const int next = (bench_job.me + 1) % bench_job.npes;

    (void)arg;
    for (long i = 0; i < reps; i++) {
        round_number++;
        for (int k = 0; k < WINDOW; k++)
            shmem_long_p(&words->came[k], round_number, next);
        for (int k = 0; k < WINDOW; k++)
            shmem_long_wait_until(&words->came[k], SHMEM_CMP_GE, round_number);
        shmem_barrier_all(); /* before the next round's words come */
    }
}

static struct bench_params params(const char *call, long bytes)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "call", call);
    bench_param_integer(&p, "message_bytes", bytes);
    return p;
}

static void times(const char *call, long bytes, bench_body *body)
{
    const double budget = bench_agree_budget(bench_plan_next("%s", call));
    const enum bench_stop stop = bench_measure_together(body, NULL, budget, BENCH_PE0, &samples, NULL);
    const long n = bench_job.npes;
    const bool right = bench_agree_right(body == barrier || words->sum == n * (n + 1) / 2);
    const struct bench_params p = params(call, bytes);

    bench_series_scale(&samples, &samples, 1e-3 / ROUNDS);
    bench_emit("scaling", &p, "time", "us", &samples, right, bench_stop_name(stop));
}

static void rate(void)
{
    const double budget = bench_agree_budget(bench_plan_next("messages"));
    const enum bench_stop stop = bench_measure_together(messages, NULL, budget, BENCH_PE0, &samples, NULL);
    const struct bench_params p = params("shmem_long_p", 8);
    bool right = true;

    for (int k = 0; k < WINDOW; k++)
        right = right && words->came[k] == round_number;
    right = bench_agree_right(right);
    bench_series_invert(&samples, &samples, 1e3 * WINDOW * bench_job.npes);
    bench_emit("scaling", &p, "rate", "Mop/s", &samples, right, bench_stop_name(stop));
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "scaling", "barrier, reduction and messages against the number of PEs", NULL, 2, 6, 2};

    bench_job_start(argc, argv, &program);
    words = shmem_calloc(1, sizeof *words);
    if (!words)
        bench_job_fatal("the symmetric heap is too small");
    words->source = bench_job.me + 1;
#if !BENCH_SHMEM(1, 5)
    for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
        sync_words[0][i] = sync_words[1][i] = SHMEM_SYNC_VALUE;
#endif
    bench_plan_begin(3, bench_options.max_seconds);
    times("shmem_barrier_all", 0, barrier);
    times(REDUCE, 8, reduce);
    rate();
    return bench_job_finish();
}
