/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Start and end of an MPI benchmark job, and measuring on all ranks together.
 */
#define _GNU_SOURCE 1
#include "mpijob.h"

#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct mpijob mpijob;
static bool failed;

static bool multiple, idle_thread;
static const struct bench_option own_options[] = {
    {"multiple", BENCH_FLAG, &multiple, "start with MPI_THREAD_MULTIPLE"},
    {"idle-thread", BENCH_FLAG, &idle_thread, "the same, and beside the thread that is measured one that sleeps"},
    {NULL, BENCH_FLAG, NULL, NULL},
};
static const struct bench_option *own = own_options;

static int of_program; /* burners */
static void (*call_early)(void);

void mpijob_early(void (*early)(void))
{
    call_early = early;
}

void mpijob_burners(int n)
{
    of_program = n;
}

void mpijob_own(const struct bench_option *options)
{
    own = options;
}

void mpijob_fatal(const char *format, ...)
{
    va_list ap;

    va_start(ap, format);
    vfprintf(stderr, format, ap);
    va_end(ap);
    fputc('\n', stderr);
    MPI_Abort(MPI_COMM_WORLD, 2);
    abort();
}

/* What every rank saw of itself, on rank 0. */
static void *gather(const void *mine, int bytes)
{
    void *all = malloc((size_t)bytes * (size_t)mpijob.size);

    if (!all)
        mpijob_fatal("out of memory");
    MPI_Gather(mine, bytes, MPI_BYTE, all, bytes, MPI_BYTE, 0, MPI_COMM_WORLD);
    return all;
}

/* Before there is much memory: what a process writes after a fork has to be copied first. */
static void start_burners(void)
{
    if (of_program && bench_options.burner)
        mpijob_fatal("--burner: this program has burners of its own");
    if ((of_program || bench_options.burner) && bench_burners_start(of_program ? of_program : 1))
        mpijob_fatal("no burner: %s", strerror(errno));
    if (of_program)
        bench_burners_run(0);
}

static void open_report(void)
{
    static char name[MPI_MAX_LIBRARY_VERSION_STRING], shorter[64], standard[32];
    int major, minor, length;
    struct bench_place mine, *places;
    struct bench_env e = {.library = "MPI",
                          .name = name,
                          .standard = standard,
                          .npes = mpijob.size,
                          .machines = 1,
                          .network = bench_options.network};

    bench_place_look(&mine, bench_crowded(mpijob.size, 1));
    e.places = places = gather(&mine, (int)sizeof mine);
    if (mpijob.rank == 0) {
        MPI_Get_library_version(name, &length);
        MPI_Get_version(&major, &minor);
        snprintf(standard, sizeof standard, "MPI %d.%d", major, minor);
        name[strcspn(name, "\n")] = '\0';
        snprintf(shorter, sizeof shorter, "%.*s", (int)strcspn(name, ",("), name);
        e.implementation = bench_options.implementation ? bench_options.implementation : shorter;
        if (bench_report_open(bench_options.out, e.library, e.implementation))
            mpijob_fatal("%s: %s", bench_options.out, strerror(errno));
        start_burners();
        bench_env_write(&e);
    }
    free(places);
}

static void *sleep_on(void *arg)
{
    for (;;)
        pause();
    return arg;
}

/* A process of two threads cannot spare its locks, whoever calls. */
static void start_idle_thread(void)
{
    pthread_t thread;

    if (pthread_create(&thread, NULL, sleep_on, NULL) || pthread_detach(thread))
        mpijob_fatal("no second thread");
}

static void leave(int status)
{
    MPI_Finalize();
    exit(status);
}

void mpijob_start(int argc, char **argv, const struct mpijob_program *program)
{
    char why[128];
    int bad = bench_options_parse(argc, argv, own, why, sizeof why), provided;

    MPI_Init_thread(&argc, &argv, multiple || idle_thread ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &mpijob.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mpijob.size);
    if (call_early)
        call_early();
    if (!bad && (multiple || idle_thread) && provided != MPI_THREAD_MULTIPLE) {
        snprintf(why, sizeof why, "this library has no MPI_THREAD_MULTIPLE");
        bad = 1;
    }
    if (!bad && idle_thread)
        start_idle_thread();
    if (!bad && mpijob.size < program->min_ranks) {
        snprintf(why, sizeof why, "needs at least %d ranks", program->min_ranks);
        bad = 1;
    }
    if (bad && mpijob.rank == 0)
        fprintf(stderr, "%s: %s\n", program->name, why);
    if (!bad && bench_options.help && mpijob.rank == 0)
        bench_options_help(stdout, program->name, program->purpose, own);
    if (bad || bench_options.help)
        leave(bad ? 2 : 0);
    if (mpijob.rank != 0)
        bench_options.progress = false;
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? program->quick_seconds : program->seconds;
    open_report();
}

int mpijob_finish(void)
{
    int status = failed ? 1 : 0;
    struct bench_toll mine, *tolls;

    bench_plan_end();
    bench_toll_look(&mine, bench_crowded(mpijob.size, 1));
    bench_burner_stop();
    tolls = gather(&mine, (int)sizeof mine);
    bench_env_write_end(tolls);
    free(tolls);
    if (bench_report_close()) {
        fprintf(stderr, "the records could not be written\n");
        status = 2;
    }
    MPI_Finalize();
    return status;
}

long mpijob_agree(long value)
{
    MPI_Bcast(&value, 1, MPI_LONG, 0, MPI_COMM_WORLD);
    return value;
}

double mpijob_case(const char *name)
{
    double budget = bench_plan_next("%s", name);

    MPI_Bcast(&budget, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return budget;
}

bool mpijob_right(bool mine)
{
    int all = mine;

    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    failed = failed || !all;
    return all;
}

size_t mpijob_rotation(int caches)
{
    return caches & 1 << BENCH_ROTATING ? (size_t)mpijob_agree((long)bench_rotation(mpijob.size)) : 0;
}

enum bench_stop mpijob_measure(bench_body *body, void *arg, double budget_ns, enum mpijob_span span,
                               struct bench_series *out)
{
    struct bench_sampler sampler;
    long reps;

    bench_sampler_begin(&sampler, out, budget_ns);
    while ((reps = mpijob_agree(mpijob.rank == 0 ? bench_sampler_next(&sampler) : 0)) > 0) {
        double longest = 0, mine;
        int64_t t0;

        bench_cold_flush();
        MPI_Barrier(MPI_COMM_WORLD);
        t0 = bench_now();
        body(arg, reps);
        mine = longest = (double)(bench_now() - t0);
        if (span == MPIJOB_LONGEST)
            MPI_Reduce(&mine, &longest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        if (mpijob.rank == 0)
            bench_sampler_give(&sampler, longest);
    }
    return sampler.stop;
}

struct bench_params mpijob_params(void)
{
    struct bench_params p = {.n = 0};

    bench_param_integer(&p, "npes", mpijob.size);
    if (multiple || idle_thread)
        bench_param_text(&p, "threads", idle_thread ? "multiple, one idle" : "multiple");
    return p;
}

void mpijob_emit(const char *test, const struct bench_params *p, const char *metric, const char *unit,
                 const struct bench_series *s, bool right, enum bench_stop stop)
{
    const struct bench_record r = {.test = test,
                                   .metric = metric,
                                   .unit = unit,
                                   .params = p,
                                   .series = s,
                                   .verified = right,
                                   .stop = bench_stop_name(stop)};

    if (mpijob.rank == 0 && s->n > 0)
        bench_report_write(&r);
}
