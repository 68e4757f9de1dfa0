/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How PEs take turns: one word goes round all of them, each waiting for it. What a put and a wait cost alone is taken
 * on one PE, and the difference is the switch from a PE that waits to the next one. And sched_yield, by all PEs in
 * turns.
 */
#include "common/job.h"

#include <sched.h>

static long *word; /* symmetric */
static long round_number;
static struct bench_series samples;

static void put_word(int pe)
{
    shmem_long_p(word, round_number, pe);
}

static void wait_word(void)
{
    shmem_long_wait_until(word, SHMEM_CMP_GE, round_number);
}

static void ring(void *arg, long reps)
{
    const int me = bench_job.me, next = (me + 1) % bench_job.npes;

    (void)arg;
    for (long i = 0; i < reps; i++) {
        round_number++;
        if (me == 0) {
            put_word(next);
            wait_word();
        } else {
            wait_word();
            put_word(next);
        }
    }
}

/* The same calls without anyone to wait for. */
static void alone(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        round_number++;
        if (bench_job.me == 0) {
            put_word(0);
            wait_word();
        }
    }
}

static void yield(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        sched_yield();
}

/* ns for a turn of one PE; the median. */
static double measure(const char *how, const char *metric, bench_body *body, int turns)
{
    const double budget = bench_agree_budget(bench_plan_next("%s", how));
    const enum bench_stop stop = bench_measure_together(body, NULL, budget, BENCH_PE0, &samples, NULL);
    struct bench_params p = bench_job_params();
    const bool right = bench_agree_right(body == yield || bench_job.me != 0 || *(volatile long *)word == round_number);

    bench_series_scale(&samples, &samples, 1.0 / turns);
    bench_param_text(&p, "how", how);
    bench_emit("handover", &p, metric, "ns", &samples, right, bench_stop_name(stop));
    return bench_job.me == 0 ? bench_stats(&samples).median : 0;
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"handover", "how PEs that wait take turns", NULL, 2, 6, 2};
    double handed, own;

    bench_job_start(argc, argv, &program);
    word = shmem_calloc(1, sizeof *word);
    if (!word)
        bench_job_fatal("the symmetric heap is too small");
    bench_plan_begin(3, bench_options.max_seconds);
    handed = measure("put and wait_until", "handover_time", ring, bench_job.npes);
    own = measure("put and wait_until, alone", "call_time", alone, 1);
    if (bench_job.me == 0) {
        struct bench_params p = bench_job_params();

        bench_param_text(&p, "how", "wait_until");
        bench_emit_value("handover", &p, "switch_time", "ns", handed - own, NULL, handed > own);
    }
    measure("sched_yield", "handover_time", yield, bench_job.npes);
    return bench_job_finish();
}
