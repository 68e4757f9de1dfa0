/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPT paper's global reductions over MPI: one word by all-put, all-get through rank 0 (one-sided, between fences),
 * and by the library's own reduction; a vector of 100,000 by a log2 reduction written with messages, and by the
 * library's.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/reductions.h"
#include "mpijob.h"

#define ELEMENTS BENCH_VECTOR
#define TAG 3

static struct {
    long *words; /* rank 0's window: a word of each rank, and the result */
    MPI_Win window;
    long mine, result;
    double *vector, *sum, *in;
} area;
static struct bench_series samples;

static enum bench_reduction current; /* BENCH_REDUCTIONS: the vector's sum */
static const MPI_Op *ops;

static void through_0(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, area.window);
        MPI_Put(&area.mine, 1, MPI_LONG, 0, mpijob.rank, 1, MPI_LONG, area.window);
        MPI_Win_fence(0, area.window);
        if (mpijob.rank == 0)
            area.words[mpijob.size] = bench_reduction_of(current, area.words, mpijob.size);
        MPI_Win_fence(0, area.window);
        MPI_Get(&area.result, 1, MPI_LONG, 0, mpijob.size, 1, MPI_LONG, area.window);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, area.window);
    }
}

static void library_word(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Allreduce(&area.mine, &area.result, 1, MPI_LONG, ops[current], MPI_COMM_WORLD);
}

static void library_vector(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Allreduce(area.vector, area.sum, ELEMENTS, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void add_from(int from)
{
    MPI_Recv(area.in, ELEMENTS, MPI_DOUBLE, from, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (long i = 0; i < ELEMENTS; i++)
        area.sum[i] += area.in[i];
}

static void exchange_with(int other)
{
    MPI_Sendrecv(area.sum, ELEMENTS, MPI_DOUBLE, other, TAG, area.in, ELEMENTS, MPI_DOUBLE, other, TAG, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    for (long i = 0; i < ELEMENTS; i++)
        area.sum[i] += area.in[i];
}

/* Recursive doubling; ranks beyond the largest power of two give theirs to a partner and get the result from it. */
static void log2_sum(void *arg, long reps)
{
    const int me = mpijob.rank;
    int power = 1;

    (void)arg;
    while (2 * power <= mpijob.size)
        power *= 2;
    for (long i = 0; i < reps; i++) {
        memcpy(area.sum, area.vector, ELEMENTS * sizeof *area.sum);
        if (me >= power) {
            MPI_Send(area.sum, ELEMENTS, MPI_DOUBLE, me - power, TAG, MPI_COMM_WORLD);
            MPI_Recv(area.sum, ELEMENTS, MPI_DOUBLE, me - power, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            continue;
        }
        if (me + power < mpijob.size)
            add_from(me + power);
        for (int distance = 1; distance < power; distance *= 2)
            exchange_with(me ^ distance);
        if (me + power < mpijob.size)
            MPI_Send(area.sum, ELEMENTS, MPI_DOUBLE, me + power, TAG, MPI_COMM_WORLD);
    }
}

static bool check_word(bench_body *body)
{
    bool right = true;

    for (int round = 0; round < BENCH_WORD_ROUNDS; round++) {
        area.mine = bench_reduction_word(current, round, mpijob.rank, mpijob.size);
        area.result = -1;
        body(NULL, 1);
        right = right && area.result == bench_reduction_due(current, round, mpijob.size);
    }
    return mpijob_right(right);
}

static bool check_vector(bench_body *body)
{
    bench_vector_fill(area.vector, mpijob.rank);
    memset(area.sum, 0, ELEMENTS * sizeof *area.sum);
    body(NULL, 1);
    return mpijob_right(bench_vector_check(area.sum, mpijob.size));
}

static void run(const char *algorithm, const char *call, bench_body *body)
{
    const bool vector = current == BENCH_REDUCTIONS;
    const char *const what = vector ? "vector sum" : bench_reduction_name(current);
    const double budget = mpijob_case(what);
    const bool right = vector ? check_vector(body) : check_word(body);
    const enum bench_stop stop = mpijob_measure(body, NULL, budget, MPIJOB_RANK0, &samples);
    struct bench_params p = mpijob_params();

    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_text(&p, "algorithm", algorithm);
    bench_param_text(&p, "call", call);
    if (vector)
        bench_param_integer(&p, "elements", ELEMENTS);
    else
        bench_param_text(&p, "operation", what);
    mpijob_emit(vector ? "global vector sum" : "one-word global reduction", &p, "time", "ms", &samples, right, stop);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_reduce", "global reductions of a word and of a vector", 1, 12,
                                                  3};
    const MPI_Op operations[BENCH_REDUCTIONS] = {MPI_SUM, MPI_MAX, MPI_LAND};

    ops = operations;
    mpijob_start(argc, argv, &program);
    MPI_Win_allocate((mpijob.rank == 0 ? mpijob.size + 1 : 0) * (MPI_Aint)sizeof(long), sizeof(long), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &area.words, &area.window);
    area.vector = malloc(ELEMENTS * sizeof *area.vector);
    area.sum = malloc(ELEMENTS * sizeof *area.sum);
    area.in = malloc(ELEMENTS * sizeof *area.in);
    if (!area.vector || !area.sum || !area.in)
        mpijob_fatal("mpi_reduce: out of memory");
    bench_plan_begin(8, bench_options.max_seconds);
    for (current = 0; current < BENCH_REDUCTIONS; current++) {
        run(BENCH_BY_HAND, "MPI_Put, MPI_Get", through_0);
        run("library", "MPI_Allreduce", library_word);
    }
    run("log2 reduction", "MPI_Sendrecv", log2_sum);
    run("library", "MPI_Allreduce", library_vector);
    free(area.vector);
    free(area.sum);
    free(area.in);
    MPI_Win_free(&area.window);
    return mpijob_finish();
}
