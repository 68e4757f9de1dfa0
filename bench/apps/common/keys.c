/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys of the sorts and their check. Order across processes is seen from every one's first and last key; that the
 * result is a permutation from the number, sum and a sum of hashes of all keys.
 */
#include "keys.h"

#include <stdlib.h>

static long count;
struct keys keys;

const struct bench_option keys_options[] = {
    {"keys", BENCH_LONG, &count, "keys of each process (default 1048576, with --quick 65536)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

/* What one process knows of its keys, before or after. */
struct summary {
    uint64_t n, sum, hashes;
    uint32_t first, last;
    uint32_t ordered;
};

static struct summary before;

static struct summary summarise(const uint32_t *k, long n)
{
    struct summary s = {.n = (uint64_t)n, .ordered = 1};

    for (long i = 0; i < n; i++) {
        s.sum += k[i];
        s.hashes += app_mix(k[i]);
        s.ordered &= i == 0 || k[i - 1] <= k[i];
    }
    s.first = n ? k[0] : 0;
    s.last = n ? k[n - 1] : 0;
    return s;
}

const char *keys_setup(void)
{
    if (count == 0)
        count = bench_options.quick ? 1L << 16 : 1L << 20;
    if (count < 1 || count > 1L << 28)
        return "--keys: from 1 to 268435456";
    keys.n = count;
    keys.in = app_alloc(sizeof *keys.in * (size_t)count);
    for (long i = 0; i < count; i++)
        keys.in[i] = (uint32_t)(app_mix((uint64_t)(app_job.me * count + i)) >> 32);
    before = summarise(keys.in, count);
    return NULL;
}

static void prepare(void)
{
    keys.out = NULL;
    keys.nout = 0;
}

/* On process 0, of all processes' keys in the order of processes. */
static bool sorted_and_same(const struct summary *was, const struct summary *is)
{
    struct summary a = {0}, b = {0};
    uint32_t last = 0;

    for (int pe = 0; pe < app_job.npes; pe++) {
        a.n += was[pe].n;
        a.sum += was[pe].sum;
        a.hashes += was[pe].hashes;
        b.n += is[pe].n;
        b.sum += is[pe].sum;
        b.hashes += is[pe].hashes;
        if (!is[pe].ordered || (is[pe].n && is[pe].first < last))
            return false;
        last = is[pe].n ? is[pe].last : last;
    }
    return a.n == b.n && a.sum == b.sum && a.hashes == b.hashes;
}

static bool check(void)
{
    const struct summary after = summarise(keys.out, keys.out ? keys.nout : 0);
    struct summary *all = app_alloc(2 * sizeof *all * (size_t)app_job.npes);
    bool right = true;

    app_gather(&before, sizeof before, all);
    app_gather(&after, sizeof after, all + app_job.npes);
    if (app_job.me == 0)
        right = sorted_and_same(all, all + app_job.npes);
    free(all);
    return right;
}

static double work(void)
{
    return (double)keys.n * app_job.npes;
}

static void params(struct bench_params *p)
{
    bench_param_integer(p, "keys_per_pe", keys.n);
}

const struct app_problem keys_sample_problem = {"sample sort", params, prepare, check, work, "Mkeys/s"};
const struct app_problem keys_radix_problem = {"radix sort", params, prepare, check, work, "Mkeys/s"};
