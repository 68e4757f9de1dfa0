/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The strides of strides.h. A class's rate is the median of its strides' rates.
 */
#include "strides.h"

#define SAME 0.25 /* rates that differ by no more than this share are the same */

static const char test[] = "echo with strides";
static const int some[] = {1, 2, 3, 4, 5, 8, 12, 16, 32};
#define USUAL 32 /* the last stride of the study */
#define LONG_STRIDE 16 /* doubles in a cache line of the Origin */

struct bench_strides_range bench_strides_range = {256l << 10, 1, USUAL};
const struct bench_option bench_strides_options[] = {
    {"message-bytes", BENCH_LONG, &bench_strides_range.bytes, "bytes of a message (262144)"},
    {"first-stride", BENCH_LONG, &bench_strides_range.first, "in doubles (1)"},
    {"last-stride", BENCH_LONG, &bench_strides_range.last, "in doubles (32)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

const char *bench_strides_wrong(void)
{
    const struct bench_strides_range *const r = &bench_strides_range;

    if (r->bytes < (long)sizeof(double) || r->bytes > 1l << 30 || r->bytes % (long)sizeof(double) != 0)
        return "--message-bytes: not so many doubles";
    if (r->first < 1 || r->last < r->first || r->last > 65536 || r->last - r->first >= BENCH_STRIDES)
        return "--first-stride, --last-stride: no such strides, or too many";
    return NULL;
}

static bool usual(void)
{
    return bench_strides_range.first == 1 && bench_strides_range.last == USUAL;
}

int bench_next_stride(int stride)
{
    if (stride < bench_strides_range.first && !(bench_options.quick && usual()))
        return (int)bench_strides_range.first;
    if (!bench_options.quick || !usual())
        return stride < BENCH_STRIDE_MAX ? stride + 1 : 0;
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        if (some[i] > stride)
            return some[i];
    return 0;
}

int bench_strides_count(void)
{
    int n = 0;

    for (int stride = bench_next_stride(0); stride; stride = bench_next_stride(stride))
        n++;
    return n;
}

void bench_strides_add(struct bench_strides *s, int stride, double rate, bool right)
{
    s->right = right && (s->n == 0 || s->right);
    s->stride[s->n] = stride;
    s->rate[s->n++] = rate;
}

/* The highest of 1, 2, 4, 8 that divides it. */
static int class_of(int stride)
{
    const int power = stride & -stride;

    return power < 8 ? power : 8;
}

static void classes(const struct bench_params *base, const struct bench_strides *s)
{
    static const char *const names[] = {
        [1] = "odd", [2] = "multiple of 2", [4] = "multiple of 4", [8] = "multiple of 8"};
    static struct bench_series rates;

    for (int c = 1; c <= 8; c *= 2) {
        struct bench_params p = *base;

        bench_series_clear(&rates);
        for (int i = 0; i < s->n; i++)
            if (s->stride[i] > 1 && class_of(s->stride[i]) == c)
                bench_series_add(&rates, s->rate[i]);
        bench_param_text(&p, "stride", names[c]);
        if (rates.n > 0)
            bench_report_value(test, &p, "bandwidth", "MB/s", bench_stats(&rates).median, s->right);
    }
}

static void long_strides(const struct bench_params *base, const struct bench_strides *s)
{
    struct bench_params p = *base;
    double low = INFINITY, high = 0;

    for (int i = 0; i < s->n; i++)
        if (s->stride[i] >= LONG_STRIDE) {
            low = fmin(low, s->rate[i]);
            high = fmax(high, s->rate[i]);
        }
    bench_param_text(&p, "stride", ">=16");
    bench_report_value(test, &p, "bandwidth_low", "MB/s", low, s->right);
    bench_report_value(test, &p, "bandwidth_high", "MB/s", high, s->right);
}

void bench_strides_report(const struct bench_params *base, const struct bench_strides *s)
{
    const int last = s->n - 1;
    int from = last;

    if (s->n == 0 || !usual())
        return;
    classes(base, s);
    long_strides(base, s);
    bench_report_value(test, base, "ratio_stride1_over_stride32", "x", s->rate[0] / s->rate[last], s->right);
    while (from > 0 && fabs(s->rate[from - 1] - s->rate[last]) <= SAME * s->rate[last])
        from--;
    bench_report_value(test, base, "stride_from_which_bandwidth_constant", "doubles", s->stride[from], s->right);
}

static double element(int who, int round, long i)
{
    return who * 1e7 + round * 1e6 + (double)i;
}

void bench_strides_fill(double *to, int stride, int who, int round)
{
    for (long i = 0; i < BENCH_STRIDE_DOUBLES; i++)
        to[i * stride] = element(who, round, i);
}

bool bench_strides_check(const double *at, int stride, int who, int round)
{
    for (long i = 0; i < BENCH_STRIDE_DOUBLES; i++)
        if (at[i * stride] != element(who, round, i))
            return false;
    return true;
}
