/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which MPI_BUFFER_MAX serves standard sends best: the echo of the T3E-900 study under each of several settings, which
 * MPI's tool interface changes while the job runs. Other libraries have no such variable.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob_echo.h"
#include "mpijob_variable.h"

#define LARGEST (1l << 20)
#define MAX_SIZES 32
#define VARIABLE MPIJOB_VARIABLE

static const char test[] = "echo test, contiguous";
/* 4099 is the study's. */
static const unsigned long long settings[] = {0, 1024, 2048, 4099, 8192, 16384, 32768, 65536, 262144, 16777216};
#define SETTINGS (int)(sizeof settings / sizeof *settings)

static struct bench_series samples;
static struct {
    int sizes;
    double us[SETTINGS][MAX_SIZES];
    bool right;
} found;

static bool came(struct mpijob_echo *e, size_t bytes)
{
    if (e->pair == MPI_COMM_NULL)
        return true;
    bench_pattern_fill(e->out, bytes, bench_pattern_seed(e->me, bytes, 1));
    memset(e->in, 0, bytes);
    mpijob_echo(e, 1);
    return bench_pattern_check(e->in, bytes, bench_pattern_seed(1 - e->me, bytes, 1));
}

static struct bench_params parameters(const char *mode)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "mode", mode);
    bench_param_text(&p, "method", "all settings in turns");
    return p;
}

static void mode_of(char text[32], int setting)
{
    snprintf(text, 32, VARIABLE "=%llu", settings[setting]);
}

/* One size under every setting, so that a change of load on the machine meets them alike. */
static void one_size(struct mpijob_echo *e, size_t bytes)
{
    const int size = found.sizes++;

    e->count = (int)bytes;
    for (int s = 0; s < SETTINGS; s++) {
        const double budget = mpijob_case(VARIABLE);
        char mode[32];
        struct bench_params p;
        enum bench_stop stop;
        bool right;

        mpijob_variable_set(settings[s]);
        right = mpijob_right(came(e, bytes));
        found.right = found.right && right;
        if (e->pair == MPI_COMM_NULL)
            continue;
        stop = mpijob_echo_measure(e, budget, &samples);
        if (mpijob.rank != 0)
            continue;
        found.us[s][size] = bench_stats(&samples).median;
        mode_of(mode, s);
        p = parameters(mode);
        bench_param_integer(&p, "message_bytes", (long)bytes);
        mpijob_emit(test, &p, "latency", "us", &samples, right, stop);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static double best_of(int size)
{
    double best = INFINITY;

    for (int s = 0; s < SETTINGS; s++)
        best = fmin(best, found.us[s][size]);
    return best;
}

/* The geometric mean over sizes of a setting's time, against the best setting's at each size. */
static double over_best(int setting)
{
    double sum = 0;

    for (int i = 0; i < found.sizes; i++)
        sum += log(found.us[setting][i] / best_of(i));
    return exp(sum / found.sizes);
}

static void summary(void)
{
    struct bench_params p;
    char mode[32];
    int best = 0;

    if (mpijob.rank != 0)
        return;
    for (int s = 0; s < SETTINGS; s++) {
        mode_of(mode, s);
        p = parameters(mode);
        bench_report_value(test, &p, "time_over_best", "x", over_best(s), found.right);
        if (over_best(s) < over_best(best))
            best = s;
    }
    p = mpijob_params();
    bench_param_text(&p, "variable", VARIABLE);
    bench_report_value(test, &p, "optimal_setting", "bytes", (double)settings[best], found.right);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_buffer_max", "which MPI_BUFFER_MAX serves standard sends best",
                                                  2, 20, 3};
    struct mpijob_echo e = {.type = MPI_CHAR, .body = mpijob_echo, .mode = MPIJOB_STANDARD};
    int sizes = 0;

    mpijob_start(argc, argv, &program);
    if (!mpijob_variable_open())
        mpijob_fatal("mpi_buffer_max: this library has no variable %s that can be set", VARIABLE);
    e.out = calloc(1, LARGEST);
    e.in = calloc(1, LARGEST);
    if (!e.out || !e.in)
        mpijob_fatal("mpi_buffer_max: out of memory");
    found.right = true;
    for (size_t bytes = 1024; bytes; bytes = bench_next_size(bytes, LARGEST))
        sizes++;
    bench_plan_begin(sizes * SETTINGS, bench_options.max_seconds);
    mpijob_echo_pair(&e, 0, 1);
    for (size_t bytes = 1024; bytes; bytes = bench_next_size(bytes, LARGEST))
        one_size(&e, bytes);
    summary();
    mpijob_echo_unpair(&e);
    mpijob_variable_close();
    free(e.out);
    free(e.in);
    return mpijob_finish();
}
