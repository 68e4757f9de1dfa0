/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The environment block: what a reader needs to know before believing a figure. It names the kind of machine,
 * never the machine. Written once at the start, and what changes once more at the end.
 */
#define _GNU_SOURCE 1
#include "bench.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#ifndef BENCH_FLAGS
#define BENCH_FLAGS "unknown"
#endif
/* A build whose programs have flags of their own defines it anew for each. */
__attribute__((weak)) const char bench_flags[] = BENCH_FLAGS;

#ifdef __clang__
#define COMPILER "clang " __VERSION__
#else
#define COMPILER "gcc " __VERSION__
#endif

#define DETOUR_PROBE_NS 20000000

int bench_cores(void)
{
    cpu_set_t set;

    if (sched_getaffinity(0, sizeof set, &set))
        return 1;
    return CPU_COUNT(&set);
}

/* A bound PE sees one CPU; whoever started it usually sees all that the job may use. */
int bench_cores_of_job(void)
{
    const int own = bench_cores();
    cpu_set_t set;

    if (sched_getaffinity(getppid(), sizeof set, &set) || CPU_COUNT(&set) < own)
        return own;
    return CPU_COUNT(&set);
}

/* First line of a file without its end, or "" */
static const char *first_line(const char *path, char *buf, int size)
{
    FILE *f = fopen(path, "r");

    buf[0] = '\0';
    if (!f)
        return buf;
    if (!fgets(buf, size, f))
        buf[0] = '\0';
    fclose(f);
    buf[strcspn(buf, "\n")] = '\0';
    return buf;
}

/* The value behind "key   : value" in a /proc file, or "". */
static const char *proc_value(const char *path, const char *key, char *buf, int size)
{
    FILE *f = fopen(path, "r");
    char line[512];

    buf[0] = '\0';
    while (f && fgets(line, sizeof line, f)) {
        const char *colon = strchr(line, ':');

        if (!colon || strncmp(line, key, strlen(key)) != 0)
            continue;
        snprintf(buf, (size_t)size, "%s", colon + 1 + strspn(colon + 1, " \t"));
        buf[strcspn(buf, "\n")] = '\0';
        break;
    }
    if (f)
        fclose(f);
    return buf;
}

static void write_caches(struct bench_json *j)
{
    bench_json_open(j, "caches", '[');
    for (int i = 0; i < 8; i++) {
        static const char *const parts[] = {"level", "type", "size"};
        char path[128], text[3][64];

        for (int k = 0; k < 3; k++) {
            snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/%s", i, parts[k]);
            first_line(path, text[k], sizeof text[k]);
        }
        if (!text[0][0])
            break;
        bench_json_open(j, NULL, '{');
        for (int k = 0; k < 3; k++)
            bench_json_text(j, parts[k], text[k]);
        bench_json_close(j, '}');
    }
    bench_json_close(j, ']');
}

/* The word in brackets of "always [madvise] never". */
static void write_choice(struct bench_json *j, const char *key, const char *path)
{
    char line[128], *open, *close;

    first_line(path, line, sizeof line);
    open = strchr(line, '[');
    close = open ? strchr(open, ']') : NULL;
    if (close)
        *close = '\0';
    bench_json_text(j, key, close ? open + 1 : "unknown");
}

static void write_load(struct bench_json *j)
{
    double load[3] = {NAN, NAN, NAN};

    if (getloadavg(load, 3) < 1)
        load[0] = NAN;
    bench_json_open(j, "load_average", '[');
    for (int i = 0; i < 3; i++)
        bench_json_number(j, NULL, load[i]);
    bench_json_close(j, ']');
}

static void write_machine(struct bench_json *j)
{
    struct utsname u;
    char buf[256];

    uname(&u);
    bench_json_text(j, "cpu", proc_value("/proc/cpuinfo", "model name", buf, sizeof buf));
    bench_json_text(j, "architecture", u.machine);
    bench_json_integer(j, "cores", bench_cores_of_job());
    write_caches(j);
    bench_json_text(j, "memory", proc_value("/proc/meminfo", "MemTotal", buf, sizeof buf));
    snprintf(buf, sizeof buf, "%s %s", u.sysname, u.release);
    bench_json_text(j, "kernel", buf);
    write_choice(j, "thp", "/sys/kernel/mm/transparent_hugepage/enabled");
    write_choice(j, "thp_shared", "/sys/kernel/mm/transparent_hugepage/shmem_enabled");
    bench_json_text(j, "clocksource",
                    first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource", buf, sizeof buf));
    bench_json_number(j, "timer_cost_ns", bench_timer_cost());
}

/* A program that doesn't know is on one. */
static int machines(const struct bench_env *e)
{
    return e->machines > 1 ? e->machines : 1;
}

static void write_job(struct bench_json *j, const struct bench_env *e)
{
    bench_json_text(j, "library", e->library);
    bench_json_text(j, "implementation", e->implementation);
    if (e->name)
        bench_json_text(j, "library_name", e->name);
    if (e->standard)
        bench_json_text(j, "standard", e->standard);
    bench_json_integer(j, "npes", e->npes);
    bench_json_integer(j, "machines", machines(e));
    if (e->network)
        bench_json_text(j, "network", e->network);
    if (e->cpus) {
        bench_json_open(j, "pe_cpus", '[');
        for (int i = 0; i < e->npes; i++)
            bench_json_integer(j, NULL, e->cpus[i]);
        bench_json_close(j, ']');
    }
    bench_json_bool(j, "oversubscribed", e->npes > machines(e) * bench_cores_of_job());
    bench_json_bool(j, "burner", bench_options.burner);
    bench_json_bool(j, "quick", bench_options.quick);
}

/*
 * Others compete with this run when the CPU is taken away from a PE that has one to itself, or, where PEs share
 * CPUs anyway, when the machine was already busy before.
 */
static void write_contention(struct bench_json *j, const struct bench_env *e)
{
    const double detour = bench_detour_percent(DETOUR_PROBE_NS);
    const int cores = bench_cores_of_job();
    const int here = (e->npes + machines(e) - 1) / machines(e);
    double load = 0;

    if (getloadavg(&load, 1) < 1)
        load = 0;
    bench_json_number(j, "detour_percent", detour);
    bench_json_bool(j, "contended", bench_options.burner || (here > cores ? load > cores : detour > 1));
}

/* Time that the hypervisor gave to other machines since boot, s. */
static double steal_seconds(void)
{
    unsigned long long t[8] = {0};
    FILE *f = fopen("/proc/stat", "r");

    if (!f)
        return NAN;
    if (fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 7) != 8)
        t[7] = 0;
    fclose(f);
    return (double)t[7] / (double)sysconf(_SC_CLK_TCK);
}

static double steal_at_start;

void bench_env_write(const struct bench_env *e)
{
    struct bench_json j = {.f = bench_report_file()};
    const time_t now = time(NULL);
    struct tm utc;
    char date[32];

    if (!j.f)
        return;
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    steal_at_start = steal_seconds();
    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "test", "environment");
    bench_json_open(&j, "env", '{');
    bench_json_text(&j, "date", date);
    write_machine(&j);
    write_load(&j);
    write_job(&j, e);
    write_contention(&j, e);
    bench_json_text(&j, "compiler", COMPILER);
    bench_json_text(&j, "flags", bench_flags);
    bench_json_close(&j, '}');
    bench_json_close(&j, '}');
    fputc('\n', j.f);
    fflush(j.f);
}

void bench_env_write_end(void)
{
    struct bench_json j = {.f = bench_report_file()};
    struct rusage r;

    if (!j.f)
        return;
    getrusage(RUSAGE_SELF, &r);
    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "test", "environment_end");
    bench_json_open(&j, "env", '{');
    write_load(&j);
    bench_json_number(&j, "steal_seconds", steal_seconds() - steal_at_start);
    bench_json_integer(&j, "involuntary_switches", r.ru_nivcsw);
    bench_json_integer(&j, "voluntary_switches", r.ru_nvcsw);
    bench_json_close(&j, '}');
    bench_json_close(&j, '}');
    fputc('\n', j.f);
    fflush(j.f);
}
