/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Time of collectives over MPI_COMM_WORLD: barrier, and broadcast, reduce, allreduce, allgather and alltoall of 8
 * bytes, 8 KiB and 1 MiB for each rank (alltoall: for each pair). A repetition is one call; the slowest rank's time
 * counts. Written and read (8 and 64 KiB, 1 MiB): every rank writes its input before each call and reads its output
 * after it.
 */
#include <stdlib.h>
#include <string.h>

#include "mpijob.h"

/* Words are doubles, or where they are written anew whole numbers, of which sums are known. */
struct call {
    void *in, *out;
    int count; /* words of 8 bytes */
    MPI_Datatype type;
    long round;
};
static struct bench_series samples;

static void barrier(struct call *c)
{
    (void)c;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(struct call *c)
{
    MPI_Bcast(c->in, c->count, c->type, 0, MPI_COMM_WORLD);
}

static void reduce(struct call *c)
{
    MPI_Reduce(c->in, c->out, c->count, c->type, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void allreduce(struct call *c)
{
    MPI_Allreduce(c->in, c->out, c->count, c->type, MPI_SUM, MPI_COMM_WORLD);
}

static void allgather(struct call *c)
{
    MPI_Allgather(c->in, c->count, c->type, c->out, c->count, c->type, MPI_COMM_WORLD);
}

static void alltoall(struct call *c)
{
    MPI_Alltoall(c->in, c->count, c->type, c->out, c->count, c->type, MPI_COMM_WORLD);
}

/* What a call's buffers hold. Of a block for each rank, or one. */
enum blocks { NONE, ONE, EACH };

static const struct operation {
    const char *name;
    void (*once)(struct call *c);
    bool sized;
    enum blocks in, out;      /* NONE out: the input is the output, too */
    bool from_first, to_first; /* only rank 0 has an input, or gets an output */
    bool sums;
} operations[] = {
    {.name = "MPI_Barrier", .once = barrier},
    {.name = "MPI_Bcast", .once = bcast, .sized = true, .in = ONE, .from_first = true},
    {.name = "MPI_Reduce", .once = reduce, .sized = true, .in = ONE, .out = ONE, .to_first = true, .sums = true},
    {.name = "MPI_Allreduce", .once = allreduce, .sized = true, .in = ONE, .out = ONE, .sums = true},
    {.name = "MPI_Allgather", .once = allgather, .sized = true, .in = ONE, .out = EACH},
    {.name = "MPI_Alltoall", .once = alltoall, .sized = true, .in = EACH, .out = EACH}};
#define OPERATIONS (sizeof operations / sizeof *operations)

struct running {
    const struct operation *o;
    struct call c;
};

static void call_on(void *arg, long reps)
{
    struct running *const r = arg;

    for (long i = 0; i < reps; i++)
        r->o->once(&r->c);
}

static size_t bytes_of(const struct call *c)
{
    return (size_t)c->count * sizeof(double);
}

/* A block for each rank begins with what tells whose it is and whom it is for. */
static int source(int from, int to)
{
    return from * mpijob.size + to;
}

static void compose(const struct operation *o, struct call *c)
{
    c->round++;
    if (o->from_first && mpijob.rank != 0)
        return;
    for (int to = 0; to < (o->in == EACH ? mpijob.size : 1); to++)
        bench_fresh_write((char *)c->in + (size_t)to * bytes_of(c), bytes_of(c), source(mpijob.rank, to), c->round);
}

/* The sum of all ranks' words: they, too, are a constant step apart. */
static void consume_sum(const struct call *c)
{
    uint64_t first = 0;

    for (int from = 0; from < mpijob.size; from++)
        first += bench_fresh_value(source(from, 0), c->round);
    bench_fresh_expect(c->out, bytes_of(c), first, (uint64_t)mpijob.size);
}

static void consume(const struct operation *o, const struct call *c)
{
    const char *const out = o->out == NONE ? c->in : c->out;

    if (o->to_first && mpijob.rank != 0)
        return;
    if (o->sums) {
        consume_sum(c);
        return;
    }
    for (int from = 0; from < (o->out == EACH ? mpijob.size : 1); from++)
        bench_fresh_read(out + (size_t)from * bytes_of(c), bytes_of(c), source(from, o->in == EACH ? mpijob.rank : 0),
                         c->round);
}

static void written(void *arg, long reps)
{
    struct running *const r = arg;

    for (long i = 0; i < reps; i++) {
        compose(r->o, &r->c);
        r->o->once(&r->c);
        consume(r->o, &r->c);
    }
}

static bool block_is(const double *block, int count, double value)
{
    return block[0] == value && block[count - 1] == value;
}

/* Each call once with values that tell whose they are. */
static bool check(const struct operation *o, struct call *c)
{
    const int n = mpijob.size, me = mpijob.rank;
    double *const in = c->in, *const out = c->out;
    bool right = true;

    for (long i = 0; i < (long)c->count * (o->in == EACH ? n : 1); i++)
        in[i] = o->in == EACH ? me * 1000 + (double)(i / c->count) : o->from_first && me != 0 ? -1 : me;
    o->once(c);
    if (o->from_first)
        right = block_is(in, c->count, 0);
    else if (o->sums)
        right = (o->to_first && me != 0) || block_is(out, c->count, n * (n - 1) / 2.0);
    for (int from = 0; o->out == EACH && from < n; from++)
        right = right && block_is(out + (long)from * c->count, c->count, o->in == EACH ? from * 1000 + me : from);
    return mpijob_right(right);
}

static void *room_for(enum blocks blocks, long bytes)
{
    void *const room = calloc(1, (size_t)bytes * (size_t)(blocks == EACH ? mpijob.size : 1) + 8);

    if (!room)
        mpijob_fatal("out of memory");
    return room;
}

static void measure(const struct operation *o, long bytes, enum bench_cache cache)
{
    struct running r = {
        o, {room_for(o->in, bytes), room_for(o->out, bytes), (int)(bytes / (long)sizeof(double)), MPI_DOUBLE, 0}};
    const double budget = mpijob_case(o->name);
    struct bench_params p = mpijob_params();
    enum bench_stop stop;
    bool right = true;

    if (o->sized)
        right = check(o, &r.c);
    memset(r.c.in, 0, (size_t)bytes);
    if (cache == BENCH_WRITTEN)
        r.c.type = MPI_UINT64_T;
    stop = mpijob_measure(cache == BENCH_WRITTEN ? written : call_on, &r, budget, MPIJOB_LONGEST, &samples);
    if (cache == BENCH_WRITTEN)
        right = mpijob_right(bench_fresh_right()) && right;
    bench_series_scale(&samples, &samples, 1e-3);
    bench_param_text(&p, "call", o->name);
    bench_param_integer(&p, "message_bytes", bytes);
    if (cache != BENCH_HOT)
        bench_param_cache(&p, cache, 0);
    mpijob_emit("mpi_collective", &p, "time", "us", &samples, right, stop);
    free(r.c.in);
    free(r.c.out);
}

/* Of buffers that are written anew, no barrier: it has none. */
static void all_of(const long *sizes, int n, enum bench_cache cache)
{
    for (size_t i = 0; i < OPERATIONS; i++)
        for (int k = 0; k < (operations[i].sized ? n : cache == BENCH_HOT); k++)
            measure(&operations[i], operations[i].sized ? sizes[k] : 0, cache);
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_collectives", "time of collectives of all ranks", 1, 12, 5};
    static const long sizes[] = {8, 8192, 1048576}, written_sizes[] = {8192, 65536, 1048576};
    const int hot = 1 << BENCH_HOT, both = hot | 1 << BENCH_WRITTEN, each = (int)OPERATIONS - 1;
    int caches;

    mpijob_start(argc, argv, &program);
    caches = bench_caches(hot, both, both);
    bench_plan_begin((caches & hot ? 1 + 3 * each : 0) + (caches & 1 << BENCH_WRITTEN ? 3 * each : 0),
                     bench_options.max_seconds);
    if (caches & hot)
        all_of(sizes, 3, BENCH_HOT);
    if (caches & 1 << BENCH_WRITTEN)
        all_of(written_sizes, 3, BENCH_WRITTEN);
    return mpijob_finish();
}
