/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Divides the program's time over its cases: each gets an equal share of what is left, so what one case
 * saves by reaching its precision early is spent on the later ones. Also says how far the run is.
 */
#include "bench.h"

#include <stdarg.h>

#define FLOOR_NS 1e6

static struct {
    int cases, done;
    int64_t deadline;
} plan;

void bench_plan_begin(int cases, double seconds)
{
    plan.cases = cases;
    plan.done = 0;
    plan.deadline = bench_now() + (int64_t)(seconds * 1e9);
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
