/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The Livermore kernels: 24 loops over three spans each, by every compiler and set of options that the build made a
 * copy for. A sample is one run as the test defines it, fresh data and then so many repetitions, and its checksum is
 * looked at.
 */
#include "lfk.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define SAMPLES (LFK_KERNELS * LFK_SPANS)
#define OPTIONS_OF_HANDS "O3 -march=native" /* the copy whose options the hand-made kernels were compiled with, too */
#define BESIDE_HANDS                                                                                 \
    "hand-optimised kernels (3, 13, 14, perhaps 24); base options not restated, presumably f90 -dp " \
    "-O3,unroll2,pipeline2 -lmfastv"

static bool text, check_only;
static const char *only = "";
static const struct bench_option own_options[] = {
    {"text", BENCH_FLAG, &text,
     "the kernels and their statistics as the test prints them, instead of records without --out"},
    {"check", BENCH_FLAG, &check_only, "one run of each, for the checksums only"},
    {"only", BENCH_TEXT, &only, "compilers and options with this in their name, as in \"gfortran -O2\""},
    {NULL, BENCH_FLAG, NULL, NULL},
};

static bool failed;
static struct lfk fresh, memory;

/* ---- one kernel over one span ---- */

struct sample {
    lfk_kernel *run;
    const struct lfk_run *facts;
    int kernel;
    bool ran;
    double checksum, precision; /* the worst of all runs */
};

static void nothing(struct lfk *m, double *flat, int n)
{
    bench_use(m->k2 + n);
    (void)flat;
}

static void repeat(void *arg, long reps)
{
    struct sample *s = arg;

    for (long i = 0; i < reps; i++) {
        if (i > 0)
            memory = fresh;
        for (int l = s->facts->loop; l > 0; l--)
            s->run(&memory, (double *)&memory, s->facts->span);
    }
    s->ran = true;
}

/* Kernel 4's checksum says nothing, so its results are compared one by one. */
static double digits(const struct sample *s)
{
    double worst = lfk_precision(s->checksum, s->facts->checksum), expected[3];

    if (s->kernel != 4)
        return worst;
    lfk_expect_four(&fresh, s->facts, expected);
    for (int i = 0; i < 3; i++)
        worst = fmin(worst, lfk_precision(memory.x[5 + 497 * i], expected[i]));
    return worst;
}

static void look(struct sample *s)
{
    double d;

    if (!s->ran)
        return;
    s->checksum = lfk_checksum(s->kernel, s->facts, &memory);
    d = digits(s);
    s->precision = d < s->precision ? d : s->precision;
    s->ran = false;
}

static void prepare(void *arg)
{
    look(arg);
    memory = fresh;
}

/* What calling a kernel costs, ns: the test takes it off the times, too. */
static double call_cost(void)
{
    static double cost = -1;
    static struct bench_series times;
    const struct lfk_run many = {.span = 1, .loop = 10000};
    struct sample s = {.run = nothing, .facts = &many, .kernel = 1};

    if (cost < 0) {
        bench_measure(repeat, NULL, &s, 2e7, &times);
        cost = bench_stats(&times).min / many.loop;
    }
    return cost;
}

static void measure(struct lfk_row *row, lfk_kernel *run, double budget)
{
    struct sample s = {.run = run, .facts = row->run, .kernel = row->kernel, .precision = LFK_EXACT};
    double overhead;

    lfk_data(&fresh, row->kernel, row->run->span);
    if (check_only) {
        prepare(&s);
        repeat(&s, 1);
    } else
        row->stop = bench_measure(repeat, prepare, &s, budget, &row->times);
    look(&s);
    row->flops = lfk_flops(row->kernel, row->run, &memory);
    row->checksum = s.checksum;
    row->precision = s.precision;
    if (check_only)
        return;
    overhead = call_cost() * row->run->loop;
    for (size_t i = 0; i < row->times.n; i++)
        row->times.v[i] = fmax(row->times.v[i] - overhead, 0.1 * row->times.v[i]) * 1e-3;
    row->time_us = bench_stats(&row->times).median;
    row->rate = row->flops / row->time_us;
}

/* ---- records ---- */

static void emit_to(const char *test, const struct bench_params *p, const char *metric, const char *unit, double value,
                    bool right, bool exact)
{
    static struct bench_series alone;

    alone.n = 1;
    alone.v[0] = value;
    bench_report_write(&(struct bench_record){.test = test,
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = &alone,
                                              .has_value = true,
                                              .exact = exact,
                                              .value = value,
                                              .verified = right});
}

static void emit(const struct bench_params *p, const char *metric, const char *unit, double value, bool right)
{
    emit_to("LFK", p, metric, unit, value, right, false);
}

/*
 * With a variant, the row is one of a pair, compiler's and hand-made of the same options: then all that the paper shows
 * of such a pair.
 */
static void emit_row(const struct lfk_row *r, const char *variant, const char *options, const char *language,
                     const char *how)
{
    static struct bench_series rates;
    const bool right = r->precision >= LFK_DIGITS;
    struct bench_params p = {0};

    bench_param_integer(&p, "kernel", r->kernel);
    bench_param_integer(&p, "span", r->run->span);
    bench_param_integer(&p, "weight", r->run->weight);
    if (variant)
        bench_param_text(&p, "variant", variant);
    bench_param_text(&p, "options", options);
    bench_param_text(&p, "language", language);
    if (how)
        bench_param_text(&p, "by", how);
    bench_series_invert(&rates, &r->times, r->flops);
    bench_report_write(&(struct bench_record){.test = "LFK",
                                              .metric = "rate",
                                              .unit = "Mflop/s",
                                              .params = &p,
                                              .series = &rates,
                                              .verified = right,
                                              .stop = bench_stop_name(r->stop)});
    if (!variant)
        return;
    bench_report_write(&(struct bench_record){.test = "LFK",
                                              .metric = "time",
                                              .unit = "us",
                                              .params = &p,
                                              .series = &r->times,
                                              .verified = right,
                                              .stop = bench_stop_name(r->stop)});
    emit(&p, "flops", "flop", r->flops, right);
    emit_to("LFK", &p, "checksum", "1", r->checksum, right, true);
    emit(&p, "precision", "decimal digits", r->precision, right);
}

static void emit_summary(const struct lfk_summary *s, const char *options, const char *language, const char *beside,
                         bool right, double worst)
{
    struct bench_params p = {0};

    bench_param_text(&p, "options", options);
    bench_param_integer(&p, "samples", SAMPLES);
    bench_param_text(&p, "language", language);
    if (beside)
        bench_param_text(&p, "beside", beside);
    emit(&p, "max", "Mflop/s", s->max, right);
    emit(&p, "quartile_q3", "Mflop/s", s->q3, right);
    emit(&p, "arithmetic_mean", "Mflop/s", s->mean, right);
    emit(&p, "geometric_mean", "Mflop/s", s->geometric, right);
    emit(&p, "median_q2", "Mflop/s", s->median, right);
    emit(&p, "harmonic_mean", "Mflop/s", s->harmonic, right);
    emit(&p, "quartile_q1", "Mflop/s", s->q1, right);
    emit(&p, "min", "Mflop/s", s->min, right);
    emit(&p, "precision_min", "decimal digits", worst, right);
}

/* ---- a copy of all kernels, and the hand-made ones ---- */

/* Each of the 72 checksums, whoever computed it; a short run has only how many digits of the worst were right. */
static void emit_checksum(const struct lfk_row *r, const char *options, const char *language)
{
    const bool right = r->precision >= LFK_DIGITS;
    struct bench_params p = {0};

    if (bench_options.quick)
        return;
    bench_param_integer(&p, "kernel", r->kernel);
    bench_param_integer(&p, "span", r->run->span);
    bench_param_integer(&p, "weight", r->run->weight); /* some kernels' long and medium spans are the same */
    bench_param_text(&p, "options", options);
    bench_param_text(&p, "language", language);
    emit_to("LFK checksums", &p, "checksum", "1", r->checksum, right, true);
    emit_to("LFK checksums", &p, "expected", "1", r->run->checksum, right, true);
    emit_to("LFK checksums", &p, "precision", "decimal digits", r->precision, right, false);
}

/* By kernel, and within each long, medium, short; the second as the first, with the hand-made kernels in their places.
 */
static struct lfk_row rows[SAMPLES], hand_rows[SAMPLES];

static void judge(const struct lfk_row *r, const char *options)
{
    if (r->precision >= LFK_DIGITS)
        return;
    failed = true;
    fprintf(stderr, "lfk: %s: kernel %d, span %d: checksum %.16e, should be %.16e\n", options, r->kernel, r->run->span,
            r->checksum, r->run->checksum);
}

static void summarize(const struct lfk_row *all, const char *options, const char *language, const char *beside)
{
    struct lfk_sample samples[SAMPLES];
    struct lfk_summary summary;
    double worst = LFK_EXACT;

    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = (struct lfk_sample){all[i].rate, all[i].run->weight};
        worst = fmin(worst, all[i].precision);
    }
    summary = lfk_summary(samples);
    if (text)
        lfk_print_summary(stdout, &summary);
    emit_summary(&summary, options, language, beside, worst >= LFK_DIGITS, worst);
}

static const struct lfk_hand *hand_for(const struct lfk_variant *v, int kernel)
{
    if (strcmp(v->language, "C") != 0 || !strstr(v->name, OPTIONS_OF_HANDS))
        return NULL;
    for (int h = 0; h < lfk_hand_count; h++)
        if (lfk_hands[h].kernel == kernel)
            return &lfk_hands[h];
    return NULL;
}

/* The hand-made kernel right after the compiler's, so that both meet the same machine. */
static void run_row(const struct lfk_variant *v, int i)
{
    const int kernel = i / LFK_SPANS + 1;
    const struct lfk_hand *const hand = hand_for(v, kernel);
    struct lfk_row *const r = &rows[i], *const by_hand = &hand_rows[i];

    r->kernel = kernel;
    r->run = &lfk_facts[kernel - 1].run[i % LFK_SPANS];
    measure(r, v->kernels[kernel - 1], bench_plan_next("%s, kernel %d", v->name, kernel));
    judge(r, v->name);
    if (text)
        lfk_print_row(stdout, r);
    *by_hand = *r;
    if (hand) {
        measure(by_hand, hand->run, bench_plan_next("%s, kernel %d by hand", v->name, kernel));
        judge(by_hand, hand->name);
    }
    if (check_only)
        return;
    emit_row(r, hand ? "compiler only" : NULL, v->name, v->language, NULL);
    emit_checksum(r, v->name, v->language);
    if (hand)
        emit_row(by_hand, hand->name, v->name, v->language, hand->how);
}

static void run_variant(const struct lfk_variant *v)
{
    static char options[128];

    if (text)
        lfk_print_head(stdout, v->name);
    for (int i = 0; i < SAMPLES; i++)
        run_row(v, i);
    if (!check_only)
        summarize(rows, v->name, v->language, v->beside);
    if (!hand_for(v, lfk_hands[0].kernel))
        return;
    snprintf(options, sizeof options, "%s, kernels 3, 13, 14 and 24 by hand", v->name);
    if (text)
        lfk_print_head(stdout, options);
    for (int i = 0; text && i < SAMPLES; i++)
        if (hand_for(v, i / LFK_SPANS + 1))
            lfk_print_row(stdout, &hand_rows[i]);
    if (!check_only)
        summarize(hand_rows, options, v->language, BESIDE_HANDS);
}

static int usage(const char *why)
{
    fprintf(stderr, "lfk: %s\n", why);
    return 2;
}

/* Cases, not copies. */
static int chosen(void)
{
    int n = 0;

    for (int i = 0; i < lfk_variant_count; i++)
        if (strstr(lfk_variants[i].name, only))
            n += SAMPLES + (hand_for(&lfk_variants[i], lfk_hands[0].kernel) ? lfk_hand_count * LFK_SPANS : 0);
    return n;
}

int main(int argc, char **argv)
{
    static const char *const implementation = LFK_COMPILER;
    char why[128];

    if (bench_options_parse(argc, argv, own_options, why, sizeof why))
        return usage(why);
    if (bench_options.help) {
        bench_options_help(stdout, "lfk", "the 24 Livermore kernels over three spans, by compiler and options",
                           own_options);
        return 0;
    }
    if (chosen() == 0) {
        fprintf(stderr, "lfk: --only '%s': no compiler and options have that in their name; there are:\n", only);
        for (int i = 0; i < lfk_variant_count; i++)
            fprintf(stderr, "  %s\n", lfk_variants[i].name);
        return 2;
    }
    if (!lfk_variants_agree())
        return usage("C and Fortran disagree about the data's layout");
    if (!check_only && (bench_options.out || !text) &&
        bench_report_open(bench_options.out, "compiler", implementation)) {
        fprintf(stderr, "lfk: %s: %s\n", bench_options.out, strerror(errno));
        return 2;
    }
    bench_env_write(&(struct bench_env){.library = "compiler", .implementation = implementation, .npes = 1});
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? 25 : 120;
    bench_plan_begin(chosen(), bench_options.max_seconds);
    for (int i = 0; i < lfk_variant_count; i++)
        if (strstr(lfk_variants[i].name, only))
            run_variant(&lfk_variants[i]);
    bench_plan_end();
    bench_env_write_end(NULL);
    if (bench_report_close())
        return usage("the records could not be written");
    return failed ? 1 : 0;
}
