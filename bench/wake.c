/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What waiting costs: PE 0 sleeps while all others wait for it, in a barrier and in a wait_until. The CPU time that the
 * processes of all PEs used meanwhile, as a percentage of one core, and how long after PE 0 came the others were back.
 */
#include "common/job.h"

#include <string.h>
#include <sys/resource.h>

static long global_flag;
static double sleep_seconds;
static const char *only = "both";

static double cpu_seconds(void)
{
    struct rusage r;

    getrusage(RUSAGE_SELF, &r);
    return (double)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1e-6 * (double)(r.ru_utime.tv_usec + r.ru_stime.tv_usec);
}

static void pause_seconds(double s)
{
    struct timespec t = {.tv_sec = (time_t)s, .tv_nsec = (long)(1e9 * (s - floor(s)))};

    while (nanosleep(&t, &t) != 0)
        continue;
}

/* The sleep on PE 0, the wait elsewhere. `flag` is NULL for the barrier. Returns when PE 0 came, or when this PE was
 * back. */
static int64_t wait_for_pe0(long *flag)
{
    int64_t came;

    if (bench_job.me == 0) {
        pause_seconds(sleep_seconds);
        came = bench_now();
        for (int pe = 1; flag && pe < bench_job.npes; pe++)
            shmem_long_p(flag, 1, pe);
        if (!flag)
            shmem_barrier_all();
        return came;
    }
    if (flag)
        shmem_long_wait_until(flag, SHMEM_CMP_EQ, 1);
    else
        shmem_barrier_all();
    return bench_now();
}

/* The system counts by process, of which several PEs may be tasks: the largest of each process counts. */
static void once_a_process(const struct bench_series *of_pes, const struct bench_series *process,
                           struct bench_series *out)
{
    bench_series_clear(out);
    for (size_t i = 0; i < of_pes->n; i++) {
        double most = of_pes->v[i];
        bool first = true;

        for (size_t k = 0; k < of_pes->n; k++)
            if (process->v[k] == process->v[i]) {
                first = first && k >= i;
                most = fmax(most, of_pes->v[k]);
            }
        if (first)
            bench_series_add(out, most);
    }
}

static void run(const char *wait, const char *target, long *flag)
{
    static struct bench_series of_pes, process, cpu, back, late;
    struct bench_params p = bench_job_params();
    double used, sum = 0;
    int64_t came;
    bool right;

    bench_plan_next("%s %s", wait, target ? target : "");
    if (flag)
        *flag = 0;
    shmem_barrier_all();
    used = cpu_seconds();
    came = wait_for_pe0(flag);
    used = cpu_seconds() - used;
    right = bench_agree_right(!flag || bench_job.me == 0 || *(volatile long *)flag == 1);
    bench_gather(100 * used / sleep_seconds, &of_pes);
    bench_gather((double)bench_process(), &process);
    bench_gather((double)came * 1e-3, &back);
    if (bench_job.me != 0)
        return;
    once_a_process(&of_pes, &process, &cpu);
    for (size_t i = 0; i < cpu.n; i++)
        sum += cpu.v[i];
    bench_series_clear(&late);
    for (size_t i = 1; i < back.n; i++)
        bench_series_add(&late, back.v[i] - back.v[0]);
    bench_param_text(&p, "wait", wait);
    if (target)
        bench_param_text(&p, "target", target);
    bench_param_integer(&p, "sleep_seconds", (long)sleep_seconds);
    bench_emit_value("wake", &p, "cpu_share", "% of one core", sum, &cpu, right);
    if (bench_job.machines == 1) /* else two clocks would be subtracted */
        bench_emit("wake", &p, "wake_latency", "us", &late, right, NULL);
}

int main(int argc, char **argv)
{
    static const struct bench_option own[] = {
        {"sleep", BENCH_DOUBLE, &sleep_seconds, "seconds that PE 0 sleeps (default 5, quick 1)"},
        {"wait", BENCH_TEXT, &only, "barrier, wait_until or both"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static const struct bench_program program = {"wake", "CPU time used by PEs that wait", own, 2, 20, 4};
    struct bench_target targets[2];
    int n;

    bench_job_start(argc, argv, &program);
    if (sleep_seconds <= 0)
        sleep_seconds = bench_options.quick ? 1 : 5;
    n = bench_job_targets(&global_flag, sizeof global_flag, targets);
    bench_plan_begin(1 + n, sleep_seconds * (1 + n));
    if (strcmp(only, "wait_until") != 0)
        run("barrier", NULL, NULL);
    for (int t = 0; t < n && strcmp(only, "barrier") != 0; t++)
        run("wait_until", targets[t].name, (long *)targets[t].base);
    return bench_job_finish();
}
