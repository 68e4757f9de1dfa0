/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS over MPI. COMMS1: ranks 0 and 1 send a message to and fro; COMMS2: both send at once; COMMS3: every
 * rank sends to every other and receives from it.
 */
#include <stdlib.h>
#include <string.h>

#include "../common/comms.h"
#include "mpijob.h"

static struct bench_series samples, rates;

struct comms {
    const char *test;
    bench_body *body;
    enum mpijob_span span;
    double messages; /* that a repetition's time is divided by */
    const char *call;
    char *out, *in; /* COMMS3: a message for each rank */
    long bytes;
    enum bench_cache cache;
    size_t rotates, in_bytes;         /* bytes that `out` rotates over, and all of `in` */
    size_t part;                      /* COMMS3: of `in`, from one rank's places to the next one's */
    struct bench_buffers sent, come; /* turns of `out`, and of each place of `in` */
    MPI_Request *requests;
    long round;
};

/* What is sent in this repetition, to whomever: a new round of this rank's, the same on all that play. */
static char *next_out(struct comms *c)
{
    c->round++;
    return c->out + bench_buffers_next(&c->sent);
}

/* The first rank's place; COMMS3: the others' are parts apart. */
static char *next_in(struct comms *c)
{
    return c->in + bench_buffers_next(&c->come);
}

static void compose(const struct comms *c, char *out)
{
    if (c->cache == BENCH_WRITTEN)
        bench_fresh_write(out, (size_t)c->bytes, mpijob.rank, c->round);
}

static void consume(const struct comms *c, const char *in, int from)
{
    if (c->cache == BENCH_WRITTEN)
        bench_fresh_read(in, (size_t)c->bytes, from, c->round);
}

static void to_and_fro(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes;

    for (long i = 0; i < reps; i++) {
        char *const out = next_out(c), *const in = next_in(c);

        if (mpijob.rank == 0) {
            compose(c, out);
            MPI_Send(out, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD);
            MPI_Recv(in, n, MPI_CHAR, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            consume(c, in, 1);
        } else if (mpijob.rank == 1) {
            MPI_Recv(in, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            consume(c, in, 0);
            compose(c, out);
            MPI_Send(out, n, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
        }
    }
}

static void both_at_once(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes, peer = 1 - mpijob.rank;

    for (long i = 0; i < reps && mpijob.rank < 2; i++) {
        char *const out = next_out(c), *const in = next_in(c);

        compose(c, out);
        MPI_Sendrecv(out, n, MPI_CHAR, peer, 2, in, n, MPI_CHAR, peer, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        consume(c, in, peer);
    }
}

static void all_to_all(void *arg, long reps)
{
    struct comms *c = arg;
    const int n = (int)c->bytes;

    for (long i = 0; i < reps; i++) {
        char *const out = next_out(c), *const in = next_in(c);
        int k = 0;

        compose(c, out);
        for (int d = 1; d < mpijob.size; d++) {
            const int from = (mpijob.rank + mpijob.size - d) % mpijob.size;

            MPI_Irecv(in + (size_t)from * c->part, n, MPI_CHAR, from, 3, MPI_COMM_WORLD, &c->requests[k++]);
        }
        for (int d = 1; d < mpijob.size; d++)
            MPI_Isend(out, n, MPI_CHAR, (mpijob.rank + d) % mpijob.size, 3, MPI_COMM_WORLD, &c->requests[k++]);
        MPI_Waitall(k, c->requests, MPI_STATUSES_IGNORE);
        for (int from = 0; from < mpijob.size; from++)
            if (from != mpijob.rank)
                consume(c, in + (size_t)from * c->part, from);
    }
}

static bool is_all(const struct comms *c)
{
    return c->body == all_to_all;
}

/* Where the messages of the next case are; COMMS3 shares `in` among ranks. */
static void begin_cache(struct comms *c)
{
    const size_t bytes = (size_t)c->bytes, places = is_all(c) ? (size_t)mpijob.size : 1;
    const long position = bench_buffers_position(&c->sent);

    c->part = c->cache == BENCH_ROTATING ? c->in_bytes / places / 4096 * 4096 : bytes;
    bench_buffers_begin(&c->sent, c->cache, bytes, c->rotates, position);
    bench_buffers_begin(&c->come, c->cache, bytes,
                        c->cache == BENCH_ROTATING ? c->part - bench_buffers_bytes(0, bytes) : 0, position);
    bench_cold_clear();
    if (c->cache == BENCH_FLUSHED) {
        bench_cold_add(c->out, bytes);
        bench_cold_add(c->in, places * bytes);
    }
}

/* What each rank sends says whose it is. */
static bool check(struct comms *c)
{
    const size_t bytes = (size_t)c->bytes;
    const bool all = is_all(c);
    const enum bench_cache cache = c->cache;
    bool right = true;

    c->cache = BENCH_HOT; /* what it fills is not to be written anew */
    for (int round = 1; round <= 2; round++) {
        char *const out = c->out + c->sent.at, *const in = c->in + c->come.at;

        bench_pattern_fill(out, bytes, bench_pattern_seed(mpijob.rank, bytes, round));
        MPI_Barrier(MPI_COMM_WORLD);
        c->body(c, 1);
        for (int from = 0; from < mpijob.size; from++)
            if (all ? from != mpijob.rank : mpijob.rank < 2 && from == 1 - mpijob.rank)
                right = bench_pattern_check(in + (all ? (size_t)from * c->part : 0), bytes,
                                            bench_pattern_seed(from, bytes, round)) &&
                        right;
    }
    c->cache = cache;
    return mpijob_right(right);
}

static struct bench_params parameters(const struct comms *c)
{
    struct bench_params p = mpijob_params();

    bench_param_text(&p, "call", c->call);
    bench_param_cache(&p, c->cache, 2 * c->rotates);
    return p;
}

static double one_way(void *arg, long bytes, bool *right)
{
    struct comms *c = arg;
    const double budget = mpijob_case(c->test);
    struct bench_params p = parameters(c);
    enum bench_stop stop;
    double us;
    bool mine;

    c->bytes = bytes;
    begin_cache(c);
    mine = check(c);
    stop = mpijob_measure(c->body, c, budget, c->span, &samples);
    if (c->cache == BENCH_WRITTEN)
        mine = mpijob_right(bench_fresh_right()) && mine;
    bench_series_scale(&samples, &samples, 1e-3 / c->messages);
    bench_param_text(&p, "pattern", c->test);
    bench_param_integer(&p, "message_bytes", bytes);
    mpijob_emit("message time", &p, "latency", "us", &samples, mine, stop);
    if (bytes > 0) {
        bench_series_invert(&rates, &samples, (double)bytes);
        mpijob_emit("message time", &p, "bandwidth", "MB/s", &rates, mine, stop);
    }
    us = mpijob.rank == 0 ? bench_stats(&samples).median : 0;
    MPI_Bcast(&us, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    *right = *right && mine;
    return us;
}

static struct comms cases[] = {
    {.test = "COMMS1", .body = to_and_fro, .span = MPIJOB_RANK0, .messages = 2, .call = "MPI_Send"},
    {.test = "COMMS2", .body = both_at_once, .span = MPIJOB_RANK0, .messages = 2, .call = "MPI_Sendrecv"},
    {.test = "COMMS3", .body = all_to_all, .span = MPIJOB_LONGEST, .call = "MPI_Isend, MPI_Irecv"},
};
#define CASES (int)(sizeof cases / sizeof *cases)

/* The buffers of all cases: touched, and empty. */
static void allocate(struct comms *c, int caches)
{
    const size_t all = (size_t)mpijob.size * BENCH_COMMS_LARGEST;
    size_t out_bytes;

    c->rotates = mpijob_rotation(caches);
    out_bytes = bench_buffers_bytes(c->rotates, BENCH_COMMS_LARGEST);
    c->in_bytes = out_bytes > all ? out_bytes : all;
    c->out = malloc(out_bytes);
    c->in = malloc(c->in_bytes);
    c->requests = malloc(2 * (size_t)mpijob.size * sizeof *c->requests);
    if (!c->out || !c->in || !c->requests)
        mpijob_fatal("mpi_comms: no memory for messages of %zu and %zu bytes", out_bytes, c->in_bytes);
    memset(c->out, 0, out_bytes);
    memset(c->in, 0, c->in_bytes);
}

static void release(struct comms *c)
{
    free(c->out);
    free(c->in);
    free(c->requests);
}

static void run_case(struct comms *c, enum bench_cache cache)
{
    struct bench_params p;

    c->cache = cache;
    if (cache == BENCH_ROTATING) {
        c->bytes = BENCH_COMMS_LARGEST;
        begin_cache(c);
        c->body(c, bench_buffers_lap(&c->sent));
    }
    p = parameters(c);
    bench_comms(&(struct bench_comms){c->test, &p, one_way, c});
}

int main(int argc, char **argv)
{
    static const struct mpijob_program program = {"mpi_comms", "time of a message by its size: COMMS1, COMMS2, COMMS3",
                                                  2, 30, 6};
    struct comms memory = {.test = NULL};
    int caches;

    mpijob_start(argc, argv, &program);
    caches = bench_caches(1 << BENCH_HOT, 1 << BENCH_HOT | 1 << BENCH_ROTATING | 1 << BENCH_WRITTEN, BENCH_ALL_CACHES);
    allocate(&memory, caches);
    cases[CASES - 1].messages = mpijob.size * (mpijob.size - 1.0);
    bench_plan_begin(CASES * bench_caches_count(caches) * bench_comms_cases(), bench_options.max_seconds);
    for (int i = 0; i < CASES; i++) {
        struct comms c = cases[i];

        c.out = memory.out;
        c.in = memory.in;
        c.in_bytes = memory.in_bytes;
        c.rotates = memory.rotates;
        c.requests = memory.requests;
        for (int cache = 0; cache < BENCH_CACHES; cache++)
            if (caches & 1 << cache)
                run_case(&c, (enum bench_cache)cache);
    }
    release(&memory);
    return mpijob_finish();
}
