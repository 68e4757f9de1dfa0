/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The echo of doubles that lie a stride apart, between ranks 0 and 1: by a vector type under the MPI_BUFFER_MAX that
 * the T3E-900 study calls best, where the library has it, and as MPI is set; synchronous and buffered; and by MPI_Pack
 * and MPI_Unpack.
 */
#include <stdlib.h>

#include "../common/strides.h"
#include "mpijob_echo.h"
#include "mpijob_variable.h"

#define TAG 7
#define BEST 4099 /* bytes: the study's MPI_BUFFER_MAX */

struct strided {
    struct mpijob_echo e; /* first: a body gets this */
    int stride, size;     /* bytes of what is packed */
    char *packed_out, *packed_in;
};
static struct bench_series samples, rates;

static void packed_send(struct strided *s, size_t at, MPI_Request *r)
{
    int end = 0;

    MPI_Pack(s->e.out + at, 1, s->e.type, s->packed_out, s->size, &end, s->e.pair);
    MPI_Isend(s->packed_out, end, MPI_PACKED, 1 - s->e.me, TAG, s->e.pair, r);
}

static void unpack(struct strided *s, size_t at)
{
    int begin = 0;

    MPI_Unpack(s->packed_in, s->size, &begin, s->e.in + at, 1, s->e.type, s->e.pair);
}

static void packed_echo(void *arg, long reps)
{
    struct strided *s = arg;
    MPI_Request r[2];

    for (long i = 0; i < reps; i++) {
        const size_t at = bench_buffers_next(&s->e.turn);

        if (s->e.me == 0) {
            packed_send(s, at, &r[0]);
            MPI_Irecv(s->packed_in, s->size, MPI_PACKED, 1, TAG, s->e.pair, &r[1]);
            MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
            unpack(s, at);
        } else {
            MPI_Recv(s->packed_in, s->size, MPI_PACKED, 0, TAG, s->e.pair, MPI_STATUS_IGNORE);
            unpack(s, at);
            packed_send(s, at, &r[0]);
            MPI_Wait(&r[0], MPI_STATUS_IGNORE);
        }
    }
}

/* The first is the T3E's, whose standard sends of more than that are synchronous; the one without a name is the
 * Origin's. */
static const struct way {
    const char *mode, *datatype;
    enum mpijob_mode send;
    bench_body *body;
    bool limited; /* by MPI_BUFFER_MAX */
} ways[] = {
    {"synchronous, optimal MPI_BUFFER_MAX", "MPI_Type_vector", MPIJOB_STANDARD, mpijob_echo, true},
    {NULL, "MPI_Type_vector", MPIJOB_STANDARD, mpijob_echo, false},
    {"synchronous", "MPI_Type_vector", MPIJOB_SYNCHRONOUS, mpijob_echo, false},
    {"buffered", "MPI_Type_vector", MPIJOB_BUFFERED, mpijob_echo, false},
    {"standard", "MPI_Pack", MPIJOB_STANDARD, packed_echo, false},
};
#define WAYS (int)(sizeof ways / sizeof *ways)

static struct bench_params parameters(const struct strided *s, const struct way *w)
{
    struct bench_params p = mpijob_params();

    if (w->mode)
        bench_param_text(&p, "mode", w->mode);
    if (w->limited)
        bench_param_integer(&p, "buffer_max", BEST);
    bench_param_text(&p, "datatype", w->datatype);
    bench_param_cache(&p, s->e.cache, 2 * s->e.rotates);
    bench_param_integer(&p, "message_bytes", BENCH_STRIDE_DOUBLES * (long)sizeof(double));
    return p;
}

static bool check(struct strided *s)
{
    bool right = true;

    for (int round = 1; s->e.pair != MPI_COMM_NULL && round <= 2; round++) {
        const size_t at = s->e.turn.at;

        bench_strides_fill((double *)(void *)(s->e.out + at), s->stride, s->e.me, round);
        s->e.body(s, 1);
        right =
            bench_strides_check((const double *)(const void *)(s->e.in + at), s->stride, 1 - s->e.me, round) && right;
    }
    return mpijob_right(right);
}

static void one_stride(struct strided *s, const struct way *w, struct bench_strides *all)
{
    const double budget = mpijob_case(w->datatype);
    struct bench_params p = parameters(s, w);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right;

    s->e.extent = BENCH_STRIDE_SPAN(s->stride);
    mpijob_echo_case(&s->e);
    MPI_Type_vector(BENCH_STRIDE_DOUBLES, 1, s->stride, MPI_DOUBLE, &s->e.type);
    MPI_Type_commit(&s->e.type);
    MPI_Pack_size(1, s->e.type, MPI_COMM_WORLD, &s->size);
    s->packed_out = malloc((size_t)s->size);
    s->packed_in = malloc((size_t)s->size);
    if (!s->packed_out || !s->packed_in)
        mpijob_fatal("mpi_strides: out of memory");
    right = check(s);
    if (s->e.pair != MPI_COMM_NULL)
        stop = mpijob_echo_measure(&s->e, budget, &samples);
    if (mpijob.rank == 0) {
        bench_param_integer(&p, "stride", s->stride);
        bench_series_invert(&rates, &samples, BENCH_STRIDE_DOUBLES * (double)sizeof(double));
        mpijob_emit("echo with strides", &p, "bandwidth", "MB/s", &rates, right, stop);
        bench_strides_add(all, s->stride, bench_stats(&rates).median, right);
    }
    MPI_Type_free(&s->e.type);
    free(s->packed_out);
    free(s->packed_in);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Once through all the memory with plain messages, whatever the strides. */
static void lap(const struct strided *s)
{
    struct mpijob_echo e = s->e;

    e.mode = MPIJOB_STANDARD;
    e.body = mpijob_echo;
    e.type = MPI_CHAR;
    e.count = (int)BENCH_STRIDE_LARGEST;
    e.extent = BENCH_STRIDE_LARGEST;
    mpijob_echo_lap(&e);
}

static void all_strides(struct strided *s, const struct way *w)
{
    const struct bench_params p = parameters(s, w);
    struct bench_strides all = {.n = 0};

    s->e.mode = w->send;
    s->e.body = w->body;
    lap(s);
    for (s->stride = bench_next_stride(0); s->stride; s->stride = bench_next_stride(s->stride))
        one_stride(s, w, &all);
    bench_strides_report(&p, &all);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_strides", "echo of doubles a stride apart", 2, 30, 4};
    struct strided s = {.e = {.count = 1}};
    unsigned long long limit = 0;
    bool can_limit;
    int caches;

    mpijob_own(bench_strides_options);
    mpijob_start(argc, argv, &program);
    if (bench_strides_wrong())
        mpijob_fatal("mpi_strides: %s", bench_strides_wrong());
    caches = bench_caches(1 << BENCH_FLUSHED, BENCH_UNTOUCHED, BENCH_UNTOUCHED);
    mpijob_echo_room(&s.e, BENCH_STRIDE_LARGEST, caches);
    mpijob_echo_attach(BENCH_STRIDE_DOUBLES * sizeof(double));
    mpijob_echo_pair(&s.e, 0, 1);
    can_limit = mpijob_variable_open();
    if (can_limit)
        limit = mpijob_variable_get();
    bench_plan_begin((can_limit ? WAYS : WAYS - 1) * bench_caches_count(caches) * bench_strides_count(),
                     bench_options.max_seconds);
    for (int i = can_limit ? 0 : 1; i < WAYS; i++) {
        if (can_limit)
            mpijob_variable_set(ways[i].limited ? BEST : limit);
        for (int cache = 0; cache < BENCH_CACHES; cache++) {
            s.e.cache = (enum bench_cache)cache;
            if (caches & 1 << cache)
                all_strides(&s, &ways[i]);
        }
    }
    mpijob_variable_close();
    mpijob_echo_unpair(&s.e);
    mpijob_echo_detach();
    free(s.e.out);
    free(s.e.in);
    return mpijob_finish();
}
