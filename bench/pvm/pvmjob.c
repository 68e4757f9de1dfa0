/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of a PVM benchmark job. Tasks of a launcher are the null group, which only stand-alone programs
 * have; without one the first task spawns the others from its own file and tells them who they are.
 */
#define _GNU_SOURCE 1
#include "pvmjob.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TAG_TEAM PVMJOB_TAGS

struct pvmjob pvmjob = {.group = "bench"};

static long wanted;
static bool direct;
#define MAX_OPTIONS 16
static struct bench_option options[MAX_OPTIONS];
static const struct bench_option of_the_job[] = {
    {"tasks", BENCH_LONG, &wanted, "without a launcher: how many tasks there shall be"},
    {"direct", BENCH_FLAG, &direct, "ask for direct routes (PvmRouteDirect)"},
    {NULL, BENCH_FLAG, NULL, NULL},
};

void pvmjob_fatal(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    for (int i = 1; pvmjob.rank == 0 && !pvmjob.launched && i < pvmjob.size; i++)
        pvm_kill(pvmjob.tids[i]);
    pvm_exit();
    exit(2);
}

int pvmjob_must(const char *call, int code)
{
    if (code < 0)
        pvmjob_fatal("task %d: %s failed: code %d", pvmjob.rank, call, code);
    return code;
}

static void *allocate(size_t n, size_t size)
{
    void *p = calloc(n, size);

    if (!p)
        pvmjob_fatal("out of memory");
    return p;
}

/* Tasks of a launcher, or none: with rank and size left as those of a single task. */
static void find_launched(int tid)
{
    const int level = pvm_setopt(PvmAutoErr, 0), n = pvm_gsize(NULL);

    pvm_setopt(PvmAutoErr, level);
    pvmjob.size = 1;
    if (n < 1)
        return;
    pvmjob.launched = true;
    pvmjob.tids = allocate((size_t)n, sizeof *pvmjob.tids);
    pvmjob.size = n;
    for (int i = 0; i < n; i++) {
        pvmjob.tids[i] = pvmjob_must("pvm_gettid", pvm_gettid(NULL, i));
        if (pvmjob.tids[i] == tid)
            pvmjob.rank = i;
    }
}

/* A spawned task learns from its parent who all are. */
static void join_team(int parent, int tid)
{
    int n = 0;

    pvmjob_must("pvm_recv", pvm_recv(parent, TAG_TEAM));
    pvmjob_must("pvm_upkint", pvm_upkint(&n, 1, 1));
    pvmjob.tids = allocate((size_t)n, sizeof *pvmjob.tids);
    pvmjob_must("pvm_upkint", pvm_upkint(pvmjob.tids, n, 1));
    pvmjob.size = n;
    while (pvmjob.rank < n && pvmjob.tids[pvmjob.rank] != tid)
        pvmjob.rank++;
    if (pvmjob.rank == n)
        pvmjob_fatal("task %x isn't among those its parent started", (unsigned)tid);
}

static void spawn_team(int tid, int n, char **argv)
{
    pvmjob.tids = allocate((size_t)n, sizeof *pvmjob.tids);
    pvmjob.tids[0] = tid;
    if (n > 1) {
        const int started = pvm_spawn(pvmjob.program, argv, PvmTaskDefault, NULL, n - 1, pvmjob.tids + 1);

        pvmjob.size = started > 0 ? started + 1 : 1;
        if (started != n - 1)
            pvmjob_fatal("%s: %d of %d tasks started, code %d", pvmjob.program, started, n - 1, pvmjob.tids[n - 1]);
    }
    pvmjob.size = n;
    if (n == 1)
        return;
    pvmjob_must("pvm_initsend", pvm_initsend(PvmDataDefault));
    pvmjob_must("pvm_pkint", pvm_pkint(&n, 1, 1));
    pvmjob_must("pvm_pkint", pvm_pkint(pvmjob.tids, n, 1));
    pvmjob_must("pvm_mcast", pvm_mcast(pvmjob.tids + 1, n - 1, TAG_TEAM));
}

static char *own_path(void)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);

    if (n < 0)
        pvmjob_fatal("/proc/self/exe: %s", strerror(errno));
    path[n] = '\0';
    return strdup(path);
}

/* Both call themselves 3.4.6; one of them has another interface, too, that tells its name. */
static const char *implementation(void)
{
    static char name[128];
    void (*tell)(char *) = NULL;
    void *const found = dlsym(RTLD_DEFAULT, "shmem_info_get_name");
    size_t n;

    memcpy(&tell, &found, sizeof tell);
    if (tell)
        tell(name);
    else
        snprintf(name, sizeof name, "PVM %s", pvm_version());
    for (n = strcspn(name, "("); n > 0 && name[n - 1] == ' ';)
        n--;
    name[n] = '\0';
    return name;
}

static void open_report(void)
{
    static char standard[32];
    struct bench_place mine, *places = allocate((size_t)pvmjob.size, sizeof *places);
    int machines = 1;
    uint64_t machine = bench_machine(), *of = allocate((size_t)pvmjob.size, sizeof *of);
    struct bench_env e = {.library = "PVM",
                          .standard = standard,
                          .npes = pvmjob.size,
                          .network = bench_options.network,
                          .places = places};

    bench_place_look(&mine, bench_crowded(pvmjob.size, 1));
    pvmjob_gather(&mine, (int)sizeof mine, places);
    pvmjob_gather(&machine, (int)sizeof machine, of);
    if (pvmjob.rank == 0) {
        for (int i = 1; i < pvmjob.size; i++) {
            int k = 0;

            while (k < i && of[k] != of[i])
                k++;
            machines += k == i;
        }
        e.machines = machines;
        e.name = implementation();
        e.implementation = bench_options.implementation ? bench_options.implementation : e.name;
        snprintf(standard, sizeof standard, "PVM %d.%d", PVM_MAJOR_VERSION, PVM_MINOR_VERSION);
        if (bench_report_open(bench_options.out, e.library, e.implementation))
            pvmjob_fatal("%s: %s", bench_options.out, strerror(errno));
        if (bench_options.burner && bench_burner_start())
            pvmjob_fatal("no burner: %s", strerror(errno));
        bench_env_write(&e);
    }
    free(places);
    free(of);
}

/* The program's own and the job's, in one table. */
static void join_options(const struct bench_option *own)
{
    int n = 0;

    for (; own && own->name && n < MAX_OPTIONS - (int)(sizeof of_the_job / sizeof *of_the_job); own++)
        options[n++] = *own;
    memcpy(options + n, of_the_job, sizeof of_the_job);
}

/* Usage errors and --help end here, before anything is spawned. */
static void read_options(int argc, char **argv, const struct pvmjob_program *program, bool child)
{
    char why[256];
    int bad;

    join_options(program->own);
    bad = bench_options_parse(argc, argv, options, why, sizeof why);
    if (!pvmjob.launched && !child && !wanted)
        wanted = program->min_tasks;
    if (!bad && pvmjob.launched && wanted && (bad = 1))
        snprintf(why, sizeof why, "--tasks: the launcher has started %d", pvmjob.size);
    if (!bad && !child && (pvmjob.launched ? pvmjob.size : wanted) < program->min_tasks && (bad = 1))
        snprintf(why, sizeof why, "needs at least %d tasks", program->min_tasks);
    if (bad && pvmjob.rank == 0)
        fprintf(stderr, "%s: %s\n", program->name, why);
    if (!bad && bench_options.help && pvmjob.rank == 0)
        bench_options_help(stdout, program->name, program->purpose, options);
    if (bad || bench_options.help) {
        /* A launcher ends all when one fails: not before rank 0 has said why. */
        if (pvmjob.launched)
            pvmjob_share(&bad, (int)sizeof bad);
        pvm_exit();
        exit(bad ? 2 : 0);
    }
}

void pvmjob_start(int argc, char **argv, const struct pvmjob_program *program)
{
    const int tid = pvm_mytid();
    int parent, level;

    if (tid < 0)
        pvmjob_fatal("%s: pvm_mytid failed: code %d", program->name, tid);
    level = pvm_setopt(PvmAutoErr, 0);
    parent = pvm_parent();
    pvm_setopt(PvmAutoErr, level);
    pvmjob.program = own_path();
    if (parent < 0)
        find_launched(tid);
    read_options(argc, argv, program, parent >= 0);
    if (direct)
        pvmjob_must("pvm_setopt", pvm_setopt(PvmRoute, PvmRouteDirect));
    if (parent >= 0)
        join_team(parent, tid);
    else if (!pvmjob.launched)
        spawn_team(tid, (int)wanted, argv + 1);
    pvmjob_must("pvm_joingroup", pvm_joingroup(pvmjob.group));
    pvmjob_barrier();
    if (pvmjob.rank != 0)
        bench_options.progress = false;
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? program->quick_seconds : program->seconds;
    open_report();
}

struct bench_params pvmjob_params(void)
{
    struct bench_params p = {.n = 0};

    bench_param_integer(&p, "npes", pvmjob.size);
    bench_param_text(&p, "mode", pvmjob.launched ? "stand-alone" : "network");
    if (direct)
        bench_param_text(&p, "route", "direct");
    return p;
}

void pvmjob_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                 const struct bench_series *s, bool right, const char *stop)
{
    const struct bench_record r = {
        .test = test, .metric = metric, .unit = unit, .params = p, .series = s, .verified = right, .stop = stop};

    if (pvmjob.rank == 0 && s->n > 0)
        bench_report_write(&r);
}

void pvmjob_emit_value(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                       double value, bool right)
{
    static struct bench_series alone;

    alone.n = 1;
    alone.v[0] = value;
    pvmjob_emit(test, p, metric, unit, &alone, right, NULL);
}
