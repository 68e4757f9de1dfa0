/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Where a process runs and what others took from it: at the start, at the end, and in between by the kernel's own count
 * of how long it waited for a CPU that it wanted and of what the hypervisor gave to other machines.
 */
#define _GNU_SOURCE 1
#include "bench.h"

#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define PROBE_NS 20000000

static struct {
    int64_t when;
    double waited_ns, children_ns, stolen_ns;
    long involuntary, voluntary;
    bool allowed[CPU_SETSIZE]; /* kept: some programs bind themselves later */
} begin;

/* Appends "first-last" of neighbours, as the kernel writes lists; what doesn't fit is left out with a sign. */
static size_t append_range(char *text, size_t size, size_t at, int first, int last)
{
    char one[32];
    const int n = snprintf(one, sizeof one, first == last ? "%s%d" : "%s%d-%d", at ? "," : "", first, last);

    if (at + (size_t)n + 2 < size)
        return at + (size_t)snprintf(text + at, size - at, "%s", one);
    if (at > 0 && text[at - 1] != '+')
        at += (size_t)snprintf(text + at, size - at, "+");
    return at;
}

void bench_cpu_list(const bool *has, int n, char *text, size_t size)
{
    size_t at = 0;

    text[0] = '\0';
    for (int i = 0; i < n; i++) {
        int last = i;

        if (!has[i])
            continue;
        while (last + 1 < n && has[last + 1])
            last++;
        at = append_range(text, size, at, i, last);
        i = last;
    }
}

/* Marks the CPUs that this process may use. */
static void allowed(bool has[CPU_SETSIZE])
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set))
        CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        has[i] = CPU_ISSET(i, &set);
}

/* What the first thread waited for a CPU while it could have run; NAN where the kernel doesn't count it. */
static double waited_ns(void)
{
    FILE *f = fopen("/proc/self/schedstat", "r");
    unsigned long long waited, turns;

    if (!f)
        return NAN;
    if (fscanf(f, "%*u %llu %llu", &waited, &turns) != 2)
        turns = 0;
    fclose(f);
    return turns > 0 ? (double)waited : NAN;
}

/* Used by children that have ended: a wait for these is the program's own doing. */
static double children_ns(void)
{
    struct rusage r;

    getrusage(RUSAGE_CHILDREN, &r);
    return 1e9 * (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) +
           1e3 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

/* Of an average CPU that this process might use at the start. */
static double stolen_ns(void)
{
    FILE *f = fopen("/proc/stat", "r");
    double ticks = 0;
    int cpus = 0;
    char line[512];

    while (f && fgets(line, sizeof line, f)) {
        unsigned long long steal;
        int cpu;

        if (sscanf(line, "cpu%d %*u %*u %*u %*u %*u %*u %*u %llu", &cpu, &steal) == 2 && cpu >= 0 &&
            cpu < CPU_SETSIZE && begin.allowed[cpu]) {
            ticks += (double)steal;
            cpus++;
        }
    }
    if (f)
        fclose(f);
    return cpus ? 1e9 * ticks / cpus / (double)sysconf(_SC_CLK_TCK) : 0;
}

void bench_place_look(struct bench_place *p, bool crowded)
{
    struct rusage r;

    memset(p, 0, sizeof *p);
    p->process = bench_process();
    p->cpu = sched_getcpu();
    allowed(begin.allowed);
    bench_cpu_list(begin.allowed, CPU_SETSIZE, p->allowed, sizeof p->allowed);
    p->detour = crowded ? NAN : bench_detour_percent(PROBE_NS);
    getrusage(RUSAGE_SELF, &r);
    begin.involuntary = r.ru_nivcsw;
    begin.voluntary = r.ru_nvcsw;
    begin.when = bench_now();
    begin.waited_ns = waited_ns();
    begin.children_ns = children_ns();
    begin.stolen_ns = stolen_ns();
}

void bench_toll_look(struct bench_toll *t, bool crowded)
{
    const double wall = (double)(bench_now() - begin.when) + 1;
    const double waited = waited_ns() - begin.waited_ns, children = children_ns() - begin.children_ns;
    struct rusage r;

    getrusage(RUSAGE_SELF, &r);
    t->involuntary = r.ru_nivcsw - begin.involuntary;
    t->voluntary = r.ru_nvcsw - begin.voluntary;
    t->seconds = wall / 1e9;
    t->waited = 100 * (waited < children ? 0 : waited - children) / wall; /* NAN stays NAN */
    t->stolen = 100 * (stolen_ns() - begin.stolen_ns) / wall;
    t->detour = crowded ? NAN : bench_detour_percent(PROBE_NS);
}
