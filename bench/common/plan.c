/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides the program's time over its cases: each gets an equal share of what is left, so what one case
 * saves by reaching its precision early is spent on the later ones. Also says how far the run is.
 */
#include "bench.h"

#include <stdarg.h>

#define FLOOR_NS 1e6
#define OVERRUN 3 /* times the program's time, beyond which no number of samples is insisted on */

static struct {
    int cases, done;
    int64_t deadline, far_beyond;
    size_t insist;
} plan;

void bench_plan_begin(int cases, double seconds)
{
    plan.cases = cases;
    plan.done = 0;
    plan.deadline = bench_now() + (int64_t)(seconds * 1e9);
    plan.far_beyond = plan.deadline + (int64_t)((OVERRUN - 1) * seconds * 1e9);
    plan.insist = 0;
}

double bench_plan_next(const char *format, ...)
{
    const int left = plan.cases > plan.done ? plan.cases - plan.done : 1;
    const double share = (double)(plan.deadline - bench_now()) / left;

    if (bench_options.progress) {
        va_list ap;

        fprintf(stderr, "progress %d/%d ", plan.done, plan.cases);
        va_start(ap, format);
        vfprintf(stderr, format, ap);
        va_end(ap);
        fputc('\n', stderr);
    }
    plan.done++;
    return share > FLOOR_NS ? share : FLOOR_NS;
}

void bench_plan_end(void)
{
    if (bench_options.progress)
        fprintf(stderr, "progress %d/%d done\n", plan.cases, plan.cases);
}

void bench_plan_insist(size_t samples)
{
    plan.insist = samples;
}

size_t bench_plan_insists(void)
{
    return bench_now() < plan.far_beyond ? plan.insist : 0;
}

size_t bench_next_size(size_t bytes, size_t most)
{
    const size_t next = bytes * (bench_options.quick ? 8 : 2);

    if (bytes >= most)
        return 0;
    return next < most ? next : most;
}
