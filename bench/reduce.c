/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Global reductions as the MPT paper measured them: one word by all-put and all-get through PE 0 (GSUM, GMAX, GLAND), a
 * vector of 100,000 by a log2 reduction written with puts, and the library's own routines for the same results.
 */
#include "common/job.h"
#include "common/reductions.h"

#include <string.h>

#define ELEMENTS BENCH_VECTOR
#define MAX_PES 1024
#define STAGES 11 /* log2 of MAX_PES, and one for the PEs beyond a power of two */

/* All that is symmetric; the two halves of `in` and `came` serve odd and even rounds. */
struct area {
    long words[MAX_PES];
    long result;
    long source, work_result;
    long came[2][STAGES + 1];
    double vector[ELEMENTS], sum[ELEMENTS];
    double in[2][STAGES][ELEMENTS];
};

static struct area global_area;
static struct area *area;
static struct bench_series samples;
static long round_number;

/* ---- one word through PE 0 ---- */

/* The second barrier also keeps the next round's words from coming before PE 0 has used these. */
static inline __attribute__((always_inline)) void through_pe0(long reps, enum bench_reduction of)
{
    for (long i = 0; i < reps; i++) {
        shmem_long_p(&area->words[bench_job.me], area->source, 0);
        shmem_barrier_all();
        if (bench_job.me == 0)
            area->result = bench_reduction_of(of, area->words, bench_job.npes);
        shmem_barrier_all();
        area->work_result = shmem_long_g(&area->result, 0);
    }
}

static void gsum(void *arg, long reps)
{
    (void)arg;
    through_pe0(reps, BENCH_GSUM);
}

static void gmax(void *arg, long reps)
{
    (void)arg;
    through_pe0(reps, BENCH_GMAX);
}

static void gland(void *arg, long reps)
{
    (void)arg;
    through_pe0(reps, BENCH_GLAND);
}

/* ---- the library's routines, by the version of the standard ---- */

#if BENCH_SHMEM(1, 5)
#define LIBRARY(name, T, operation, to, from, n)                             \
    static void name(void *arg, long reps)                                   \
    {                                                                        \
        (void)arg;                                                           \
        for (long i = 0; i < reps; i++)                                      \
            shmem_##T##_##operation##_reduce(SHMEM_TEAM_WORLD, to, from, n); \
    }
#define LIBRARY_CALL(T, operation) "shmem_" #T "_" #operation "_reduce"
#else
#define WORK (ELEMENTS / 2 + 1 > SHMEM_REDUCE_MIN_WRKDATA_SIZE ? ELEMENTS / 2 + 1 : SHMEM_REDUCE_MIN_WRKDATA_SIZE)
static long sync_words[2][SHMEM_REDUCE_SYNC_SIZE];
static union {
    long as_long[WORK];
    double as_double[WORK];
} work[2];

/* Two work areas in turn: the routine may be called again while a slow PE still uses the last one. */
#define LIBRARY(name, T, operation, to, from, n)                                                                \
    static void name(void *arg, long reps)                                                                      \
    {                                                                                                           \
        (void)arg;                                                                                              \
        for (long i = 0; i < reps; i++) {                                                                       \
            const long k = round_number++ & 1;                                                                  \
                                                                                                                \
            shmem_##T##_##operation##_to_all(to, from, n, 0, 0, bench_job.npes, work[k].as_##T, sync_words[k]); \
        }                                                                                                       \
    }
#define LIBRARY_CALL(T, operation) "shmem_" #T "_" #operation "_to_all"
#endif

/* The team form knows bitwise operations on unsigned types only. */
#if BENCH_SHMEM(1, 5)
#define AND_CALL LIBRARY_CALL(ulong, and)
LIBRARY(library_and, ulong, and, (unsigned long *)&area->work_result, (unsigned long *)&area->source, 1)
#else
#define AND_CALL LIBRARY_CALL(long, and)
LIBRARY(library_and, long, and, &area->work_result, &area->source, 1)
#endif
LIBRARY(library_sum, long, sum, &area->work_result, &area->source, 1)
LIBRARY(library_max, long, max, &area->work_result, &area->source, 1)
LIBRARY(library_vector, double, sum, area->sum, area->vector, ELEMENTS)

/* ---- the vector by recursive doubling ---- */

static void pass(int stage, int pe, double *into)
{
    shmem_putmem(into, area->sum, sizeof area->sum, pe);
    shmem_fence();
    shmem_long_p(&area->came[round_number & 1][stage], round_number, pe);
}

static void take(int stage)
{
    shmem_long_wait_until(&area->came[round_number & 1][stage], SHMEM_CMP_GE, round_number);
}

static void add(int stage)
{
    const double *in = area->in[round_number & 1][stage];

    take(stage);
    for (long i = 0; i < ELEMENTS; i++)
        area->sum[i] += in[i];
}

/*
 * PEs beyond the largest power of two first give their vector to a partner and get the result from it. A partner may be
 * a whole round ahead but not two, as it needs this PE's vector of the round between: two sets of buffers suffice.
 */
static void log2_sum(void *arg, long reps)
{
    const int me = bench_job.me, n = bench_job.npes;
    int power = 1, stage;

    (void)arg;
    while (2 * power <= n)
        power *= 2;
    for (long i = 0; i < reps; i++) {
        double (*in)[ELEMENTS] = area->in[++round_number & 1];

        memcpy(area->sum, area->vector, sizeof area->sum);
        if (me >= power) {
            pass(STAGES - 1, me - power, in[STAGES - 1]);
            take(STAGES);
            continue;
        }
        if (me + power < n)
            add(STAGES - 1);
        stage = 0;
        for (int distance = 1; distance < power; distance *= 2, stage++) {
            pass(stage, me ^ distance, in[stage]);
            add(stage);
        }
        if (me + power < n)
            pass(STAGES, me + power, area->sum);
    }
}

/* ---- cases ---- */

static bool check_word(enum bench_reduction of, bench_body *body)
{
    bool right = true;

    for (int round = 0; round < BENCH_WORD_ROUNDS; round++) {
        area->source = bench_reduction_word(of, round, bench_job.me, bench_job.npes);
        area->work_result = -1;
        shmem_barrier_all();
        body(NULL, 1);
        right = right && area->work_result == bench_reduction_due(of, round, bench_job.npes);
        shmem_barrier_all();
    }
    return bench_agree_right(right);
}

static bool check_vector(bench_body *body)
{
    bool right;

    bench_vector_fill(area->vector, bench_job.me);
    memset(area->sum, 0, sizeof area->sum);
    shmem_barrier_all();
    body(NULL, 1);
    right = bench_vector_check(area->sum, bench_job.npes);
    shmem_barrier_all();
    return bench_agree_right(right);
}

static const struct reduction {
    enum bench_reduction of; /* BENCH_REDUCTIONS: the vector's sum */
    const char *algorithm, *call;
    bench_body *body;
} reductions[] = {
    {BENCH_GSUM, BENCH_BY_HAND, "shmem_long_p, shmem_long_g", gsum},
    {BENCH_GMAX, BENCH_BY_HAND, "shmem_long_p, shmem_long_g", gmax},
    {BENCH_GLAND, BENCH_BY_HAND, "shmem_long_p, shmem_long_g", gland},
    {BENCH_GSUM, "library", LIBRARY_CALL(long, sum), library_sum},
    {BENCH_GMAX, "library", LIBRARY_CALL(long, max), library_max},
    {BENCH_GLAND, "library", AND_CALL, library_and},
    {BENCH_REDUCTIONS, BENCH_LOG2, "shmem_putmem", log2_sum},
    {BENCH_REDUCTIONS, "library", LIBRARY_CALL(double, sum), library_vector},
};
#define REDUCTIONS (int)(sizeof reductions / sizeof *reductions)

static void run(const struct reduction *r, const char *target)
{
    const bool vector = r->of == BENCH_REDUCTIONS;
    const char *const what = vector ? "vector sum" : bench_reduction_name(r->of);
    const double budget = bench_agree_budget(bench_plan_next("%s %s %s", what, r->algorithm, target));
    const bool right = vector ? check_vector(r->body) : check_word(r->of, r->body);
    struct bench_params p = bench_job_params();
    enum bench_stop stop;

    stop = bench_measure_together(r->body, NULL, budget, BENCH_PE0, &samples, NULL);
    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_text(&p, "algorithm", r->algorithm);
    bench_param_text(&p, "call", r->call);
    bench_param_text(&p, "target", target);
    if (vector)
        bench_param_integer(&p, "elements", ELEMENTS);
    else
        bench_param_text(&p, "operation", what);
    bench_emit(vector ? "global vector sum" : "one-word global reduction", &p, "time", "ms", &samples, right,
               bench_stop_name(stop));
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {"reduce", "global reductions of a word and of a vector", NULL, 1, 12,
                                                 4};
    struct bench_target targets[2];
    int n;

    bench_job_start(argc, argv, &program);
    if (bench_job.npes > MAX_PES)
        bench_job_fatal("reduce: at most %d PEs", MAX_PES);
#if !BENCH_SHMEM(1, 5)
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < SHMEM_REDUCE_SYNC_SIZE; i++)
            sync_words[k][i] = SHMEM_SYNC_VALUE;
#endif
    n = bench_job_targets(&global_area, sizeof global_area, targets);
    bench_plan_begin(n * REDUCTIONS, bench_options.max_seconds);
    for (int t = 0; t < n; t++) {
        area = (struct area *)targets[t].base;
        memset(area->came, 0, sizeof area->came);
        round_number = 0;
        shmem_barrier_all();
        for (int i = 0; i < REDUCTIONS; i++)
            run(&reductions[i], targets[t].name);
    }
    return bench_job_finish();
}
