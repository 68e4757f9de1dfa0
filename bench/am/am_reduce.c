/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPT paper's global reductions over active messages: each PE's word in a request to PE 0, whose requests tell all
 * the result; and a vector of 100,000 by a log2 reduction of stores. The interface has no reductions of its own.
 */
#include <am.h>
#include <stdlib.h>
#include <string.h>

#include "../common/job.h"
#include "../common/reductions.h"

#define MAX_STAGES 34 /* of as many PEs as an int can count */

static struct {
    enum bench_reduction reduction;
    volatile long *words, came, result, results; /* came, results: how many there were */
    long mine, round;
    double *vector;
    double *sum, *in; /* symmetric; `in`: for each stage, of even and of odd rounds */
    volatile long stored[MAX_STAGES];
} area;
static struct bench_series samples;

/* ---- one word ---- */

static void on_word(vnn_t src, am_word value)
{
    area.words[src] = value;
    area.came++;
}

static void on_result(vnn_t src, am_word value)
{
    area.result = value;
    area.results += src == 0;
}

/* Nobody's next word comes before it has this result, so PE 0's array needs no second half. */
static void through_0(void *arg, long reps)
{
    const int n = bench_job.npes;

    (void)arg;
    for (long i = 0; i < reps; i++) {
        const long round = ++area.round;

        am_request_1(0, on_word, area.mine);
        if (bench_job.me == 0) {
            long result;

            am_wait_for(area.came >= round * n);
            result = bench_reduction_of(area.reduction, area.words, n);
            for (int pe = 0; pe < n; pe++)
                am_request_1(pe, on_result, result);
        }
        am_wait_for(area.results >= round);
    }
}

static bool check_word(void)
{
    bool right = true;

    for (int round = 0; round < BENCH_WORD_ROUNDS; round++) {
        area.mine = bench_reduction_word(area.reduction, round, bench_job.me, bench_job.npes);
        area.result = -1;
        gam_barrier();
        through_0(NULL, 1);
        right = right && area.result == bench_reduction_due(area.reduction, round, bench_job.npes);
    }
    return bench_agree_right(right);
}

/* ---- the vector ---- */

static void on_vector(vnn_t src, void *addr, int n, void *stage)
{
    area.stored[(uintptr_t)stage] += src >= 0 && addr && n > 0;
}

/* A partner may be a whole round ahead but not two, as it needs this PE's vector of the round between: two halves do.
 */
static double *place(int stage)
{
    const int stages = bench_doubling_stages(bench_job.npes);

    return area.in + ((area.round & 1) * stages + stage) * BENCH_VECTOR;
}

static void send(int stage, int to)
{
    am_store(to, area.sum, place(stage), BENCH_VECTOR * (long)sizeof *area.sum, on_vector, (uintptr_t)stage);
}

static void add(int stage, int from)
{
    (void)from;
    am_wait_for(area.stored[stage] >= area.round);
    bench_vector_add(area.sum, place(stage));
}

static void take(int stage, int from)
{
    (void)from;
    am_wait_for(area.stored[stage] >= area.round);
    memcpy(area.sum, place(stage), BENCH_VECTOR * sizeof *area.sum);
}

static void log2_sum(void *arg, long reps)
{
    static const struct bench_doubling how = {send, add, take};

    (void)arg;
    for (long i = 0; i < reps; i++) {
        area.round++;
        memcpy(area.sum, area.vector, BENCH_VECTOR * sizeof *area.sum);
        bench_doubling(&how, bench_job.me, bench_job.npes);
    }
}

static bool check_vector(void)
{
    area.round = 0;
    bench_vector_fill(area.vector, bench_job.me);
    gam_barrier();
    log2_sum(NULL, 1);
    return bench_agree_right(bench_vector_check(area.sum, bench_job.npes));
}

/* ---- cases ---- */

static void run(const char *operation)
{
    const double budget = bench_agree_budget(bench_plan_next("%s", operation ? operation : "vector sum"));
    const bool right = operation ? check_word() : check_vector();
    struct bench_params p = bench_job_params();
    enum bench_stop stop;

    stop = bench_measure_together(operation ? through_0 : log2_sum, NULL, budget, BENCH_PE0, &samples, NULL);
    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_text(&p, "algorithm", operation ? BENCH_BY_HAND : BENCH_LOG2);
    bench_param_text(&p, "call", operation ? "am_request_1" : "am_store");
    if (operation)
        bench_param_text(&p, "operation", operation);
    else
        bench_param_integer(&p, "elements", BENCH_VECTOR);
    bench_emit(operation ? "one-word global reduction" : "global vector sum", &p, "time", "ms", &samples, right,
               bench_stop_name(stop));
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "am_reduce", "global reductions of a word and of a vector", NULL, 1, 8, 1};
    size_t halves;

    bench_job.library = "AM";
    bench_job_start(argc, argv, &program);
    halves = 2 * (size_t)bench_doubling_stages(bench_job.npes);
    area.words = calloc((size_t)bench_job.npes, sizeof *area.words);
    area.vector = malloc(BENCH_VECTOR * sizeof *area.vector);
    area.sum = shmem_calloc(BENCH_VECTOR, sizeof *area.sum);
    area.in = shmem_calloc(halves * BENCH_VECTOR, sizeof *area.in);
    if (!area.words || !area.vector || !area.sum || !area.in)
        bench_job_fatal("am_reduce: no memory for %zu vectors", halves + 2);
    am_enable();
    bench_plan_begin(BENCH_REDUCTIONS + 1, bench_options.max_seconds);
    for (area.reduction = 0; area.reduction < BENCH_REDUCTIONS; area.reduction++)
        run(bench_reduction_name(area.reduction));
    run(NULL);
    am_disable();
    free((void *)(uintptr_t)area.words);
    free(area.vector);
    return bench_job_finish();
}
