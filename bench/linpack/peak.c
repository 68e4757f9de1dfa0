/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a core can do at most: multiplications and additions in registers, as wide as the processor has them. Measured,
 * as no interface tells at which clock it does them.
 */
#include "../npb/common/clones.h"
#include "peak.h"

#include "../common/job.h"

#define CHAINS 12 /* additions under way at the same time */
#define LANES 8

typedef double wide __attribute__((vector_size(LANES * sizeof(double))));

struct work {
    double factor, term; /* not known when compiling */
    double result;
};

NPB_CLONES
static void multiply_add(struct work *w, long steps)
{
    const wide factor = w->factor - (wide){0}, term = w->term - (wide){0};
    wide v[CHAINS];
    double sum = 0;

    for (int c = 0; c < CHAINS; c++)
        v[c] = term * (double)c;
    for (long s = 0; s < steps; s++) {
        NPB_UNROLL
        for (int c = 0; c < CHAINS; c++)
            v[c] = v[c] * factor + term;
    }
    for (int c = 0; c < CHAINS; c++)
        for (int i = 0; i < LANES; i++)
            sum += v[c][i];
    w->result = sum;
}

#define STEPS 2000l

static void body(void *arg, long reps)
{
    for (long i = 0; i < reps; i++)
        multiply_add(arg, STEPS);
}

double peak_gflops(double budget_ns)
{
    static struct bench_series times;
    struct work w = {.factor = 0.5, .term = 1};

    bench_measure_together(body, &w, budget_ns, BENCH_LONGEST, &times, NULL);
    return 2.0 * CHAINS * LANES * STEPS * bench_job.npes / bench_stats(&times).min;
}
