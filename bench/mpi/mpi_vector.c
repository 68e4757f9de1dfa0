/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Strided messages, as in the study of derived datatypes of 1998 (its figure 3): a vector of doubles with
 * strides 1 to 32, 256 KiB of data, sent with MPI_Type_vector on both sides; beside it a copy loop written by hand.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

enum { DOUBLES = 32768, STRIDE_MAX = 32 };
struct vector {
    double *send, *receive;
    int stride;
    MPI_Datatype type;
};
static struct bench_series samples, rates;

static void one_way(void *arg, long reps)
{
    struct vector *v = arg;

    for (long i = 0; i < reps; i++) {
        if (mpijob.rank == 0) {
            MPI_Send(v->send, 1, v->type, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(v->receive, 1, v->type, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else if (mpijob.rank == 1) {
            MPI_Recv(v->receive, 1, v->type, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Send(v->send, 1, v->type, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void by_hand(void *arg, long reps)
{
    struct vector *v = arg;

    for (long k = 0; k < reps; k++) {
        for (long i = 0; i < DOUBLES; i++)
            v->receive[i * v->stride] = v->send[i * v->stride];
        __asm__ volatile("" : : : "memory");
    }
}

static void emit(const char *method, struct vector *v, double factor, bool right, enum bench_stop stop)
{
    struct bench_params p = mpijob_params();

    bench_series_invert(&rates, &samples, factor * DOUBLES * sizeof(double));
    bench_param_text(&p, "method", method);
    bench_param_integer(&p, "stride", v->stride);
    bench_param_integer(&p, "message_bytes", DOUBLES * (long)sizeof(double));
    mpijob_emit("mpi_vector", &p, "bandwidth", "MB/s", &rates, right, stop);
}

static bool check(struct vector *v)
{
    bool right = true;

    for (long i = 0; i < DOUBLES; i++)
        v->send[i * v->stride] = (double)i + mpijob.rank;
    one_way(v, 1);
    for (long i = 0; mpijob.rank < 2 && i < DOUBLES; i++)
        right = right && v->receive[i * v->stride] == (double)i + (1 - mpijob.rank);
    return mpijob_right(right);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_vector", "strided messages between two ranks", 2, 8, 4};
    const size_t bytes = (size_t)DOUBLES * STRIDE_MAX * sizeof(double);
    struct vector v = {.stride = 1, .type = MPI_DATATYPE_NULL};

    mpijob_start(argc, argv, &program);
    v.send = malloc(bytes);
    v.receive = malloc(bytes);
    if (!v.send || !v.receive)
        mpijob_fatal("out of memory");
    memset(v.send, 0, bytes);
    memset(v.receive, 0, bytes);
    bench_plan_begin(12, bench_options.max_seconds);
    for (v.stride = 1; v.stride <= STRIDE_MAX; v.stride *= 2) {
        double budget = mpijob_case("vector");
        enum bench_stop stop;
        bool right;

        MPI_Type_vector(DOUBLES, 1, v.stride, MPI_DOUBLE, &v.type);
        MPI_Type_commit(&v.type);
        right = check(&v);
        stop = mpijob_measure(one_way, &v, budget, MPIJOB_RANK0, &samples);
        emit("MPI_Type_vector", &v, 2e3, right, stop);
        MPI_Type_free(&v.type);
        budget = mpijob_case("copy by hand");
        stop = mpijob_measure(by_hand, &v, budget, MPIJOB_RANK0, &samples);
        emit("copy by hand", &v, 1e3, true, stop);
    }
    free(v.send);
    free(v.receive);
    return mpijob_finish();
}
