/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS over interfaces of messages. COMMS1: the first two processes send a message to and fro; COMMS2:
 * both send at once; COMMS3: every process sends to every other. Over SHMEM and MPI they are comms.c and
 * mpi/mpi_comms.c.
 */
#include "../common/comms.h"

#include "face.h"

#define MAX_PROCESSES 64

enum pattern { COMMS1, COMMS2, COMMS3, PATTERNS };
static const char *const tests[] = {"COMMS1", "COMMS2", "COMMS3"};
static struct bench_series samples, rates;

struct comms {
    enum pattern pattern;
    const struct face_way *way;
    enum bench_cache cache;
    long bytes;
    long round; /* the same on all */
};

static void to_and_fro(const struct comms *c)
{
    if (face.me == 0) {
        face_write(c->bytes, c->round);
        face_send(c->way, 1, c->bytes);
    }
    if (face.me < 2)
        face_receive_and_read(c->way, 1 - face.me, c->bytes, c->round);
    if (face.me == 1) {
        face_write(c->bytes, c->round);
        face_send(c->way, 0, c->bytes);
    }
}

static void both_at_once(const struct comms *c)
{
    if (face.me > 1)
        return;
    face_write(c->bytes, c->round);
    face_send(c->way, 1 - face.me, c->bytes);
    face_receive_and_read(c->way, 1 - face.me, c->bytes, c->round);
}

/* One message for all; places to send from don't rotate where it is written anew. */
static void all_to_all(const struct comms *c)
{
    face_write(c->bytes, c->round);
    for (int d = 1; d < face.n; d++)
        face_send(c->way, (face.me + d) % face.n, c->bytes);
    for (int d = 1; d < face.n; d++)
        face_receive_and_read(c->way, (face.me + face.n - d) % face.n, c->bytes, c->round);
}

static void run(void *comms, long reps)
{
    static void (*const bodies[])(const struct comms *) = {to_and_fro, both_at_once, all_to_all};
    struct comms *const c = comms;

    for (long i = 0; i < reps; i++) {
        c->round++;
        bodies[c->pattern](c);
    }
}

/* What each process sends says whose it is. */
static bool check(struct comms *c)
{
    const size_t bytes = (size_t)c->bytes;
    const int me = face.me;
    const char *came[MAX_PROCESSES];
    bool right = true;

    face_fresh(false);
    for (int round = 1; round <= 2; round++) {
        for (int from = 0; from < face.n; from++)
            came[from] = face_in(from);
        for (int to = 0; to < (c->pattern == COMMS3 ? face.n - 1 : 1); to++)
            bench_pattern_fill(face_out_ahead(to), bytes, bench_pattern_seed(me, bytes, round));
        face_barrier();
        run(c, 1);
        for (int from = 0; from < face.n; from++)
            if (from != me && (c->pattern == COMMS3 || (me < 2 && from < 2)))
                right = bench_pattern_check(came[from], bytes, bench_pattern_seed(from, bytes, round)) && right;
        face_barrier();
    }
    face_fresh(true);
    return face_right(right);
}

static void emit(const struct bench_params *p, const char *metric, const char *unit, const struct bench_series *s,
                 bool right, enum bench_stop stop)
{
    bench_report_write(&(struct bench_record){.test = "message time",
                                              .metric = metric,
                                              .unit = unit,
                                              .params = p,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop)});
}

static struct bench_params parameters(const struct comms *c)
{
    struct bench_params p = face_params(c->way);

    face_param_cache(&p, c->cache);
    return p;
}

static double one_way(void *comms, long bytes, bool *right)
{
    struct comms *const c = comms;
    const char *const test = tests[c->pattern];
    const double budget = face_case("%s %s %ld bytes", test, c->way->call, bytes);
    const double messages = c->pattern == COMMS3 ? face.n * (face.n - 1.0) : 2;
    struct bench_params p = parameters(c);
    enum bench_stop stop;
    double us = 0;
    bool mine;

    c->bytes = bytes;
    face_cache(c->cache, bytes, c->pattern != COMMS3);
    mine = check(c);
    stop = face_measure(run, c, budget, c->pattern == COMMS3, &samples);
    if (c->cache == BENCH_WRITTEN)
        mine = face_right(bench_fresh_right()) && mine;
    *right = *right && mine;
    if (face.me == 0) {
        bench_series_scale(&samples, &samples, 1e-3 / messages);
        us = bench_stats(&samples).median;
        bench_param_text(&p, "pattern", test);
        bench_param_integer(&p, "message_bytes", bytes);
        emit(&p, "latency", "us", &samples, mine, stop);
        bench_series_invert(&rates, &samples, (double)bytes);
        if (bytes > 0)
            emit(&p, "bandwidth", "MB/s", &rates, mine, stop);
    }
    return (double)face_agree((long)(us * 1e6)) * 1e-6; /* in picoseconds: processes agree on integers */
}

/* With --quick each way to and fro, and some of them in the other patterns. */
static bool wanted(enum pattern pattern, const struct face_way *way)
{
    return way->brief || pattern == COMMS1 || !bench_options.quick;
}

static void run_pattern(enum pattern pattern, enum bench_cache cache)
{
    for (const struct face_way *way = face_ways; way->call; way++) {
        struct comms c = {.pattern = pattern, .way = way, .cache = cache};
        const struct bench_params p = parameters(&c);

        if (!wanted(pattern, way))
            continue;
        if (cache == BENCH_ROTATING) {
            c.bytes = BENCH_COMMS_LARGEST;
            face_cache(cache, c.bytes, pattern != COMMS3);
            run(&c, face_lap());
        }
        bench_comms(&(struct bench_comms){tests[pattern], &p, one_way, &c});
    }
}

static int cases(void)
{
    int n = 0;

    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (const struct face_way *way = face_ways; way->call; way++)
            n += wanted((enum pattern)pattern, way);
    return n * bench_comms_cases() * bench_caches_count(face_caches);
}

int main(int argc, char **argv)
{
    static const struct face_program program = {
        "comms",        "time of a message by its size: COMMS1, COMMS2, COMMS3",  2, 30, 6,
        1 << BENCH_HOT, 1 << BENCH_HOT | 1 << BENCH_ROTATING | 1 << BENCH_WRITTEN};

    face_start(argc, argv, &program, BENCH_COMMS_LARGEST);
    if (face.n > MAX_PROCESSES)
        face_fatal("%s: %d processes; at most %d", program.name, face.n, MAX_PROCESSES);
    bench_plan_begin(cases(), bench_options.max_seconds);
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int cache = 0; cache < BENCH_CACHES; cache++)
            if (face_caches & 1 << cache)
                run_pattern((enum pattern)pattern, (enum bench_cache)cache);
    return face_finish();
}
