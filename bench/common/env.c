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

#if defined __has_include
#if __has_include("mpt_commit.h")
#include "mpt_commit.h"
#endif
#endif
#ifndef MPT_COMMIT
#define MPT_COMMIT "" /* of another library's nothing is known */
#endif

#define LOST_PERCENT                                                                                 \
    2 /* of a PE's time in all of the run: without other load it is 0.1 to 1.5, with some 3 and more \
       */
#define LOST_SECONDS 0.02 /* but in a short run one or two turns of another process are no load */
#define LOST_SHORT 10 /* unless they are so much of it */
#define DETOUR_PERCENT 10 /* of one look: a virtual machine without any load shows 1 to 4 */

/* Kept from the start for the end. */
static struct {
    int npes;
    bool crowded, contended, burning;
    double *detours; /* of each PE */
    double steal;
} begin;

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

/* Variables that change what is measured, by how their names begin; not what launchers tell their processes. */
static const char *const variables[] = {
    "MPT_",
    "SHMEM_",
    "SMA_",
    "MPI_",
    "PVM_",
    "MALLOC_",
    "GLIBC_TUNABLES=",
    "OMP_",
    "GOMP_",
    "OPENBLAS_",
    "OMPI_MCA_btl",
    "OMPI_MCA_coll",
    "OMPI_MCA_memory",
    "OMPI_MCA_mpi",
    "OMPI_MCA_mtl",
    "OMPI_MCA_osc",
    "OMPI_MCA_pml",
    "OMPI_MCA_spml",
    "MPICH_",
    "MPIR_CVAR_",
    "UCX_",
    "FI_",
};
static const char *const of_launchers[] = {"MPT_JOB", "MPI_LOCAL", "MPICH_INTERFACE_HOSTNAME", "PVM_EXPORT", "PVMEPID"};

static bool begins(const char *text, const char *const *starts, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strncmp(text, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* Of a path only that it is one: it would tell the machine or its user. */
static void write_variables(struct bench_json *j)
{
    bench_json_open(j, "variables", '{');
    for (char **e = environ; *e; e++) {
        char name[128];
        const size_t n = strcspn(*e, "=");

        if (n >= sizeof name || (*e)[n] != '=' || !begins(*e, variables, sizeof variables / sizeof *variables) ||
            begins(*e, of_launchers, sizeof of_launchers / sizeof *of_launchers))
            continue;
        snprintf(name, sizeof name, "%.*s", (int)n, *e);
        bench_json_text(j, name, strchr(*e + n, '/') ? "(a path)" : *e + n + 1);
    }
    bench_json_close(j, '}');
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
    first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", buf, sizeof buf);
    bench_json_text(j, "governor", buf[0] ? buf : "none");
    bench_json_number(j, "timer_cost_ns", bench_timer_cost());
}

/* A program that doesn't know is on one. */
static int machines(const struct bench_env *e)
{
    return e->machines > 1 ? e->machines : 1;
}

/* How PEs reach each other, as far as it can be told. */
static const char *transport(const struct bench_env *e)
{
    const char *const asked = getenv("MPT_TRANSPORT");

    if (e->network)
        return e->network;
    if (!e->standard)
        return "none"; /* no library of messages */
    if (strncmp(e->implementation, "MPT", 3) != 0)
        return "the library's choice";
    if (asked && *asked && strcmp(asked, "auto") != 0)
        return asked;
    return machines(e) > 1 ? "shared memory, network" : "shared memory";
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
    bench_json_text(j, "transport", transport(e));
    bench_json_open(j, "pe_cpus", '[');
    for (int i = 0; i < begin.npes; i++)
        bench_json_integer(j, NULL, e->places[i].cpu);
    bench_json_close(j, ']');
    bench_json_open(j, "pe_may_use", '[');
    for (int i = 0; i < begin.npes; i++)
        bench_json_text(j, NULL, e->places[i].allowed);
    bench_json_close(j, ']');
    bench_json_bool(j, "oversubscribed", begin.crowded);
    begin.burning = bench_options.burner || bench_burners() > 0;
    bench_json_bool(j, "burner", begin.burning);
    bench_json_bool(j, "quick", bench_options.quick);
}

bool bench_crowded(int npes, int machines)
{
    return npes > (machines > 1 ? machines : 1) * bench_cores_of_job();
}

/* Of PEs that share CPUs anyway it is only known whether the machine was busy before. */
static bool busy_before(int npes)
{
    double load;

    return getloadavg(&load, 1) == 1 && load > npes;
}

static void write_worst(struct bench_json *j, const char *key, const double *of_pes)
{
    char name[64];
    double worst = NAN; /* fmax prefers numbers */

    snprintf(name, sizeof name, "pe_%s", key);
    bench_json_open(j, name, '[');
    for (int i = 0; i < begin.npes; i++) {
        worst = fmax(worst, of_pes[i]);
        bench_json_number(j, NULL, of_pes[i]);
    }
    bench_json_close(j, ']');
    bench_json_number(j, key, worst);
}

/* Time that the hypervisor gave to other machines since boot, s. */
static double steal_seconds(void)
{
    unsigned long long t[8] = {0};
    FILE *f = fopen("/proc/stat", "r");

    if (!f)
        return NAN;
    if (fscanf(f, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", t, t + 1, t + 2, t + 3, t + 4, t + 5, t + 6, t + 7) !=
        8)
        t[7] = 0;
    fclose(f);
    return (double)t[7] / (double)sysconf(_SC_CLK_TCK);
}

int bench_processes(const struct bench_place *places, int npes)
{
    int n = 0;

    for (int pe = 0; pe < npes; pe++) {
        int before = pe;

        while (before > 0 && places[before - 1].process != places[pe].process)
            before--;
        n += before == 0;
    }
    return n;
}

/* PEs are tasks where they were started so, which leaves each a process where it has a core, or where they are seen to
 * be. */
static void write_processes(struct bench_json *j, const struct bench_env *e, bool places)
{
    const int processes = places ? bench_processes(e->places, e->npes) : 0;

    if (processes)
        bench_json_integer(j, "processes", processes);
    if (bench_options.as_tasks || (processes && processes < e->npes))
        bench_report_tasks(processes);
}

static void remember(const struct bench_env *e, int places)
{
    begin.npes = places;
    begin.crowded = bench_crowded(e->npes, e->machines);
    begin.steal = steal_seconds();
    begin.detours = malloc(sizeof *begin.detours * (size_t)begin.npes);
    for (int i = 0; begin.detours && i < begin.npes; i++)
        begin.detours[i] = e->places[i].detour;
    if (!begin.detours)
        begin.npes = 0;
}

/* What the start can tell; the end knows better. */
static void write_contention(struct bench_json *j)
{
    double worst = 0;

    write_worst(j, "detour_percent", begin.detours);
    for (int i = 0; i < begin.npes; i++)
        worst = fmax(worst, begin.detours[i]);
    begin.contended = begin.crowded ? busy_before(begin.npes) : worst > DETOUR_PERCENT;
    bench_json_bool(j, "contended", begin.burning || begin.contended);
}

static bool lost_much(double percent, double seconds)
{
    return percent > LOST_SHORT || (percent > LOST_PERCENT && percent / 100 * seconds > LOST_SECONDS);
}

static bool detours_tell(double start, double end)
{
    return start > DETOUR_PERCENT && end > DETOUR_PERCENT;
}

/*
 * Whether others had so much of a PE's CPU that medians don't hold: what it lost in all of the run. Moments before and
 * after it only count where the kernel doesn't tell.
 */
static bool contended(const struct bench_toll *tolls)
{
    if (begin.crowded)
        return begin.contended;
    for (int i = 0; i < begin.npes; i++) {
        const double lost = tolls[i].waited + tolls[i].stolen;

        if (isnan(lost) ? detours_tell(begin.detours[i], tolls[i].detour) : lost_much(lost, tolls[i].seconds))
            return true;
    }
    return false;
}

static void write_tolls(struct bench_json *j, const struct bench_toll *tolls)
{
    double *const lost = calloc((size_t)begin.npes * 2, sizeof *lost), *const detours = lost + begin.npes;
    long involuntary = 0, voluntary = 0, most = 0;
    double sum = 0;

    if (!lost)
        return;
    for (int i = 0; i < begin.npes; i++) {
        lost[i] = tolls[i].waited + tolls[i].stolen;
        detours[i] = tolls[i].detour;
        sum += lost[i];
        involuntary += tolls[i].involuntary;
        voluntary += tolls[i].voluntary;
        most = tolls[i].involuntary > most ? tolls[i].involuntary : most;
    }
    write_worst(j, "detour_percent", detours);
    write_worst(j, "lost_percent", lost);
    bench_json_number(j, "lost_percent_sum", sum);
    bench_json_integer(j, "involuntary_switches", involuntary);
    bench_json_integer(j, "involuntary_switches_worst", most);
    bench_json_integer(j, "voluntary_switches", voluntary);
    bench_json_bool(j, "contended", begin.burning || contended(tolls));
    free(lost);
}

void bench_env_write(const struct bench_env *e)
{
    struct bench_json j = {.f = bench_report_file()};
    const time_t now = time(NULL);
    struct tm utc;
    char date[32];
    struct bench_env own = *e;
    struct bench_place here;

    if (!j.f)
        return;
    if (!own.places) {
        bench_place_look(&here, false);
        own.places = &here;
    }
    remember(&own, e->places ? e->npes : 1);
    strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "test", "environment");
    bench_json_open(&j, "env", '{');
    bench_json_text(&j, "date", date);
    write_machine(&j);
    write_load(&j);
    write_job(&j, &own);
    write_processes(&j, &own, e->places != NULL);
    write_contention(&j);
    write_variables(&j);
    if (MPT_COMMIT[0])
        bench_json_text(&j, "commit", MPT_COMMIT);
    bench_json_text(&j, "compiler", COMPILER);
    bench_json_text(&j, "flags", bench_flags);
    bench_json_close(&j, '}');
    bench_json_close(&j, '}');
    fputc('\n', j.f);
    fflush(j.f);
}

void bench_env_write_end(const struct bench_toll *tolls)
{
    struct bench_json j = {.f = bench_report_file()};
    struct bench_toll here;

    if (!j.f)
        return;
    if (!tolls)
        bench_toll_look(&here, begin.crowded);
    bench_json_open(&j, NULL, '{');
    bench_json_text(&j, "test", "environment_end");
    bench_json_open(&j, "env", '{');
    write_load(&j);
    bench_json_number(&j, "steal_seconds", steal_seconds() - begin.steal);
    write_tolls(&j, tolls ? tolls : &here);
    bench_json_close(&j, '}');
    bench_json_close(&j, '}');
    fputc('\n', j.f);
    fflush(j.f);
}
