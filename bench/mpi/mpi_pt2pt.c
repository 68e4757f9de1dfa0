/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Point-to-point between ranks 0 and 1: latency (half a round trip of 8 bytes up), message rate with a window of 64,
 * and bandwidth of malloc'd buffers from 1 KiB to 16 MiB (a window of messages one way, then an answer). Written and
 * read, as programs do: messages to and fro, each written just before it goes and read when it has come.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

#define WINDOW 64
#define LARGEST (16l << 20)

struct exchange {
    char *send, *receive;
    long bytes;
    int window;
    long round; /* of written messages */
    MPI_Request request[WINDOW];
};
static struct bench_series samples, rates;

static void compose(const struct exchange *x)
{
    bench_fresh_write(x->send, (size_t)x->bytes, mpijob.rank, x->round);
}

static void consume(const struct exchange *x)
{
    bench_fresh_read(x->receive, (size_t)x->bytes, 1 - mpijob.rank, x->round);
}

static void written_ping_pong(void *arg, long reps)
{
    struct exchange *x = arg;
    const int n = (int)x->bytes;

    for (long i = 0; i < reps; i++) {
        x->round++;
        if (mpijob.rank == 0) {
            compose(x);
            MPI_Send(x->send, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(x->receive, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            consume(x);
        } else if (mpijob.rank == 1) {
            MPI_Recv(x->receive, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            consume(x);
            compose(x);
            MPI_Send(x->send, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void ping_pong(void *arg, long reps)
{
    struct exchange *x = arg;
    const int n = (int)x->bytes;

    for (long i = 0; i < reps; i++) {
        if (mpijob.rank == 0) {
            MPI_Send(x->send, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(x->receive, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (mpijob.rank == 1) {
            MPI_Recv(x->receive, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(x->send, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

/* A window of messages and one empty answer: rates and bandwidths. */
static void stream(void *arg, long reps)
{
    struct exchange *x = arg;
    const int n = (int)x->bytes;

    for (long i = 0; i < reps; i++) {
        if (mpijob.rank == 0) {
            for (int k = 0; k < x->window; k++)
                MPI_Isend(x->send, n, MPI_CHAR, 1, 2, MPI_COMM_WORLD, &x->request[k]);
            MPI_Waitall(x->window, x->request, MPI_STATUSES_IGNORE);
            MPI_Recv(x->receive, 0, MPI_CHAR, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (mpijob.rank == 1) {
            for (int k = 0; k < x->window; k++)
                MPI_Irecv(x->receive, n, MPI_CHAR, 0, 2, MPI_COMM_WORLD, &x->request[k]);
            MPI_Waitall(x->window, x->request, MPI_STATUSES_IGNORE);
            MPI_Send(x->send, 0, MPI_CHAR, 0, 3, MPI_COMM_WORLD);
        }
    }
}

/* What rank 0 sent must arrive at rank 1, and back. */
static bool check(struct exchange *x)
{
    bool right = true;

    for (int round = 0; round < 3; round++) {
        memset(x->send, mpijob.rank * 16 + round + 1, (size_t)x->bytes);
        memset(x->receive, 0, (size_t)x->bytes);
        ping_pong(x, 1);
        if (mpijob.rank < 2)
            right = right && x->receive[0] == (1 - mpijob.rank) * 16 + round + 1 &&
                    x->receive[x->bytes - 1] == x->receive[0];
    }
    return mpijob_right(right);
}

static void latency(struct exchange *x, long bytes)
{
    const double budget = mpijob_case("latency");
    struct bench_params p = mpijob_params();
    enum bench_stop stop;
    bool right;

    x->bytes = bytes;
    right = check(x);
    stop = mpijob_measure(ping_pong, x, budget, MPIJOB_RANK0, &samples);
    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_param_text(&p, "call", "MPI_Send");
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("mpi_latency", &p, "latency", "us", &samples, right, stop);
}

static void streams(struct exchange *x, long bytes, int window, const char *metric, const char *unit, double work)
{
    const double budget = mpijob_case(metric);
    struct bench_params p = mpijob_params();
    enum bench_stop stop;
    bool right;

    x->bytes = bytes;
    x->window = window;
    right = check(x);
    stop = mpijob_measure(stream, x, budget, MPIJOB_RANK0, &samples);
    bench_series_invert(&rates, &samples, work * window);
    bench_param_text(&p, "call", "MPI_Isend");
    bench_param_integer(&p, "message_bytes", bytes);
    bench_param_integer(&p, "window", window);
    mpijob_emit(strcmp(metric, "rate") == 0 ? "mpi_rate" : "mpi_bandwidth", &p, metric, unit, &rates, right, stop);
}

/* Bytes over half a round trip: all that is done for a message, one after the other. */
static void written(struct exchange *x, long bytes)
{
    const double budget = mpijob_case("written and read");
    struct bench_params p = mpijob_params();
    enum bench_stop stop;
    bool right;

    x->bytes = bytes;
    right = check(x);
    stop = mpijob_measure(written_ping_pong, x, budget, MPIJOB_RANK0, &samples);
    right = mpijob_right(bench_fresh_right()) && right;
    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_series_invert(&rates, &samples, (double)bytes);
    bench_param_text(&p, "call", "MPI_Send");
    bench_param_cache(&p, BENCH_WRITTEN, 0);
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("mpi_latency", &p, "latency", "us", &samples, right, stop);
    mpijob_emit("mpi_bandwidth", &p, "bandwidth", "MB/s", &rates, right, stop);
}

static void untouched(struct exchange *x)
{
    for (long bytes = 8; bytes <= 65536; bytes *= bench_options.quick ? 8 : 2)
        latency(x, bytes);
    streams(x, 8, WINDOW, "rate", "Mmsg/s", 1e3);
    for (long bytes = 1024; bytes <= LARGEST; bytes *= bench_options.quick ? 4 : 2)
        streams(x, bytes, bytes <= 65536 ? WINDOW : 8, "bandwidth", "MB/s", 1e3 * (double)bytes);
}

static int cases(int caches)
{
    int n = caches & 1 << BENCH_WRITTEN ? bench_fresh_sizes() : 0;

    if (caches & 1 << BENCH_HOT)
        n += bench_options.quick ? 5 + 1 + 8 : 14 + 1 + 15;
    return n;
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_pt2pt", "latency, message rate and bandwidth between two ranks",
                                                  2, 12, 5};
    const int both = 1 << BENCH_HOT | 1 << BENCH_WRITTEN;
    static struct exchange x;
    int caches;

    mpijob_start(argc, argv, &program);
    caches = bench_caches(both, both, both);
    x.send = malloc(LARGEST);
    x.receive = malloc(LARGEST);
    if (!x.send || !x.receive)
        mpijob_fatal("out of memory");
    memset(x.send, 1, LARGEST);
    memset(x.receive, 2, LARGEST);
    bench_plan_begin(cases(caches), bench_options.max_seconds);
    if (caches & 1 << BENCH_HOT)
        untouched(&x);
    for (size_t bytes = BENCH_FRESH_SMALLEST; bytes && caches & 1 << BENCH_WRITTEN; bytes = bench_next_fresh(bytes))
        written(&x, (long)bytes);
    free(x.send);
    free(x.receive);
    return mpijob_finish();
}
