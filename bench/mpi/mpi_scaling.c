/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What grows with the number of ranks: a barrier, an allreduce of 8 bytes and of 64 KiB, a broadcast of 64 KiB, an
 * alltoall of 1 KiB for each pair, and the rate of 8-byte messages that each rank sends to the next one. The short ones
 * come first: a run that takes much longer than its time leaves out the rest.
 */
#include <stdlib.h>

#include "mpijob.h"

#define WINDOW 32 /* messages to the next rank between two barriers */
#define LONG_BYTES (64l << 10)
#define PAIR_BYTES 1024l
#define ROUNDS 8          /* calls of a repetition, so that it matters little which rank is the first to start */
#define SHORT_NS 1000000
#define PATIENCE 3        /* times the seconds that the program has */

static double *in, *out;
static long messages_sent;
static long rounds = 1;
static struct bench_series samples;

static void barrier(int count)
{
    (void)count;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void allreduce(int count)
{
    MPI_Allreduce(in, out, count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void bcast(int count)
{
    MPI_Bcast(out, count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void alltoall(int count)
{
    MPI_Alltoall(in, count, MPI_DOUBLE, out, count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    void (*once)(int count);
    long bytes;
} operations[] = {
    {"MPI_Barrier", barrier, 0},
    {"MPI_Allreduce", allreduce, 8},
    {"MPI_Bcast", bcast, LONG_BYTES},
    {"MPI_Allreduce", allreduce, LONG_BYTES},
    {"MPI_Alltoall", alltoall, PAIR_BYTES},
};
#define OPERATIONS ((int)(sizeof operations / sizeof *operations))
#define SHORT_ONES 2 /* of them, whose ranks keep together by themselves */

static void repeat(void *arg, long reps)
{
    const struct operation *const o = arg;

    for (long i = 0; i < reps * rounds; i++)
        o->once((int)(o->bytes / (long)sizeof *in));
}

/* One call in a repetition, if it takes long. */
static long choose_rounds(const struct operation *o)
{
    int64_t start;

    rounds = 1;
    repeat((void *)o, 1);
    start = bench_now();
    repeat((void *)o, 1);
    return mpijob_agree(bench_now() - start < SHORT_NS ? ROUNDS : 1);
}

static bool every_word_is(double value, long count)
{
    for (long i = 0; i < count; i++)
        if (out[i] != value)
            return false;
    return true;
}

/* Once, with values that tell whose they are; what is measured then has no others. */
static bool check(const struct operation *o)
{
    const long count = o->bytes / (long)sizeof *in, n = mpijob.size, me = mpijob.rank;
    bool right = true;

    for (long i = 0; i < (o->once == alltoall ? n * count : count); i++) {
        in[i] = o->once == alltoall ? (double)(me * n + i / count) : (double)me;
        out[i] = me == 0 ? 7 : -1;
    }
    o->once((int)count);
    if (o->once == allreduce)
        right = every_word_is((double)(n * (n - 1) / 2), count);
    else if (o->once == bcast)
        right = every_word_is(7, count);
    for (long from = 0; o->once == alltoall && from < n; from++)
        right = right && out[from * count] == (double)(from * n + me);
    return mpijob_right(right);
}

static void measure(const struct operation *o)
{
    const double budget = mpijob_case(o->name);
    const bool right = check(o);
    struct bench_params p = mpijob_params();
    enum bench_stop stop;

    rounds = choose_rounds(o);
    stop = mpijob_measure(repeat, (void *)o, budget, o - operations < SHORT_ONES ? MPIJOB_RANK0 : MPIJOB_LONGEST,
                          &samples);
    bench_series_scale(&samples, &samples, 1e-3 / (double)rounds);
    bench_param_text(&p, "call", o->name);
    bench_param_integer(&p, "message_bytes", o->bytes);
    mpijob_emit("mpi_scaling", &p, "time", "us", &samples, right, stop);
}

static void messages(void *arg, long reps)
{
    const int n = mpijob.size, next = (mpijob.rank + 1) % n, before = (mpijob.rank + n - 1) % n;
    MPI_Request requests[2 * WINDOW];

    (void)arg;
    for (long i = 0; i < reps; i++) {
        for (int k = 0; k < WINDOW; k++)
            MPI_Irecv(&out[k], 1, MPI_DOUBLE, before, 0, MPI_COMM_WORLD, &requests[k]);
        for (int k = 0; k < WINDOW; k++) {
            in[k] = (double)++messages_sent;
            MPI_Isend(&in[k], 1, MPI_DOUBLE, next, 0, MPI_COMM_WORLD, &requests[WINDOW + k]);
        }
        MPI_Waitall(2 * WINDOW, requests, MPI_STATUSES_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
    }
}

static void rate(void)
{
    const double budget = mpijob_case("messages");
    const enum bench_stop stop = mpijob_measure(messages, NULL, budget, MPIJOB_RANK0, &samples);
    const bool right = mpijob_right(out[WINDOW - 1] == (double)messages_sent);
    struct bench_params p = mpijob_params();

    bench_series_invert(&samples, &samples, 1e3 * WINDOW * mpijob.size);
    bench_param_text(&p, "call", "MPI_Isend");
    bench_param_integer(&p, "message_bytes", 8);
    mpijob_emit("mpi_scaling", &p, "rate", "Mop/s", &samples, right, stop);
}

static bool late(int64_t start)
{
    return mpijob_agree((double)(bench_now() - start) > PATIENCE * 1e9 * bench_options.max_seconds) != 0;
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_scaling", "collectives and messages against the number of ranks",
                                                  2, 6, 2};
    int64_t start;
    size_t room;

    mpijob_start(argc, argv, &program);
    start = bench_now();
    room = (size_t)(mpijob.size * PAIR_BYTES > LONG_BYTES ? mpijob.size * PAIR_BYTES : LONG_BYTES);
    in = calloc(1, room);
    out = calloc(1, room);
    if (!in || !out)
        mpijob_fatal("out of memory");
    bench_plan_begin(OPERATIONS + 1, bench_options.max_seconds);
    for (int i = 0; i < OPERATIONS && !late(start); i++) {
        if (i == SHORT_ONES)
            rate();
        measure(&operations[i]);
    }
    free(in);
    free(out);
    return mpijob_finish();
}
