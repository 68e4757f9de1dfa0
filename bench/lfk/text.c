/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows and summary in the layout of the test's own output, so that they can be laid beside the paper's.
 */
#include "lfk.h"

void lfk_print_head(FILE *f, const char *options)
{
    fprintf(f, "\n %s\n\n", options);
    fprintf(f, " KERNEL FLOPS  MICROSEC  MFLOP/SEC SPAN WEIGHT  CHECK-SUMS            PRECIS\n");
    fprintf(f, " ------ -----  --------  --------- ---- ------  ---------------------- -----\n");
}

void lfk_print_row(FILE *f, const struct lfk_row *r)
{
    fprintf(f, " %2d %9.3E %9.3E %10.3f %4d %6.2f %23.16E %5.2f\n", r->kernel, r->flops, r->time_us, r->rate,
            r->run->span, (double)r->run->weight, r->checksum, r->precision);
}

void lfk_print_summary(FILE *f, const struct lfk_summary *s)
{
    const struct {
        const char *name;
        double value;
    } line[] = {{"Maximum   Rate", s->max},       {"Quartile  Q3  ", s->q3},     {"Average   Rate", s->mean},
                {"GEOMETRIC MEAN", s->geometric}, {"Median    Q2  ", s->median}, {"Harmonic  Mean", s->harmonic},
                {"Quartile  Q1  ", s->q1},        {"Minimum   Rate", s->min}};

    fputc('\n', f);
    for (size_t i = 0; i < sizeof line / sizeof *line; i++)
        fprintf(f, "         %s = %11.4f Mega-Flops/Sec.\n", line[i].name, line[i].value);
}
