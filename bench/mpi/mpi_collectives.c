/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of collectives over MPI_COMM_WORLD: barrier, and broadcast, reduce, allreduce and alltoall of 8 bytes, 8 KiB and
 * 1 MiB for each rank (alltoall: for each pair). A repetition is one call; the slowest rank's time counts.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

struct call {
    double *in, *out;
    int count; /* doubles */
};
static struct bench_series samples;

static void barrier(void *arg, long reps)
{
    (void)arg;
    for (long i = 0; i < reps; i++)
        MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void *arg, long reps)
{
    struct call *c = arg;

    for (long i = 0; i < reps; i++)
        MPI_Bcast(c->in, c->count, MPI_DOUBLE, 0, MPI_COMM_WORLD);
}

static void reduce(void *arg, long reps)
{
    struct call *c = arg;

    for (long i = 0; i < reps; i++)
        MPI_Reduce(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(void *arg, long reps)
{
    struct call *c = arg;

    for (long i = 0; i < reps; i++)
        MPI_Allreduce(c->in, c->out, c->count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

static void alltoall(void *arg, long reps)
{
    struct call *c = arg;

    for (long i = 0; i < reps; i++)
        MPI_Alltoall(c->in, c->count, MPI_DOUBLE, c->out, c->count, MPI_DOUBLE, MPI_COMM_WORLD);
}

static const struct operation {
    const char *name;
    bench_body *body;
    bool sized, all; /* all: buffers of a block for each rank */
} operations[] = {{"MPI_Barrier", barrier, false, false},
                  {"MPI_Bcast", bcast, true, false},
                  {"MPI_Reduce", reduce, true, false},
                  {"MPI_Allreduce", allreduce, true, false},
                  {"MPI_Alltoall", alltoall, true, true}};

/* Each call once with values that tell whose they are. */
static bool check(const struct operation *o, struct call *c)
{
    const int n = mpijob.size, me = mpijob.rank, blocks = o->all ? n : 1;
    const double sum = n * (n - 1) / 2.0;
    bool right = true;

    for (long i = 0; i < (long)c->count * blocks; i++)
        c->in[i] = o->all ? me * 1000 + (double)(i / c->count) : o->body == bcast && me != 0 ? -1 : me;
    o->body(c, 1);
    if (o->body == bcast)
        right = c->in[0] == 0 && c->in[c->count - 1] == 0;
    if (o->body == allreduce || (o->body == reduce && me == 0))
        right = c->out[0] == sum && c->out[c->count - 1] == sum;
    for (int from = 0; o->all && from < n; from++)
        right = right && c->out[(long)from * c->count] == from * 1000 + me && c->out[(long)(from + 1) * c->count - 1] == from * 1000 + me;
    return mpijob_right(right);
}

static void measure(const struct operation *o, long bytes)
{
    struct call c = {NULL, NULL, (int)(bytes / (long)sizeof(double))};
    const size_t room = (size_t)bytes * (size_t)(o->all ? mpijob.size : 1) + 8;
    const double budget = mpijob_case(o->name);
    struct bench_params p = mpijob_params();
    enum bench_stop stop;
    bool right = true;

    c.in = calloc(1, room);
    c.out = calloc(1, room);
    if (!c.in || !c.out)
        mpijob_fatal("out of memory");
    if (o->sized)
        right = check(o, &c);
    for (int i = 0; o->sized && i < c.count; i++)
        c.in[i] = 0;
    stop = mpijob_measure(o->body, &c, budget, MPIJOB_LONGEST, &samples);
    bench_series_scale(&samples, &samples, 1e-3);
    bench_param_text(&p, "call", o->name);
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("mpi_collective", &p, "time", "us", &samples, right, stop);
    free(c.in);
    free(c.out);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_collectives", "time of collectives of all ranks", 1, 12, 5};
    static const long sizes[] = {8, 8192, 1048576};

    mpijob_start(argc, argv, &program);
    bench_plan_begin(13, bench_options.max_seconds);
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        for (size_t k = 0; k < (operations[i].sized ? 3 : 1); k++)
            measure(&operations[i], operations[i].sized ? sizes[k] : 0);
    return mpijob_finish();
}
