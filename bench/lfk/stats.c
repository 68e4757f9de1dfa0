/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The test's summary of 72 rates: each span has a weight, and quartiles are interpolated over the weights.
 */
#include "lfk.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLES (LFK_KERNELS * LFK_SPANS)

static int ascending(const void *a, const void *b)
{
    const struct lfk_sample *x = a, *y = b;

    return (x->rate > y->rate) - (x->rate < y->rate);
}

/* The rate below which the share `tile` of all weight lies: between the first that passes it and the one before. */
static double at_tile(const struct lfk_sample *sorted, double total, double tile)
{
    const double wanted = tile * total;
    double before = 0, upto = sorted[0].weight;
    int k = 0;

    while (k < SAMPLES - 1 && upto <= wanted) {
        before = upto;
        upto += sorted[++k].weight;
    }
    if (k == 0)
        return sorted[0].rate;
    return sorted[k - 1].rate + (wanted - before) / (upto - before) * (sorted[k].rate - sorted[k - 1].rate);
}

struct lfk_summary lfk_summary(const struct lfk_sample samples[SAMPLES])
{
    struct lfk_sample sorted[SAMPLES];
    double total = 0, sum = 0, inverse = 0, logs = 0;

    memcpy(sorted, samples, sizeof sorted);
    qsort(sorted, SAMPLES, sizeof *sorted, ascending);
    for (int i = 0; i < SAMPLES; i++) {
        total += sorted[i].weight;
        sum += sorted[i].weight * sorted[i].rate;
        inverse += sorted[i].weight / sorted[i].rate;
        logs += sorted[i].weight * log10(sorted[i].rate);
    }
    return (struct lfk_summary){
        .max = sorted[SAMPLES - 1].rate,
        .q3 = at_tile(sorted, total, 0.75),
        .mean = sum / total,
        .geometric = pow(10, logs / total),
        .median = at_tile(sorted, total, 0.5),
        .harmonic = total / inverse,
        .q1 = at_tile(sorted, total, 0.25),
        .min = sorted[0].rate,
    };
}
