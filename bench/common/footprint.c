/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of this process by the kernel's own account: proportional shares, which may be added up, and page tables.
 */
#include "footprint.h"

/* The value of a line "key:   123 kB", bytes; below 0 where there is none. */
static double bytes_of(const char *path, const char *format)
{
    FILE *const f = fopen(path, "r");
    char line[256];
    long kb = -1;

    while (f && kb < 0 && fgets(line, sizeof line, f))
        if (sscanf(line, format, &kb) != 1)
            kb = -1;
    if (f)
        fclose(f);
    return 1024.0 * (double)kb;
}

bool bench_footprint_look(struct bench_footprint *f)
{
    f->memory = bytes_of("/proc/self/smaps_rollup", "Pss: %ld kB");
    f->page_tables = bytes_of("/proc/self/status", "VmPTE: %ld kB");
    return f->memory > 0 && f->page_tables >= 0;
}

void bench_footprint_firsts(const double *processes, int npes, long *first)
{
    for (int pe = 0; pe < npes; pe++) {
        int before = pe;

        while (before > 0 && processes[before - 1] != processes[pe])
            before--;
        first[pe] = before == 0;
    }
}

void bench_footprint_write(const struct bench_params *p, int npes, const struct bench_footprint *sum, bool verified)
{
    bench_report_value("footprint", p, "memory", "bytes", sum->memory / npes, verified);
    bench_report_value("footprint", p, "page_tables", "bytes", sum->page_tables / npes, verified);
}
