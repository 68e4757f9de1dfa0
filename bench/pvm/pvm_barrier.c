/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of a barrier of all tasks, of a group by name and, in stand-alone programs, of the null group: one by one, and
 * as sequences of ten (ParkBench's SYNCH1, the T3E report's table 5); and when one task comes late, what passes until
 * the last has left.
 */
#include <stdlib.h>

#include "pvmjob.h"

#define SEQUENCE 10
#define SEQUENCES 1000
#define ROUNDS 20
#define LATE_NS 200000 /* how much later than the others one task comes, when the barrier is checked */
#define SKEW_NS 20000  /* and when that is measured */
#define SKEW_SAMPLES 1000

struct moments {
    uint64_t machine;
    int64_t before, after;
};
static struct bench_series samples, rates;
static struct moments *moments;

static void barriers(void *arg, long reps)
{
    for (long i = 0; i < reps; i++)
        pvmjob_must("pvm_barrier", pvm_barrier(arg, pvmjob.size));
}

static void linger(int64_t ns)
{
    for (const int64_t end = bench_now() + ns; bench_now() < end;)
        continue;
}

/* Of the tasks on rank 0's machine, whose clock is the same, none left before all had come. */
static bool in_order(void)
{
    int64_t last_in = INT64_MIN, first_out = INT64_MAX;

    for (int i = 0; i < pvmjob.size; i++) {
        if (moments[i].machine != moments[0].machine)
            continue;
        last_in = moments[i].before > last_in ? moments[i].before : last_in;
        first_out = moments[i].after < first_out ? moments[i].after : first_out;
    }
    return last_in <= first_out;
}

/* One task in turn comes late, so that luck doesn't help. */
static bool check(char *group)
{
    bool right = true;

    for (int round = 0; round < ROUNDS; round++) {
        struct moments mine = {.machine = bench_machine()};

        if (round % pvmjob.size == pvmjob.rank)
            linger(LATE_NS);
        mine.before = bench_now();
        barriers(group, 1);
        mine.after = bench_now();
        pvmjob_gather(&mine, (int)sizeof mine, moments);
        right = right && (pvmjob.rank != 0 || in_order());
    }
    return pvmjob_right(right);
}

static struct bench_params parameters(const char *group)
{
    struct bench_params p = pvmjob_params();

    bench_param_text(&p, "call", "pvm_barrier");
    bench_param_text(&p, "group", group ? "by name" : "null");
    return p;
}

static void rate(char *group, bool right)
{
    const double budget = pvmjob_case("barrier, group %s", group ? group : "null");
    const struct bench_params p = parameters(group);
    const char *stop = bench_stop_name(pvmjob_measure(barriers, group, budget, PVMJOB_RANK0, &samples));

    bench_series_invert(&rates, &samples, 1e3);
    bench_series_scale(&samples, &samples, 1e-3);
    pvmjob_emit("pvm_barrier", &p, "barrier_time", "us", &samples, right, stop);
    pvmjob_emit("pvm_barrier", &p, "barrier_rate", "Mbarrier/s", &rates, right, stop);
}

/* A sample is a sequence of ten; as many as asked for, or as the budget allows. */
static void synch1(char *group, bool right)
{
    const int64_t end = bench_now() + (int64_t)pvmjob_case("SYNCH1, group %s", group ? group : "null");
    struct bench_params p = parameters(group);
    long n = 0;

    bench_series_clear(&samples);
    while (n < SEQUENCES && pvmjob_agree(n == 0 || bench_now() < end)) {
        const long block = n < 10 ? 10 : 99; /* sequences in a row before the budget is looked at */

        barriers(group, SEQUENCE);
        for (long i = 0; i < block; i++) {
            const int64_t t0 = bench_now();

            barriers(group, SEQUENCE);
            bench_series_add(&samples, (double)(bench_now() - t0) / SEQUENCE * 1e-3);
        }
        n += block;
    }
    bench_param_integer(&p, "sequences", n);
    pvmjob_emit("SYNCH1", &p, "barrier_time", "us", &samples, right, NULL);
}

/* Tasks of one machine, who read the same clock. */
static bool one_machine(void)
{
    struct moments mine = {.machine = bench_machine()};
    bool same = true;

    pvmjob_gather(&mine, (int)sizeof mine, moments);
    for (int i = 0; pvmjob.rank == 0 && i < pvmjob.size; i++)
        same = same && moments[i].machine == moments[0].machine;
    return pvmjob_agree(same);
}

/* From the last one's coming to the last one's leaving, us, on rank 0. */
static double release(void)
{
    int64_t in = INT64_MIN, out = INT64_MIN;

    for (int i = 0; i < pvmjob.size; i++) {
        in = moments[i].before > in ? moments[i].before : in;
        out = moments[i].after > out ? moments[i].after : out;
    }
    return (double)(out - in) * 1e-3;
}

/* One task in turn is late. */
static void late(char *group, bool right)
{
    const int64_t end = bench_now() + (int64_t)pvmjob_case("one late, group %s", group ? group : "null");
    struct bench_params p = parameters(group);
    long n = 0;

    bench_series_clear(&samples);
    for (; n < SKEW_SAMPLES && (n < 10 || pvmjob_agree(bench_now() < end)); n++) {
        struct moments mine;

        barriers(group, 1);
        if (n % pvmjob.size == pvmjob.rank)
            linger(SKEW_NS);
        mine.before = bench_now();
        barriers(group, 1);
        mine.after = bench_now();
        pvmjob_gather(&mine, (int)sizeof mine, moments);
        if (pvmjob.rank == 0)
            bench_series_add(&samples, release());
    }
    bench_param_integer(&p, "late_by_us", SKEW_NS / 1000);
    pvmjob_emit("barrier, one late", &p, "release_time", "us", &samples, right, NULL);
}

int main(int argc, char **argv)
{
    static const struct pvmjob_program program = {"pvm_barrier", "time of a barrier of all tasks", 2, 6, 2, NULL};
    bool same_clock;

    pvmjob_start(argc, argv, &program);
    moments = calloc((size_t)pvmjob.size, sizeof *moments);
    if (!moments)
        pvmjob_fatal("out of memory");
    same_clock = pvmjob.size > 1 && one_machine();
    bench_plan_begin(pvmjob.launched ? 6 : 3, bench_options.max_seconds);
    for (int named = 1; named >= !pvmjob.launched; named--) {
        char *const group = named ? pvmjob.group : NULL;
        const bool right = check(group);

        rate(group, right);
        synch1(group, right);
        if (same_clock)
            late(group, right);
    }
    free(moments);
    return pvmjob_finish();
}
