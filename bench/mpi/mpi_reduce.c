/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MPT paper's global reductions over MPI: one word by all-put, all-get through rank 0 (one-sided, between fences), and
 * by the library's own reduction; a vector of 100,000 by a log2 reduction written with messages, and by the library's.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

#define ELEMENTS 100000
#define THROUGH_0 "all-put, all-get from PE 0"
#define TAG 3

static struct {
    long *words; /* rank 0's window: a word of each rank, and the result */
    MPI_Win window;
    long mine, result;
    double *vector, *sum, *in;
} area;
static struct bench_series samples;

static const struct operation {
    const char *name;
    MPI_Op op;
} *current;

/* Of rank 0's words; the three operations that the paper has. */
static long reduce(const long *w)
{
    long sum = 0, most = w[0], all = 1;

    for (int i = 0; i < mpijob.size; i++) {
        sum += w[i];
        most = w[i] > most ? w[i] : most;
        all = all && w[i];
    }
    return current->op == MPI_SUM ? sum : current->op == MPI_MAX ? most : all;
}

static void through_0(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++) {
        MPI_Win_fence(MPI_MODE_NOPRECEDE, area.window);
        MPI_Put(&area.mine, 1, MPI_LONG, 0, mpijob.rank, 1, MPI_LONG, area.window);
        MPI_Win_fence(0, area.window);
        if (mpijob.rank == 0)
            area.words[mpijob.size] = reduce(area.words);
        MPI_Win_fence(0, area.window);
        MPI_Get(&area.result, 1, MPI_LONG, 0, mpijob.size, 1, MPI_LONG, area.window);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, area.window);
    }
}

static void library_word(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Allreduce(&area.mine, &area.result, 1, MPI_LONG, current->op, MPI_COMM_WORLD);
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

/* Words that show who was left out: sums differ, the largest is one rank's, and one rank alone has the zero. */
static bool check_word(bench_body *body)
{
    const long n = mpijob.size, sum = 1000 * n + n * (n - 1) / 2;
    const long due = current->op == MPI_SUM ? sum : current->op == MPI_MAX ? 77 : 0;
    bool right;

    area.mine = current->op == MPI_SUM ? 1000 + mpijob.rank : current->op == MPI_MAX ? mpijob.rank % 7 : mpijob.rank != n - 1;
    if (current->op == MPI_MAX && mpijob.rank == n / 2)
        area.mine = 77;
    area.result = -1;
    body(NULL, 1);
    right = area.result == due;
    if (current->op == MPI_LAND) {
        area.mine = 1;
        body(NULL, 1);
        right = right && area.result == 1;
    }
    return mpijob_right(right);
}

static bool check_vector(bench_body *body)
{
    const double n = mpijob.size;
    bool right = true;

    for (long i = 0; i < ELEMENTS; i++) {
        area.vector[i] = (double)((mpijob.rank + 1) * (i % 1000 + 1));
        area.sum[i] = -1;
    }
    body(NULL, 1);
    for (long i = 0; i < ELEMENTS; i++)
        right = right && area.sum[i] == n * (n + 1) / 2 * (double)(i % 1000 + 1);
    return mpijob_right(right);
}

static void run(const char *algorithm, const char *call, bench_body *body)
{
    const double budget = mpijob_case(current ? current->name : "vector sum");
    const bool right = current ? check_word(body) : check_vector(body);
    const enum bench_stop stop = mpijob_measure(body, NULL, budget, MPIJOB_RANK0, &samples);
    struct bench_params p = mpijob_params();

    bench_series_scale(&samples, &samples, 1e-6);
    bench_param_text(&p, "algorithm", algorithm);
    bench_param_text(&p, "call", call);
    if (current)
        bench_param_text(&p, "operation", current->name);
    else
        bench_param_integer(&p, "elements", ELEMENTS);
    mpijob_emit(current ? "one-word global reduction" : "global vector sum", &p, "time", "ms", &samples, right, stop);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_reduce", "global reductions of a word and of a vector", 1, 12, 3};
    const struct operation operations[] = {{"GSUM", MPI_SUM}, {"GMAX", MPI_MAX}, {"GLAND", MPI_LAND}};

    mpijob_start(argc, argv, &program);
    MPI_Win_allocate((mpijob.rank == 0 ? mpijob.size + 1 : 0) * (MPI_Aint)sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &area.words, &area.window);
    area.vector = malloc(ELEMENTS * sizeof *area.vector);
    area.sum = malloc(ELEMENTS * sizeof *area.sum);
    area.in = malloc(ELEMENTS * sizeof *area.in);
    if (!area.vector || !area.sum || !area.in)
        mpijob_fatal("mpi_reduce: out of memory");
    bench_plan_begin(8, bench_options.max_seconds);
    for (int i = 0; i < 3; i++) {
        current = &operations[i];
        run(THROUGH_0, "MPI_Put, MPI_Get", through_0);
        run("library", "MPI_Allreduce", library_word);
    }
    current = NULL;
    run("log2 reduction", "MPI_Sendrecv", log2_sum);
    run("library", "MPI_Allreduce", library_vector);
    free(area.vector);
    free(area.sum);
    free(area.in);
    MPI_Win_free(&area.window);
    return mpijob_finish();
}
