/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ping-pong: a message goes to a partner, who waits for it and sends it back; the latency is half the round trip.
 * One word for every pair of PEs alone, as the T3D's ping_pong did, and then all sizes between PEs 0 and 1.
 */
#include "common/job.h"

#include <string.h>

/* Each batch polls another line: how far a line travels depends on its address (see limits). */
#define SPOTS 16
#define STRIDE (4096 + 320)
#define DATA (128 << 10) /* where the data begin */
#define SIZE_MAX_BYTES (4l << 20)
#define STOP (-1L)
#define MOVE (-2L) /* the next batch is at the next spot */

static char global_region[DATA + SIZE_MAX_BYTES] __attribute__((aligned(4096)));

enum form { P, PUT64, PUTMEM, SIGNAL };

/* One side of the pair. The words of the spots hold the last value received there. */
struct side {
    char *base, *data; /* both symmetric; the data are where `turn` is, on both sides */
    struct bench_buffers turn;
    int peer, spot;
    long value;  /* last one sent */
    long served; /* round trips answered */
    size_t bytes;
    bool written; /* data are written before they go and read when they came; the values count rounds */
};

static inline long *word_of(const struct side *s)
{
    return (long *)(s->base + s->spot % SPOTS * STRIDE);
}

static inline __attribute__((always_inline)) void send(const struct side *s, long *word, long value, size_t at,
                                                       size_t bytes, enum form form)
{
    char *const data = s->data + at;

    switch (form) {
    case P:
        shmem_long_p(word, value, s->peer);
        return;
    case PUT64:
        shmem_put64(word, &value, 1, s->peer);
        return;
    case PUTMEM:
        shmem_putmem(data, data, bytes, s->peer);
        shmem_fence();
        shmem_long_p(word, value, s->peer);
        return;
    case SIGNAL:
#if BENCH_SHMEM(1, 5)
        shmem_putmem_signal(data, data, bytes, (uint64_t *)word, (uint64_t)value, SHMEM_SIGNAL_SET, s->peer);
#endif
        return;
    }
}

static inline __attribute__((always_inline)) void await(long *word, int comparison, long value, enum form form)
{
#if BENCH_SHMEM(1, 5)
    if (form == SIGNAL) {
        shmem_signal_wait_until((uint64_t *)word, comparison, (uint64_t)value);
        return;
    }
#endif
    (void)form;
    shmem_long_wait_until(word, comparison, value);
}

/* Single words have no data. */
static inline __attribute__((always_inline)) bool writes(const struct side *s, enum form form)
{
    return form >= PUTMEM && s->written;
}

static inline __attribute__((always_inline)) void ask(struct side *s, long reps, enum form form)
{
    long *const word = word_of(s);

    for (long i = 0; i < reps; i++) {
        const size_t at = bench_buffers_next(&s->turn);
        const long v = ++s->value;

        if (writes(s, form))
            bench_fresh_write(s->data + at, s->bytes, bench_job.me, v);
        send(s, word, v, at, s->bytes, form);
        await(word, SHMEM_CMP_EQ, v, form);
        if (writes(s, form))
            bench_fresh_read(s->data + at, s->bytes, s->peer, v);
    }
}

static inline __attribute__((always_inline)) void answer(struct side *s, enum form form)
{
    long last[SPOTS] = {0};

    for (;;) {
        long *const word = word_of(s), old = last[s->spot % SPOTS];
        size_t at;
        long got;

        await(word, SHMEM_CMP_NE, old, form);
        got = *(volatile long *)word;
        if (got == STOP)
            return;
        last[s->spot % SPOTS] = got;
        if (got == MOVE) {
            s->spot++;
            continue;
        }
        s->served++;
        at = bench_buffers_next(&s->turn);
        if (writes(s, form)) {
            bench_fresh_read(s->data + at, s->bytes, s->peer, got);
            bench_fresh_write(s->data + at, s->bytes, bench_job.me, got);
        }
        send(s, word, got, at, s->bytes, form);
    }
}

#define FORM(name, form)                                                    \
    static void ask_##name(void *arg, long reps)                            \
    {                                                                       \
        ask(arg, reps, form);                                               \
    }                                                                       \
    static void answer_##name(struct side *s)                               \
    {                                                                       \
        answer(s, form);                                                    \
    }                                                                       \
    static void tell_##name(const struct side *s, long value, size_t bytes) \
    {                                                                       \
        send(s, word_of(s), value, s->turn.at, bytes, form);                \
    }                                                                       \
    static void hear_##name(const struct side *s, long value)               \
    {                                                                       \
        await(word_of(s), SHMEM_CMP_EQ, value, form);                       \
    }                                                                       \
    static void move_##name(void *arg)                                      \
    {                                                                       \
        struct side *s = arg;                                               \
                                                                            \
        send(s, word_of(s), MOVE, 0, 0, form);                              \
        s->spot++;                                                          \
    }

FORM(p, P)
FORM(put64, PUT64)
FORM(putmem, PUTMEM)
#if BENCH_SHMEM(1, 5)
FORM(signal, SIGNAL)
#endif

struct call {
    const char *name;
    bool sized;
    bench_body *ask;
    void (*answer)(struct side *s);
    void (*tell)(const struct side *s, long value, size_t bytes);
    void (*hear)(const struct side *s, long value);
    void (*move)(void *arg);
};

static const struct call calls[] = {
    {"shmem_long_p", false, ask_p, answer_p, tell_p, hear_p, move_p},
    {"shmem_put64", false, ask_put64, answer_put64, tell_put64, hear_put64, move_put64},
    {"shmem_putmem", true, ask_putmem, answer_putmem, tell_putmem, hear_putmem, move_putmem},
#if BENCH_SHMEM(1, 5)
    {"shmem_putmem_signal", true, ask_signal, answer_signal, tell_signal, hear_signal, move_signal},
#endif
};
#define CALLS (int)(sizeof calls / sizeof *calls)

static struct bench_series samples;

/* What messages of all sizes rotate over; nothing, if that wasn't asked for. */
static struct {
    int caches;
    char *data;
    size_t room;
    struct bench_buffers turn; /* alike on all PEs when a case begins */
} area;

static void clear_words(char *base)
{
    for (int i = 0; i < SPOTS; i++)
        *(long *)(base + i * STRIDE) = 0;
    shmem_barrier_all();
}

/* Two rounds with data that say who sent them; each side checks what it got before it sends its own. */
static bool check(const struct call *c, struct side *s, bool first)
{
    char *const data = s->data + s->turn.at;
    bool right = true;

    for (int round = 1; round <= 2; round++) {
        const uint64_t mine = bench_pattern_seed(bench_job.me, s->bytes, round);
        const uint64_t theirs = bench_pattern_seed(s->peer, s->bytes, round);

        if (!first) {
            c->hear(s, round);
            right = right && bench_pattern_check(data, s->bytes, theirs);
        }
        bench_pattern_fill(data, s->bytes, mine);
        c->tell(s, round, s->bytes);
        if (first) {
            c->hear(s, round);
            right = right && bench_pattern_check(data, s->bytes, theirs);
        }
    }
    return right;
}

/* Begins a case; false: its caches aren't to be had, as the partner's data can't be flushed from here. Collective. */
static bool begin(struct side *s, enum bench_cache cache, bool first)
{
    bool flushed = true;

    bench_cold_clear();
    bench_job_rotate(&area.turn, cache, s->bytes, area.room);
    s->turn = area.turn;
    s->written = cache == BENCH_WRITTEN;
    s->data = cache == BENCH_ROTATING ? area.data : s->base + DATA;
    if (cache == BENCH_FLUSHED && first) {
        bench_cold_add(s->data, s->bytes);
        flushed = bench_job_cold_add(s->data, s->bytes, s->peer);
    }
    return bench_agree(flushed) != 0;
}

/* Once through all that rotates. Collective. */
static void lap(const struct call *c, char *base)
{
    struct side s = {.base = base, .peer = 1 - bench_job.me, .bytes = SIZE_MAX_BYTES};

    clear_words(base);
    begin(&s, BENCH_ROTATING, false);
    if (bench_job.me == 0) {
        c->ask(&s, bench_buffers_lap(&s.turn));
        c->tell(&s, STOP, 0);
    }
    if (bench_job.me == 1)
        c->answer(&s);
    shmem_barrier_all();
}

/*
 * One pair, one call, one size. Collective; `samples` is half round trips in us on PE 0; none where the caches aren't
 * to be had. A flushed sample is one round trip, which a change of spots would be part of.
 */
static bool run(const struct call *c, char *base, size_t bytes, enum bench_cache cache, int a, int b, double budget,
                enum bench_stop *stop)
{
    const bool first = bench_job.me == a, second = bench_job.me == b;
    struct side s = {.base = base, .peer = first ? b : a, .bytes = bytes};
    bool right = true;
    long served;

    clear_words(base);
    bench_series_clear(&samples);
    if (!begin(&s, cache, first))
        return true;
    if (first) {
        *stop = bench_measure(c->ask, cache == BENCH_FLUSHED ? NULL : c->move, &s, budget, &samples);
        c->tell(&s, STOP, 0);
        bench_cold_clear();
    }
    if (second)
        c->answer(&s);
    bench_collect(&samples, stop, a);
    bench_series_scale(&samples, &samples, 0.5e-3);
    area.turn = s.turn;
    if (second)
        shmem_long_put((long *)(base + DATA), &s.served, 1, a);
    clear_words(base);
    served = *(long *)(base + DATA);
    shmem_barrier_all();
    if (first)
        right = served == s.value;
    s.spot = 0;
    right = bench_fresh_right() && right;
    if (c->sized && (first || second))
        right = check(c, &s, first) && right;
    return bench_agree_right(right);
}

static struct bench_params parameters(const struct call *c, const struct bench_target *t)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "op", "put");
    bench_param_text(&p, "call", c->name);
    bench_param_text(&p, "target", t->name);
    bench_param_bool(&p, "all_pes_active", false);
    return p;
}

/* Every pair alone with one word. */
static void one_word(const struct call *c, const struct bench_target *t)
{
    static struct bench_series by_pair;
    struct bench_params p = parameters(c, t);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool all_right = true;

    bench_param_integer(&p, "message_words", 1);
    bench_param_integer(&p, "message_bytes", 8);
    bench_series_clear(&by_pair);
    for (int a = 0; a < bench_job.npes; a++)
        for (int b = a + 1; b < bench_job.npes; b++) {
            const double budget = bench_agree_budget(bench_plan_next("%s %s %d-%d", c->name, t->name, a, b));
            const bool right = run(c, t->base, 8, BENCH_HOT, a, b, budget, &stop);

            all_right = all_right && right;
            bench_series_add(&by_pair, bench_stats(&samples).median);
            bench_emit_pair("pingpong", &p, "latency", "us", &samples, right, bench_stop_name(stop), a, b);
        }
    bench_param_text(&p, "pairs", "every possible pair, one at a time, half round trip of one word");
    bench_emit_latencies("ping_pong", &p, &by_pair, all_right);
}

/* All sizes between PEs 0 and 1. */
static void by_size(const struct call *c, const struct bench_target *t, enum bench_cache cache, long step)
{
    struct bench_params summary = parameters(c, t);
    double best = 0, shortest = 0;
    bool all_right = true;

    bench_param_cache(&summary, cache, 2 * area.room);
    if (cache == BENCH_ROTATING)
        lap(c, t->base);
    for (long n = 8; n <= SIZE_MAX_BYTES; n *= step) {
        const double budget =
            bench_agree_budget(bench_plan_next("%s %s %s %ld bytes", c->name, t->name, bench_cache_name(cache), n));
        struct bench_params p = summary;
        enum bench_stop stop = BENCH_STOP_BUDGET;
        const bool right = run(c, t->base, (size_t)n, cache, 0, 1, budget, &stop);

        if (bench_agree((long)samples.n) == 0)
            return;
        all_right = all_right && right;
        bench_param_integer(&p, "message_bytes", n);
        bench_emit_pair("pingpong", &p, "latency", "us", &samples, right, bench_stop_name(stop), 0, 1);
        if (n == 8)
            shortest = bench_stats(&samples).median;
        bench_series_invert(&samples, &samples, (double)n); /* B/us = MB/s */
        bench_emit_pair("pingpong", &p, "bandwidth", "MB/s", &samples, right, bench_stop_name(stop), 0, 1);
        if (bench_stats(&samples).median > best)
            best = bench_stats(&samples).median;
    }
    bench_emit_value("point-to-point ping-pong", &summary, "latency", "us", shortest, NULL, all_right);
    bench_emit_value("point-to-point ping-pong", &summary, "bandwidth", "MB/s", best, NULL, all_right);
}

static bool on_heap(const struct bench_target *t)
{
    return strcmp(t->name, "heap") == 0;
}

/* One word is polled, so it is where it was written last; other caches than hot ones need the heap. */
static bool wanted(const struct call *c, const struct bench_target *t, int cache)
{
    return c->sized && area.caches & 1 << cache && (cache == BENCH_HOT || on_heap(t));
}

static int cases(const struct call *c, const struct bench_target *t, long step)
{
    int n = 0;

    if (!c->sized)
        return bench_job.npes * (bench_job.npes - 1) / 2;
    for (int cache = 0; cache < BENCH_CACHES; cache++)
        for (long b = 8; b <= SIZE_MAX_BYTES && wanted(c, t, cache); b *= step)
            n++;
    return n;
}

static void all_of(const struct call *c, const struct bench_target *t, long step)
{
    if (!c->sized)
        one_word(c, t);
    for (int cache = 0; c->sized && cache < BENCH_CACHES; cache++)
        if (wanted(c, t, cache))
            by_size(c, t, (enum bench_cache)cache, step);
}

int main(int argc, char **argv)
{
    static const struct bench_program program = {
        "pingpong", "half round trips of a message put to and fro", NULL, 2, 20, 5};
    const size_t largest = SIZE_MAX_BYTES;
    struct bench_target targets[2];
    int n, all = 0;
    long step;

    bench_job_start(argc, argv, &program);
    n = bench_job_targets(global_region, sizeof global_region, targets);
    step = bench_options.quick ? 8 : 2;
    area.caches =
        bench_caches(1 << BENCH_HOT, BENCH_ALL_CACHES, on_heap(&targets[0]) ? BENCH_ALL_CACHES : 1 << BENCH_HOT);
    if (area.caches & 1 << BENCH_ROTATING)
        area.room = bench_job_buffers(1, &largest, area.caches, &area.data);
    for (int i = 0; i < CALLS; i++)
        for (int t = 0; t < n; t++)
            all += cases(&calls[i], &targets[t], step);
    bench_plan_begin(all, bench_options.max_seconds);
    for (int i = 0; i < CALLS; i++)
        for (int t = 0; t < n; t++)
            all_of(&calls[i], &targets[t], step);
    return bench_job_finish();
}
