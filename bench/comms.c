/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ParkBench's COMMS over SHMEM. COMMS1: PEs 0 and 1 put a message to and fro; COMMS2: both put at once, and wait for
 * the other's; COMMS3: every PE puts to every other. A message is there when the word that follows it is.
 */
#include "common/comms.h"
#include "common/job.h"

#define MAX_PES 64
#define ROOM BENCH_COMMS_LARGEST /* for a message */
#define PAGE 4096

enum pattern { COMMS1, COMMS2, COMMS3, PATTERNS };
static const char *const tests[] = {"COMMS1", "COMMS2", "COMMS3"};

static struct {
    char *out, *in;         /* symmetric; `in` has a part for each sender, if there are several at once */
    size_t room, part;      /* bytes that `out` rotates over, and from one sender's part of `in` to the next one's */
    struct bench_buffers sent, come; /* turns of `out`, and of each part of `in`; alike on all PEs that play */
    size_t out_at, in_at;   /* of this repetition */
    long *came;             /* symmetric, by sender: number of its last message */
} area;
static long number; /* of the messages; the same on all PEs that play */
static struct bench_series samples, rates;

struct comms {
    enum pattern pattern;
    bool signal;
    enum bench_cache cache;
    long bytes;
};

static void next_turn(void)
{
    number++;
    area.out_at = bench_buffers_next(&area.sent);
    area.in_at = bench_buffers_next(&area.come);
}

static char *place_of(int from)
{
    return area.in + (size_t)from * area.part + area.in_at;
}

static inline __attribute__((always_inline)) void send(const struct comms *c, int to)
{
    char *const place = place_of(bench_job.me), *const out = area.out + area.out_at;
    long *const word = &area.came[bench_job.me];

#if BENCH_SHMEM(1, 5)
    if (c->signal) {
        shmem_putmem_signal(place, out, (size_t)c->bytes, (uint64_t *)word, (uint64_t)number, SHMEM_SIGNAL_SET, to);
        return;
    }
#endif
    if (c->bytes > 0) {
        shmem_putmem(place, out, (size_t)c->bytes, to);
        shmem_fence();
    }
    shmem_long_p(word, number, to);
}

static inline void receive(const struct comms *c, int from)
{
    shmem_long_wait_until(&area.came[from], SHMEM_CMP_GE, number);
    if (c->cache == BENCH_WRITTEN)
        bench_fresh_read(place_of(from), (size_t)c->bytes, from, number);
}

/* What is sent in this repetition, to whomever. */
static inline void compose(const struct comms *c)
{
    if (c->cache == BENCH_WRITTEN)
        bench_fresh_write(area.out + area.out_at, (size_t)c->bytes, bench_job.me, number);
}

static void to_and_fro(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        next_turn();
        if (bench_job.me == 0) {
            compose(arg);
            send(arg, 1);
            receive(arg, 1);
        } else if (bench_job.me == 1) {
            receive(arg, 0);
            compose(arg);
            send(arg, 0);
        }
    }
}

static void both_at_once(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        next_turn();
        if (bench_job.me < 2) {
            compose(arg);
            send(arg, 1 - bench_job.me);
            receive(arg, 1 - bench_job.me);
        }
    }
}

static void all_to_all(void *arg, long reps)
{
    for (long i = 0; i < reps; i++) {
        next_turn();
        compose(arg);
        for (int d = 1; d < bench_job.npes; d++)
            send(arg, (bench_job.me + d) % bench_job.npes);
        for (int d = 1; d < bench_job.npes; d++)
            receive(arg, (bench_job.me + d) % bench_job.npes);
    }
}

static bench_body *const bodies[] = {to_and_fro, both_at_once, all_to_all};

/* Where the messages of the next case are. With a part of `in` for each sender these share what one alone rotates over.
 */
static void begin_cache(const struct comms *c)
{
    const size_t bytes = (size_t)c->bytes, parts = c->pattern == COMMS3 ? (size_t)bench_job.npes : 1;
    const size_t turns = c->cache == BENCH_ROTATING ? area.room / parts / PAGE * PAGE : 0;

    area.part = c->pattern == COMMS3 ? (c->cache == BENCH_WRITTEN ? 2 : 1) * ROOM + turns : 0;
    bench_job_rotate(&area.sent, c->cache, bytes, area.room);
    bench_buffers_begin(&area.come, c->cache, bytes, turns, bench_buffers_position(&area.sent));
    if (c->cache == BENCH_WRITTEN)
        bench_buffers_two(&area.come, bytes, bench_buffers_position(&area.sent));
    area.out_at = area.in_at = 0;
    bench_cold_clear();
    if (c->cache != BENCH_FLUSHED)
        return;
    bench_cold_add(area.out, bytes);
    for (size_t i = 0; i < parts; i++)
        bench_cold_add(place_of((int)i), bytes);
}

/* What each PE sends says whose it is. */
static bool check(const struct comms *c)
{
    struct comms as_filled = *c;
    const size_t bytes = (size_t)c->bytes;
    const int me = bench_job.me;
    bool right = true;

    as_filled.cache = BENCH_HOT;

    for (int round = 1; round <= 2; round++) {
        bench_pattern_fill(area.out + area.sent.at, bytes, bench_pattern_seed(me, bytes, round));
        shmem_barrier_all();
        bodies[c->pattern](&as_filled, 1);
        for (int from = 0; from < bench_job.npes; from++)
            if (from != me && (c->pattern == COMMS3 || (me < 2 && from < 2)))
                right = bench_pattern_check(place_of(from), bytes, bench_pattern_seed(from, bytes, round)) && right;
        shmem_barrier_all();
    }
    return bench_agree_right(right);
}

static double messages(enum pattern pattern)
{
    return pattern == COMMS3 ? bench_job.npes * (bench_job.npes - 1.0) : 2;
}

static struct bench_params parameters(const struct comms *c)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "call", c->signal ? "shmem_putmem_signal" : "shmem_putmem, shmem_long_p");
    bench_param_cache(&p, c->cache, 2 * area.room);
    return p;
}

static double one_way(void *arg, long bytes, bool *right)
{
    struct comms *c = arg;
    const char *const test = tests[c->pattern];
    const double budget = bench_agree_budget(bench_plan_next("%s %ld bytes", test, bytes));
    struct bench_params p = parameters(c);
    enum bench_stop stop;
    bool mine;

    c->bytes = bytes;
    begin_cache(c);
    mine = check(c);
    stop = bench_measure_together(bodies[c->pattern], c, budget, c->pattern == COMMS3 ? BENCH_SPAN : BENCH_PE0,
                                  &samples, NULL);
    if (c->cache == BENCH_WRITTEN)
        mine = bench_agree_right(bench_fresh_right()) && mine;
    bench_series_scale(&samples, &samples, 1e-3 / messages(c->pattern));
    bench_param_text(&p, "pattern", test);
    bench_param_integer(&p, "message_bytes", bytes);
    bench_emit("message time", &p, "latency", "us", &samples, mine, bench_stop_name(stop));
    if (bytes > 0) {
        bench_series_invert(&rates, &samples, (double)bytes);
        bench_emit("message time", &p, "bandwidth", "MB/s", &rates, mine, bench_stop_name(stop));
    }
    *right = *right && mine;
    /* In whole picoseconds, as PEs agree on integers. */
    return (double)bench_agree(bench_job.me == 0 ? (long)(bench_stats(&samples).median * 1e6) : 0) * 1e-6;
}

static void run_pattern(struct comms c)
{
    const struct bench_params p = parameters(&c);

    if (c.cache == BENCH_ROTATING) {
        c.bytes = ROOM;
        begin_cache(&c);
        bodies[c.pattern](&c, bench_buffers_lap(&area.sent));
    }
    bench_comms(&(struct bench_comms){tests[c.pattern], &p, one_way, &c});
}

static void allocate(int caches)
{
    const size_t largest[] = {ROOM, (size_t)bench_job.npes * ROOM * (caches & 1 << BENCH_WRITTEN ? 2 : 1)};
    char *places[2];

    area.came = shmem_calloc((size_t)bench_job.npes, sizeof *area.came);
    if (!area.came)
        bench_job_fatal("comms: the symmetric heap is too small");
    area.room = bench_job_buffers(2, largest, caches, places);
    area.out = places[0];
    area.in = places[1];
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "comms", "time of a message by its size: COMMS1, COMMS2, COMMS3", NULL, 2, 30, 6};
    const int forms = BENCH_SHMEM(1, 5) ? 2 : 1;
    int caches;

    bench_job_start(argc, argv, &program);
    if (bench_job.npes > MAX_PES)
        bench_job_fatal("comms: at most %d PEs", MAX_PES);
    caches = bench_caches(1 << BENCH_HOT, 1 << BENCH_HOT | 1 << BENCH_ROTATING | 1 << BENCH_WRITTEN, BENCH_ALL_CACHES);
    allocate(caches);
    bench_plan_begin(PATTERNS * forms * bench_caches_count(caches) * bench_comms_cases(), bench_options.max_seconds);
    for (int pattern = 0; pattern < PATTERNS; pattern++)
        for (int cache = 0; cache < BENCH_CACHES; cache++)
            for (int form = 0; form < forms && caches & 1 << cache; form++)
                run_pattern((struct comms){
                    .pattern = (enum pattern)pattern, .signal = form == 1, .cache = (enum bench_cache)cache});
    return bench_job_finish();
}
