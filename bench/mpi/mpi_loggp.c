/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The parameters of the LogGP model between ranks 0 and 1: o_s, what a send call takes; o_r, what the receive of a
 * message takes that has surely come; L, what is left of a message's way; g, the time between messages of a stream; G,
 * the time of each further byte of a long message. A value for each short size, as one for all may mean nothing.
 */
#include <stdlib.h>

#include "../common/fit.h"
#include "mpijob_echo.h"

#define BURST 16  /* sends or receives that are timed together */
#define STREAM 64 /* messages of a stream between two answers */
#define SHORT_MAX 512 /* every library sends these at once */
#define WARM_UP 3
#define LARGEST (4l << 20)

enum part { SEND, RECEIVE };

static struct {
    struct mpijob_echo e;
    char *in; /* BURST messages */
    MPI_Request requests[STREAM];
} x;
static struct bench_series parts[2], samples;

/*
 * BURST messages; rank 0 times its calls. It then says that they are on their way, by a message that cannot pass them,
 * and rank 1 times its receives.
 */
static void burst(double took[2])
{
    const int n = x.e.count;
    int64_t t0 = bench_now();

    if (mpijob.rank == 0) {
        for (int i = 0; i < BURST; i++)
            MPI_Isend(x.e.out, n, MPI_CHAR, 1, 1, x.e.pair, &x.requests[i]);
        took[SEND] = (double)(bench_now() - t0) / BURST;
        MPI_Waitall(BURST, x.requests, MPI_STATUSES_IGNORE);
        MPI_Send(NULL, 0, MPI_CHAR, 1, 2, x.e.pair);
        MPI_Recv(&took[RECEIVE], 1, MPI_DOUBLE, 1, 3, x.e.pair, MPI_STATUS_IGNORE);
        return;
    }
    MPI_Recv(NULL, 0, MPI_CHAR, 0, 2, x.e.pair, MPI_STATUS_IGNORE);
    t0 = bench_now();
    for (int i = 0; i < BURST; i++)
        MPI_Recv(x.in + i * n, n, MPI_CHAR, 0, 1, x.e.pair, MPI_STATUS_IGNORE);
    took[RECEIVE] = (double)(bench_now() - t0) / BURST;
    MPI_Send(&took[RECEIVE], 1, MPI_DOUBLE, 0, 3, x.e.pair);
}

static void stream(void *echo, long reps)
{
    const struct mpijob_echo *const e = echo;

    for (long r = 0; r < reps; r++) {
        for (int i = 0; i < STREAM; i++)
            if (e->me == 0)
                MPI_Isend(e->out, e->count, MPI_CHAR, 1, 4, e->pair, &x.requests[i]);
            else
                MPI_Irecv(e->in, e->count, MPI_CHAR, 0, 4, e->pair, &x.requests[i]);
        MPI_Waitall(STREAM, x.requests, MPI_STATUSES_IGNORE);
        if (e->me == 0)
            MPI_Recv(NULL, 0, MPI_CHAR, 1, 5, e->pair, MPI_STATUS_IGNORE);
        else
            MPI_Send(NULL, 0, MPI_CHAR, 0, 5, e->pair);
    }
}

/* Bursts until the budget is gone; what came is checked in the first. */
static bool overheads(double budget_ns)
{
    const int64_t end = bench_now() + (int64_t)budget_ns;
    const size_t bytes = (size_t)x.e.count;
    const uint64_t seed = bench_pattern_seed(0, bytes, 1);
    double took[2];
    bool right = true;
    int go = 1;

    bench_series_clear(&parts[SEND]);
    bench_series_clear(&parts[RECEIVE]);
    bench_pattern_fill(x.e.out, bytes, seed);
    for (long n = 0; go; n++) {
        burst(took);
        for (int i = 0; n == 0 && mpijob.rank == 1 && i < BURST; i++)
            right = bench_pattern_check(x.in + (size_t)i * bytes, bytes, seed) && right;
        if (n < WARM_UP)
            continue;
        bench_series_add(&parts[SEND], took[SEND] * 1e-3);
        bench_series_add(&parts[RECEIVE], took[RECEIVE] * 1e-3);
        go = n < 10 || (bench_now() < end && n < BENCH_MAX_SAMPLES);
        MPI_Bcast(&go, 1, MPI_INT, 0, x.e.pair);
    }
    return right;
}

static void emit(const struct bench_params *p, const char *metric, const struct bench_series *s, bool right,
                 enum bench_stop stop)
{
    mpijob_emit("LogGP", p, metric, "us", s, right, stop);
}

static void one_size(int bytes)
{
    const double budget = mpijob_case("LogGP") / 3;
    struct bench_params p = mpijob_params();
    enum bench_stop way = BENCH_STOP_BUDGET, gap = BENCH_STOP_BUDGET;
    bool right = true;
    double latency = 0;

    x.e.count = bytes;
    if (x.e.pair != MPI_COMM_NULL) {
        right = overheads(budget);
        x.e.body = mpijob_echo;
        way = mpijob_echo_measure(&x.e, budget, &samples);
        latency = mpijob.rank == 0 ? bench_stats(&samples).median : 0;
        x.e.body = stream;
        gap = mpijob_echo_measure(&x.e, budget, &samples);
    }
    right = mpijob_right(right);
    if (mpijob.rank != 0)
        return;
    bench_param_text(&p, "call", "MPI_Isend, MPI_Recv");
    bench_param_integer(&p, "message_bytes", bytes);
    emit(&p, "o_s", &parts[SEND], right, way);
    emit(&p, "o_r", &parts[RECEIVE], right, way);
    bench_series_scale(&samples, &samples, 2.0 / STREAM); /* they were halved as an echo's */
    emit(&p, "g", &samples, right, gap);
    bench_report_value("LogGP", &p, "L", "us",
                       latency - bench_stats(&parts[SEND]).median - bench_stats(&parts[RECEIVE]).median, right);
}

static bool came(void)
{
    const size_t bytes = (size_t)x.e.count;

    bench_pattern_fill(x.e.out, bytes, bench_pattern_seed(x.e.me, bytes, 1));
    mpijob_echo(&x.e, 1);
    return bench_pattern_check(x.e.in, bytes, bench_pattern_seed(1 - x.e.me, bytes, 1));
}

/* From the line through long messages' times. */
static void per_byte(void)
{
    struct bench_params p = mpijob_params();
    struct bench_point points[16];
    struct bench_line line;
    size_t n = 0;
    bool right = true;

    x.e.body = mpijob_echo;
    for (size_t bytes = 65536; bytes; bytes = bench_next_size(bytes, LARGEST)) {
        const double budget = mpijob_case("G");

        x.e.count = (int)bytes;
        right = mpijob_right(x.e.pair == MPI_COMM_NULL || came()) && right;
        if (x.e.pair != MPI_COMM_NULL)
            mpijob_echo_measure(&x.e, budget, &samples);
        points[n++] = (struct bench_point){(double)bytes, mpijob.rank == 0 ? bench_stats(&samples).median : 0};
    }
    if (mpijob.rank != 0)
        return;
    line = bench_fit(points, n, BENCH_RELATIVE);
    bench_param_text(&p, "call", "MPI_Isend, MPI_Recv");
    if (isfinite(line.r_inf))
        bench_report_value("LogGP", &p, "G", "ns/byte", 1e3 / line.r_inf, right);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_loggp", "overheads, latency and gaps of the LogGP model", 2, 15,
                                                  2};
    int cases = 0;

    mpijob_start(argc, argv, &program);
    x.e.out = calloc(1, LARGEST);
    x.e.in = calloc(1, LARGEST);
    x.in = calloc(BURST, SHORT_MAX);
    if (!x.e.out || !x.e.in || !x.in)
        mpijob_fatal("mpi_loggp: out of memory");
    x.e.type = MPI_CHAR;
    for (size_t bytes = 65536; bytes; bytes = bench_next_size(bytes, LARGEST))
        cases++;
    for (int bytes = 8; bytes <= SHORT_MAX; bytes *= 8)
        cases++;
    bench_plan_begin(cases, bench_options.max_seconds);
    mpijob_echo_pair(&x.e, 0, 1);
    for (int bytes = 8; bytes <= SHORT_MAX; bytes *= 8)
        one_size(bytes);
    per_byte();
    mpijob_echo_unpair(&x.e);
    free(x.e.out);
    free(x.e.in);
    free(x.in);
    return mpijob_finish();
}
