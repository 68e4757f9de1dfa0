/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS over MPI. COMMS1: ranks 0 and 1 send a message to and fro; COMMS2: both send at once; COMMS3: every
 * rank sends to every other and receives from it.
 */
#include <stdlib.h>

#include "../common/comms.h"
#include "mpijob.h"

static struct bench_series samples, rates;

struct comms {
    const char *test;
    bench_body *body;
    enum mpijob_span span;
    double messages; /* that a repetition's time is divided by */
    const char *call;
    char *out, *in; /* COMMS3: a message for each rank */
    long bytes;
    MPI_Request *requests;
};

static void to_and_fro(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes;

    for (long i = 0; i < reps; i++) {
        if (mpijob.rank == 0) {
            MPI_Send(c->out, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(c->in, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (mpijob.rank == 1) {
            MPI_Recv(c->in, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(c->out, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void both_at_once(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes, peer = 1 - mpijob.rank;

    for (long i = 0; i < reps && mpijob.rank < 2; i++)
        MPI_Sendrecv(c->out, n, MPI_CHAR, peer, 2, c->in, n, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void all_to_all(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes;

    for (long i = 0; i < reps; i++) {
        int k = 0;

        for (int d = 1; d < mpijob.size; d++) {
            const int from = (mpijob.rank + mpijob.size - d) % mpijob.size;

            MPI_Irecv(c->in + from * c->bytes, n, MPI_CHAR, from, 3, MPI_COMM_WORLD, &c->requests[k++]);
        }
        for (int d = 1; d < mpijob.size; d++)
            MPI_Isend(c->out, n, MPI_CHAR, (mpijob.rank + d) % mpijob.size, 3, MPI_COMM_WORLD, &c->requests[k++]);
        MPI_Waitall(k, c->requests, MPI_STATUSES_IGNORE);
    }
}

/* What each rank sends says whose it is. */
static bool check(struct comms *c)
{
    const size_t bytes = (size_t)c->bytes;
    const bool all = c->body == all_to_all;
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        bench_pattern_fill(c->out, bytes, bench_pattern_seed(mpijob.rank, bytes, round));
        MPI_Barrier(MPI_COMM_WORLD);
        c->body(c, 1);
        for (int from = 0; from < mpijob.size; from++)
            if (all ? from != mpijob.rank : mpijob.rank < 2 && from == 1 - mpijob.rank)
                right = bench_pattern_check(c->in + (all ? from * c->bytes : 0), bytes, bench_pattern_seed(from, bytes, round)) && right;
    }
    return mpijob_right(right);
}

static struct bench_params parameters(const struct comms *c)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "call", c->call);
    return p;
}

static double one_way(void *arg, long bytes, bool *right)
{
    struct comms *c = arg;
    const double budget = mpijob_case(c->test);
    struct bench_params p = parameters(c);
    enum bench_stop stop;
    double us;
    bool mine;

    c->bytes = bytes;
    mine = check(c);
    stop = mpijob_measure(c->body, c, budget, c->span, &samples);
    bench_series_scale(&samples, &samples, 1e-3 / c->messages);
    bench_param_text(&p, "pattern", c->test);
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("message time", &p, "latency", "us", &samples, mine, stop);
    if (bytes > 0) {
        bench_series_invert(&rates, &samples, (double)bytes);
        mpijob_emit("message time", &p, "bandwidth", "MB/s", &rates, mine, stop);
    }
    us = mpijob.rank == 0 ? bench_stats(&samples).median : 0;
    MPI_Bcast(&us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *right = *right && mine;
    return us;
}

static struct comms cases[] = {
    {.test = "COMMS1", .body = to_and_fro, .span = MPIJOB_RANK0, .messages = 2, .call = "MPI_Send"},
    {.test = "COMMS2", .body = both_at_once, .span = MPIJOB_RANK0, .messages = 2, .call = "MPI_Sendrecv"},
    {.test = "COMMS3", .body = all_to_all, .span = MPIJOB_LONGEST, .call = "MPI_Isend, MPI_Irecv"},
};
#define CASES (int)(sizeof cases / sizeof *cases)

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_comms", "time of a message by its size: COMMS1, COMMS2, COMMS3", 2, 30, 6};
    char *out, *in;
    MPI_Request *requests;

    mpijob_start(argc, argv, &program);
    out = malloc(BENCH_COMMS_LARGEST);
    in = malloc((size_t)mpijob.size * BENCH_COMMS_LARGEST);
    requests = malloc(2 * (size_t)mpijob.size * sizeof *requests);
    if (!out || !in || !requests)
        mpijob_fatal("mpi_comms: no memory for %d messages of %ld bytes", mpijob.size + 1, BENCH_COMMS_LARGEST);
    cases[CASES - 1].messages = mpijob.size * (mpijob.size - 1.0);
    bench_plan_begin(CASES * bench_comms_cases(), bench_options.max_seconds);
    for (int i = 0; i < CASES; i++) {
        const struct bench_params p = parameters(&cases[i]);

        cases[i].out = out;
        cases[i].in = in;
        cases[i].requests = requests;
        bench_comms(&(struct bench_comms){cases[i].test, &p, one_way, &cases[i]});
    }
    free(out);
    free(in);
    free(requests);
    return mpijob_finish();
}
