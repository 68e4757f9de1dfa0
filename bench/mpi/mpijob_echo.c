/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of mpijob_echo.h, and its measuring by the two ranks alone.
 */
#include "mpijob_echo.h"

#include <stdlib.h>
#include <string.h>

#define TAG 5

static void *buffer;

static const struct {
    const char *name;
    int (*send)(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
} modes[MPIJOB_MODES] = {{"standard", MPI_Isend}, {"synchronous", MPI_Issend}, {"buffered", MPI_Ibsend}};

const char *mpijob_mode_name(enum mpijob_mode mode)
{
    return modes[mode].name;
}

void mpijob_echo_room(struct mpijob_echo *e, size_t largest, int caches)
{
    size_t all;

    e->rotates = mpijob_rotation(caches);
    all = bench_buffers_bytes(e->rotates, largest);
    e->out = malloc(all);
    e->in = malloc(all);
    if (!e->out || !e->in)
        mpijob_fatal("no memory for two buffers of %zu bytes", all);
    memset(e->out, 0, all);
    memset(e->in, 0, all);
}

void mpijob_echo_case(struct mpijob_echo *e)
{
    bench_buffers_begin(&e->turn, e->cache, e->extent, e->rotates, bench_buffers_position(&e->turn));
    bench_cold_clear();
    if (e->cache == BENCH_FLUSHED) {
        bench_cold_add(e->out, e->extent);
        bench_cold_add(e->in, e->extent);
    }
}

void mpijob_echo_lap(struct mpijob_echo *e)
{
    mpijob_echo_case(e);
    if (e->cache == BENCH_ROTATING && e->pair != MPI_COMM_NULL)
        e->body(e, bench_buffers_lap(&e->turn));
}

void mpijob_echo_attach(size_t bytes)
{
    const size_t all = 4 * (bytes + MPI_BSEND_OVERHEAD);

    buffer = malloc(all);
    if (!buffer)
        mpijob_fatal("no memory for a buffer of %zu bytes", all);
    memset(buffer, 0, all);
    MPI_Buffer_attach(buffer, (int)all);
}

void mpijob_echo_detach(void)
{
    void *was;
    int bytes;

    MPI_Buffer_detach(&was, &bytes);
    free(buffer);
}

void mpijob_echo_pair(struct mpijob_echo *e, int first, int second)
{
    const bool in = mpijob.rank == first || mpijob.rank == second;

    e->me = mpijob.rank == first ? 0 : 1;
    e->round = 0;
    MPI_Comm_split(MPI_COMM_WORLD, in ? 0 : MPI_UNDEFINED, e->me, &e->pair);
}

void mpijob_echo_unpair(struct mpijob_echo *e)
{
    if (e->pair != MPI_COMM_NULL)
        MPI_Comm_free(&e->pair);
}

void mpijob_echo(void *echo, long reps)
{
    struct mpijob_echo *const e = echo;
    const int peer = 1 - e->me;
    MPI_Request r[2];

    for (long i = 0; i < reps; i++) {
        const size_t at = bench_buffers_next(&e->turn);

        e->round++;
        if (e->me == 0) {
            mpijob_echo_compose(e, e->out + at);
            modes[e->mode].send(e->out + at, e->count, e->type, peer, TAG, e->pair, &r[0]);
            MPI_Irecv(e->in + at, e->count, e->type, peer, TAG, e->pair, &r[1]);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            mpijob_echo_consume(e, e->in + at);
        } else {
            MPI_Recv(e->in + at, e->count, e->type, peer, TAG, e->pair, MPI_STATUS_IGNORE);
            mpijob_echo_consume(e, e->in + at);
            mpijob_echo_compose(e, e->out + at);
            modes[e->mode].send(e->out + at, e->count, e->type, peer, TAG, e->pair, &r[0]);
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        }
    }
}

void mpijob_echo_as_filled(struct mpijob_echo *e)
{
    const enum bench_cache cache = e->cache;

    e->cache = BENCH_HOT;
    e->body(e, 1);
    e->cache = cache;
}

enum bench_stop mpijob_echo_measure(struct mpijob_echo *e, double budget_ns, struct bench_series *out)
{
    struct bench_sampler sampler;
    char token = 0;

    bench_sampler_begin(&sampler, out, budget_ns);
    for (;;) {
        long reps = e->me == 0 ? bench_sampler_next(&sampler) : 0;
        int64_t t0;

        MPI_Bcast(&reps, 1, MPI_LONG, 0, e->pair);
        if (reps == 0)
            break;
        bench_cold_flush();
        /* The second is ready before the first begins. */
        if (e->me == 0)
            MPI_Recv(&token, 1, MPI_CHAR, 1, TAG + 1, e->pair, MPI_STATUS_IGNORE);
        else
            MPI_Send(&token, 1, MPI_CHAR, 0, TAG + 1, e->pair);
        t0 = bench_now();
        e->body(e, reps);
        if (e->me == 0)
            bench_sampler_give(&sampler, (double)(bench_now() - t0));
    }
    bench_series_scale(out, out, 0.5e-3);
    return sampler.stop;
}
