/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The two things that most ask of a library first, for `mpt picture`: half a round trip of messages between two ranks,
 * and a barrier of as many ranks as there are. Short, so that libraries can take turns many times.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

#define SMALLEST 8l
#define LARGEST (512l << 10)
#define STEP 4 /* from one size to the next */

static char *out, *in;
static struct bench_series samples;

static void ping_pong(void *arg, long reps)
{
    const int n = (int)*(const long *)arg, first = mpijob.rank == 0;

    for (long i = 0; i < reps && mpijob.rank < 2; i++) {
        if (first)
            MPI_Send(out, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
        MPI_Recv(in, n, MPI_CHAR, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (!first)
            MPI_Send(out, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
}

static void barriers(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

/* Each rank's bytes must have reached the other one. */
static bool arrived(long bytes)
{
    bool right = true;

    memset(out, mpijob.rank + 1, (size_t)bytes);
    memset(in, 0, (size_t)bytes);
    ping_pong(&bytes, 1);
    for (long i = 0; i < bytes && mpijob.rank < 2; i++)
        right = right && in[i] == 2 - mpijob.rank;
    return mpijob_right(right);
}

static void latency(long bytes)
{
    const double budget = mpijob_case("latency");
    const bool right = arrived(bytes);
    struct bench_params p = mpijob_params();
    const enum bench_stop stop = mpijob_measure(ping_pong, &bytes, budget, MPIJOB_RANK0, &samples);

    bench_series_scale(&samples, &samples, 0.5e-3);
    bench_param_text(&p, "call", "MPI_Send");
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("mpi_glance", &p, "latency", "us", &samples, right, stop);
}

static void barrier(void)
{
    const double budget = mpijob_case("barrier");
    struct bench_params p = mpijob_params();
    const enum bench_stop stop = mpijob_measure(barriers, NULL, budget, MPIJOB_RANK0, &samples);

    bench_series_scale(&samples, &samples, 1e-3);
    bench_param_text(&p, "call", "MPI_Barrier");
    mpijob_emit("mpi_glance", &p, "barrier_time", "us", &samples, true, stop);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_glance", "latency of two ranks, barrier of all", 2, 4, 1};
    int sizes = 0;

    mpijob_start(argc, argv, &program);
    for (long bytes = SMALLEST; mpijob.size == 2 && bytes <= LARGEST; bytes *= STEP)
        sizes++;
    bench_plan_begin(sizes + 1, bench_options.max_seconds);
    barrier();
    out = malloc(LARGEST);
    in = malloc(LARGEST);
    if (!out || !in)
        mpijob_fatal("out of memory");
    for (long bytes = SMALLEST; sizes > 0; bytes *= STEP, sizes--)
        latency(bytes);
    free(out);
    free(in);
    return mpijob_finish();
}
