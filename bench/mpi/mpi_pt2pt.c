/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Point-to-point between ranks 0 and 1: latency (half a round trip of 8 bytes up), message rate with a window of 64, and
 * bandwidth of malloc'd buffers from 1 KiB to 16 MiB (a window of messages one way, then an answer).
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
    MPI_Request request[WINDOW];
};
static struct bench_series samples, rates;

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
            right = right && x->receive[0] == (1 - mpijob.rank) * 16 + round + 1 && x->receive[x->bytes - 1] == x->receive[0];
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

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_pt2pt", "latency, message rate and bandwidth between two ranks", 2, 12, 5};
    static struct exchange x;

    mpijob_start(argc, argv, &program);
    x.send = malloc(LARGEST);
    x.receive = malloc(LARGEST);
    if (!x.send || !x.receive)
        mpijob_fatal("out of memory");
    memset(x.send, 1, LARGEST);
    memset(x.receive, 2, LARGEST);
    bench_plan_begin(34, bench_options.max_seconds);
    for (long bytes = 8; bytes <= 65536; bytes *= bench_options.quick ? 8 : 2)
        latency(&x, bytes);
    streams(&x, 8, WINDOW, "rate", "Mmsg/s", 1e3);
    for (long bytes = 1024; bytes <= LARGEST; bytes *= bench_options.quick ? 4 : 2)
        streams(&x, bytes, bytes <= 65536 ? WINDOW : 8, "bandwidth", "MB/s", 1e3 * (double)bytes);
    free(x.send);
    free(x.receive);
    return mpijob_finish();
}
