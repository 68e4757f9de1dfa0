/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One-sided: MPI_Put and MPI_Win_flush of 8 bytes and more into the next rank's part of an allocated window, under one
 * lock_all. Rank 0 measures; the others are in a barrier.
 */
#include <string.h>

#include "mpijob.h"

struct put {
    char *base, source[65536];
    MPI_Win window;
    int bytes, target;
};
static struct bench_series samples;

static void put_flush(void *arg, long reps)
{
    struct put *x = arg;

    for (long i = 0; mpijob.rank == 0 && i < reps; i++) {
        MPI_Put(x->source, x->bytes, MPI_CHAR, x->target, 0, x->bytes, MPI_CHAR, x->window);
        MPI_Win_flush(x->target, x->window);
    }
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_put", "latency of put and flush", 2, 4, 2};
    static struct put x;

    mpijob_start(argc, argv, &program);
    x.target = 1;
    MPI_Win_allocate(sizeof x.source, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &x.base, &x.window);
    MPI_Win_lock_all(0, x.window);
    bench_plan_begin(5, bench_options.max_seconds);
    for (x.bytes = 8; x.bytes <= (int)sizeof x.source; x.bytes *= 8) {
        struct bench_params p = mpijob_params();
        const double budget = mpijob_case("put and flush");
        enum bench_stop stop;
        bool right = true;

        memset(x.source, x.bytes % 101 + 1, sizeof x.source);
        put_flush(&x, 1);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(x.window);
        if (mpijob.rank == x.target)
            right = memcmp(x.base, x.source, (size_t)x.bytes) == 0;
        right = mpijob_right(right);
        stop = mpijob_measure(put_flush, &x, budget, MPIJOB_RANK0, &samples);
        bench_series_scale(&samples, &samples, 1e-3);
        bench_param_text(&p, "call", "MPI_Put, MPI_Win_flush");
        bench_param_integer(&p, "message_bytes", x.bytes);
        mpijob_emit("mpi_put", &p, "latency", "us", &samples, right, stop);
    }
    MPI_Win_unlock_all(x.window);
    MPI_Win_free(&x.window);
    return mpijob_finish();
}
