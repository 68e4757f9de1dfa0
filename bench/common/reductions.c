/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Words, vectors and the order of messages of reductions.h.
 */
#include "reductions.h"

static const char *const names[BENCH_REDUCTIONS] = {"GSUM", "GMAX", "GLAND"};

const char *bench_reduction_name(enum bench_reduction r)
{
    return names[r];
}

long bench_reduction_word(enum bench_reduction r, int round, int me, int n)
{
    if (r == BENCH_GSUM)
        return 1000 + me;
    if (r == BENCH_GMAX)
        return me == n / 2 ? 77 : me % 7;
    return round == 0 || me != n - 1;
}

long bench_reduction_due(enum bench_reduction r, int round, int n)
{
    if (r == BENCH_GSUM)
        return 1000l * n + (long)n * (n - 1) / 2;
    return r == BENCH_GMAX ? 77 : round == 0;
}

long bench_reduction_of(enum bench_reduction r, const volatile long *words, int n)
{
    long sum = 0, most = words[0], all = 1;

    for (int i = 0; i < n; i++) {
        const long word = words[i];

        sum += word;
        most = word > most ? word : most;
        all = all && word;
    }
    return r == BENCH_GSUM ? sum : r == BENCH_GMAX ? most : all;
}

void bench_vector_fill(double *vector, int me)
{
    for (long i = 0; i < BENCH_VECTOR; i++)
        vector[i] = (double)((me + 1) * (i % 1000 + 1));
}

bool bench_vector_check(const double *sum, int n)
{
    const double all = n * (n + 1.0) / 2;

    for (long i = 0; i < BENCH_VECTOR; i++)
        if (sum[i] != all * (double)(i % 1000 + 1))
            return false;
    return true;
}

void bench_vector_add(double *sum, const double *in)
{
    for (long i = 0; i < BENCH_VECTOR; i++)
        sum[i] += in[i];
}

static int log2_of(int n)
{
    int stages = 0;

    while (2 << stages <= n)
        stages++;
    return stages;
}

int bench_doubling_stages(int n)
{
    return log2_of(n) + 2;
}

/* Processes beyond the largest power of two give theirs to a partner at first and get the result from it. */
void bench_doubling(const struct bench_doubling *d, int me, int n)
{
    const int stages = log2_of(n), power = 1 << stages;

    if (me >= power) {
        d->send(stages, me - power);
        d->take(stages + 1, me - power);
        return;
    }
    if (me + power < n)
        d->add(stages, me + power);
    for (int stage = 0; stage < stages; stage++) {
        d->send(stage, me ^ 1 << stage);
        d->add(stage, me ^ 1 << stage);
    }
    if (me + power < n)
        d->send(stages + 1, me + power);
}
