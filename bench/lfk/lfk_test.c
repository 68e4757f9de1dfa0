/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rules of the Livermore kernels' program against what is known: the generator's first numbers, flops that the
 * paper prints, digits of checksums, statistics of samples whose summary can be worked out by hand.
 */
#include "lfk.h"

static int failures;

static void expect(const char *what, double got, double wanted, double error)
{
    if (fabs(got - wanted) <= error * fabs(wanted))
        return;
    failures++;
    printf("%s: %.17g instead of %.17g\n", what, got, wanted);
}

static struct lfk memory;

static void generator(void)
{
    static const double first[] = {0.06250012228763233, 0.06252654800156454, 0.06252370683437544, 0.06250265025736496,
                                   0.06255492430526045};
    static const int places[] = {3, 674, 435, 415, 389, 54, 44, 790, 900, 282};

    lfk_data(&memory, 1, 27);
    for (int i = 0; i < 5; i++)
        expect("data", memory.u[i], first[i], 0);
    lfk_data(&memory, 14, 27);
    for (int i = 0; i < 10; i++)
        expect("places", memory.grd[i], places[i], 0);
    lfk_data(&memory, 13, 8);
    expect("the ramp's second coordinate", memory.p[0][1], 1 + 512 * 0.5, 0);
}

/* Four digits of the rows in the paper. */
static void flops(void)
{
    static const struct {
        int kernel, span;
        double flops;
    } rows[] = {{3, 2, 1.598e6},  {3, 1, 2.141e6},  {3, 0, 1.802e6},  {13, 2, 1.389e6}, {13, 1, 1.837e6},
                {13, 0, 1.613e6}, {14, 2, 1.901e6}, {14, 1, 2.222e6}, {14, 0, 2.202e6}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        expect("flops", lfk_flops(rows[i].kernel, &lfk_facts[rows[i].kernel - 1].run[rows[i].span], &memory),
               rows[i].flops, 5e-4);
}

static void digits(void)
{
    expect("all digits", lfk_precision(31618.78258448952, 31618.78258448952), LFK_EXACT, 0);
    expect("one unit in the last place of 1", lfk_precision(1 + 0x1p-52, 1), 16.65, 1e-3);
    expect("twelve", lfk_precision(1 + 1e-11, 1), 12, 1e-6);
    expect("another sign", lfk_precision(-1, 1), 0, 0);
    expect("no number", lfk_precision(NAN, 1), 0, 0);
}

static void statistics(void)
{
    struct lfk_sample equal[LFK_KERNELS * LFK_SPANS], weighed[LFK_KERNELS * LFK_SPANS];
    struct lfk_summary s;

    for (int i = 0; i < LFK_KERNELS * LFK_SPANS; i++) {
        const int at = (i * 31) % 72; /* in no order */

        equal[at] = (struct lfk_sample){i + 1, 1};
        weighed[at] = (struct lfk_sample){i + 1, i % 3 == 1 ? 2 : 1};
    }
    s = lfk_summary(equal);
    expect("max", s.max, 72, 0);
    expect("min", s.min, 1, 0);
    expect("mean", s.mean, 36.5, 1e-15);
    expect("q1", s.q1, 18, 1e-15);
    expect("median", s.median, 36, 1e-15);
    expect("q3", s.q3, 54, 1e-15);
    expect("harmonic", s.harmonic, 14.81234562249496, 1e-12);
    expect("geometric", s.geometric, 27.636691705771703, 1e-12);
    s = lfk_summary(weighed);
    expect("weighed mean", s.mean, 36.5, 1e-15);
    expect("weighed q1", s.q1, 18, 1e-15);
    expect("weighed harmonic", s.harmonic, 15.089823374561542, 1e-12);
}

int main(void)
{
    generator();
    flops();
    digits();
    statistics();
    if (!failures)
        printf("generator, flops, digits and statistics are as they should be\n");
    return failures ? 1 : 0;
}
