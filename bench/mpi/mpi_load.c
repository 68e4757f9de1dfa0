/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo between rank 0 and another while all remaining ranks exchange data in a communicator of their own, by
 * MPI_Alltoall again and again, as on the T3E-900 and the Origin 2000: how far the load slows the pair.
 */
#define _GNU_SOURCE 1
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "mpijob_echo.h"

#define LARGEST (2 << 20)
#define STOP 9
#define SATURATED 0.8 /* of the rate under the load before: the load has no more effect */

static const char test[] = "echo under network load";
static const struct load {
    const char *name;
    long bytes; /* from each of the other ranks to each */
} loads[] = {{"none", 0}, {"0.01 MB alltoall", 10000}, {"0.1 MB alltoall", 100000}, {"1 MB alltoall", 1 << 20}};
#define LOADS (int)(sizeof loads / sizeof *loads)

static const int sizes[] = {1024, 65536, LARGEST};
#define SIZES (int)(sizeof sizes / sizeof *sizes)

static struct {
    MPI_Comm comm; /* of the ranks that make the load, or MPI_COMM_NULL */
    char *out, *in;
} others;
static struct bench_series samples, rates;
static const char *distance;
static bool all_right = true;

static void split(int second)
{
    const bool pair = mpijob.rank == 0 || mpijob.rank == second;
    const size_t all = (size_t)mpijob.size * (size_t)loads[LOADS - 1].bytes;

    MPI_Comm_split(MPI_COMM_WORLD, pair ? MPI_UNDEFINED : 0, mpijob.rank, &others.comm);
    if (pair)
        return;
    others.out = calloc(1, all);
    others.in = calloc(1, all);
    if (!others.out || !others.in)
        mpijob_fatal("mpi_load: no memory for messages of %ld bytes to %d ranks", loads[LOADS - 1].bytes, mpijob.size);
}

static void unsplit(void)
{
    if (others.comm == MPI_COMM_NULL)
        return;
    MPI_Comm_free(&others.comm);
    free(others.out);
    free(others.in);
}

/* Until rank 0 tells the first of these ranks that the pair is done. */
static void make_load(const struct load *l, int leader)
{
    int done = 0;

    while (!done) {
        if (l->bytes > 0)
            MPI_Alltoall(others.out, (int)l->bytes, MPI_CHAR, others.in, (int)l->bytes, MPI_CHAR, others.comm);
        else
            sched_yield();
        if (mpijob.rank == leader)
            MPI_Iprobe(0, STOP, MPI_COMM_WORLD, &done, MPI_STATUS_IGNORE);
        MPI_Bcast(&done, 1, MPI_INT, 0, others.comm);
    }
    if (mpijob.rank == leader)
        MPI_Recv(NULL, 0, MPI_CHAR, 0, STOP, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Under the load, by the pair. */
static bool check(struct mpijob_echo *e)
{
    const size_t bytes = (size_t)e->count;

    bench_pattern_fill(e->out, bytes, bench_pattern_seed(e->me, bytes, 1));
    memset(e->in, 0, bytes);
    mpijob_echo(e, 1);
    return bench_pattern_check(e->in, bytes, bench_pattern_seed(1 - e->me, bytes, 1));
}

static struct bench_params parameters(const struct mpijob_echo *e, const struct load *l)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "mode", mpijob_mode_name(e->mode));
    bench_param_text(&p, "distance", distance);
    bench_param_bool(&p, "oversubscribed", mpijob.size > bench_cores_of_job());
    if (l)
        bench_param_text(&p, "load", l->name);
    return p;
}

/* The factor: 0 where it makes no sense. */
static void emit(const struct mpijob_echo *e, const struct load *l, int second, double factor, bool right,
                 enum bench_stop stop)
{
    struct bench_params p = parameters(e, l);
    struct bench_record r = {.test = test,
                             .metric = "latency",
                             .unit = "us",
                             .params = &p,
                             .series = &samples,
                             .verified = right,
                             .stop = bench_stop_name(stop),
                             .has_pair = true,
                             .pair = {0, second}};

    bench_param_integer(&p, "message_bytes", e->count);
    bench_report_write(&r);
    r.metric = "bandwidth";
    r.unit = "MB/s";
    r.series = &rates;
    bench_report_write(&r);
    if (factor > 0)
        bench_report_value(test, &p, "bandwidth_reduction_factor", "x", factor, right);
}

/* The rate on rank 0, MB/s. */
static double one_load(struct mpijob_echo *e, const struct load *l, int second, double without)
{
    const double budget = mpijob_case(l->name);
    const int leader = second == 1 ? 2 : 1;
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right = true;
    double rate;

    MPI_Barrier(MPI_COMM_WORLD);
    if (others.comm != MPI_COMM_NULL) {
        make_load(l, leader);
    } else {
        right = check(e);
        stop = mpijob_echo_measure(e, budget, &samples);
        if (e->me == 0)
            MPI_Send(NULL, 0, MPI_CHAR, leader, STOP, MPI_COMM_WORLD);
    }
    right = mpijob_right(right);
    all_right = all_right && right;
    if (mpijob.rank != 0)
        return 0;
    bench_series_invert(&rates, &samples, e->count);
    rate = bench_stats(&rates).median;
    emit(e, l, second, without > 0 ? without / rate : 0, right, stop);
    return rate;
}

/* The largest message is what the studies tell of. */
static void summary(const struct mpijob_echo *e, const double *rate)
{
    const struct bench_params p = parameters(e, NULL);
    int saturated = LOADS - 1;

    while (saturated > 1 && rate[saturated] > SATURATED * rate[saturated - 1])
        saturated--;
    bench_report_value(test, &p, "bandwidth_asymptotic", "MB/s", rate[LOADS - 1], all_right);
    bench_report_value(test, &p, "alltoall_load_at_saturation", "bytes", (double)loads[saturated].bytes, all_right);
}

static void find_distance(int second)
{
    int mine = sched_getcpu(), theirs = 0;

    if (mpijob.rank == second)
        MPI_Send(&mine, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (mpijob.rank != 0)
        return;
    MPI_Recv(&theirs, 1, MPI_INT, second, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    distance = bench_distance(mine, theirs);
}

static void with(struct mpijob_echo *e, int second)
{
    find_distance(second);
    mpijob_echo_pair(e, 0, second);
    split(second);
    for (int mode = MPIJOB_SYNCHRONOUS; mode <= MPIJOB_BUFFERED; mode++)
        for (int size = 0; size < SIZES; size++) {
            double rate[LOADS];

            e->mode = (enum mpijob_mode)mode;
            e->count = sizes[size];
            e->extent = (size_t)e->count;
            for (int l = 0; l < LOADS; l++)
                rate[l] = one_load(e, &loads[l], second, l > 0 ? rate[0] : 0);
            if (size == SIZES - 1 && second == 1 && mpijob.rank == 0)
                summary(e, rate);
        }
    unsplit();
    mpijob_echo_unpair(e);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_load", "echo while the other ranks load the network", 4, 40, 6};
    struct mpijob_echo e = {.type = MPI_CHAR, .body = mpijob_echo};
    int last;

    mpijob_start(argc, argv, &program);
    e.out = calloc(1, LARGEST);
    e.in = calloc(1, LARGEST);
    if (!e.out || !e.in)
        mpijob_fatal("mpi_load: out of memory");
    mpijob_echo_attach(LARGEST);
    last = bench_options.quick ? 1 : mpijob.size - 1;
    bench_plan_begin(last * 2 * SIZES * LOADS, bench_options.max_seconds);
    for (int second = 1; second <= last; second++)
        with(&e, second);
    mpijob_echo_detach();
    free(e.out);
    free(e.in);
    return mpijob_finish();
}
