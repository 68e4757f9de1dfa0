/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages to and fro without any library: written, copied once, read. The second process is a child of the first, and
 * each waits for the other by looking at a word.
 */
#define _GNU_SOURCE 1
#include "written.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "copies.h"

#define OVER (-1L)
#define COPIES 2 /* of the table, the first ones: what any program calls, and the processor's own */

enum by { SENDER, RECEIVER, BYS }; /* who copies */
static const char *const names[BYS] = {"sender", "receiver"};

struct way {
    struct bench_written w;
    const struct bench_copy *how;
    int processes;
    enum by by; /* of two */
    size_t bytes;
    long round;
};

/* ---- one process ---- */

static void alone(void *arg, long reps)
{
    struct way *const x = arg;

    for (long i = 0; i < reps; i++) {
        x->round++;
        bench_fresh_write(x->w.out[0], x->bytes, 0, x->round);
        x->how->copy(x->w.in[0], x->w.out[0], x->bytes);
        bench_fresh_read(x->w.in[0], x->bytes, 0, x->round);
    }
}

/* ---- two ---- */

static void send(const struct way *x, int me)
{
    bench_fresh_write(x->w.out[me], x->bytes, me, x->round);
    if (x->by == SENDER)
        x->how->copy(x->w.in[1 - me], x->w.out[me], x->bytes);
    __atomic_store_n(x->w.words[1 - me], x->round, __ATOMIC_RELEASE); /* the message before it */
}

static void receive(const struct way *x, int me)
{
    if (x->by == RECEIVER)
        x->how->copy(x->w.in[me], x->w.out[1 - me], x->bytes);
    bench_fresh_read(x->w.in[me], x->bytes, 1 - me, x->round);
}

/* The word, when it is no more what it was. */
static long await(const long *word, long was)
{
    long now;

    while ((now = __atomic_load_n(word, __ATOMIC_ACQUIRE)) == was) /* the message is read after it */
        ;
    return now;
}

static void to_and_fro(void *arg, long reps)
{
    struct way *const x = arg;

    for (long i = 0; i < reps; i++) {
        x->round++;
        send(x, 0);
        await(x->w.words[0], x->round - 1);
        receive(x, 0);
    }
}

/* The second process: answers until it is over; 0 if all was right. */
static int answer(struct way *x)
{
    long got;

    while ((got = await(x->w.words[1], x->round)) != OVER) {
        x->round = got;
        receive(x, 1);
        send(x, 1);
    }
    return bench_fresh_right() ? 0 : 1;
}

static bool between(struct way *x, double budget_ns, struct bench_series *out, enum bench_stop *stop)
{
    int status = 1;
    pid_t child;

    x->round = 0;
    *x->w.words[0] = *x->w.words[1] = 0;
    fflush(NULL);
    child = fork();
    if (child < 0)
        return false;
    if (child == 0) {
        x->w.pin(1);
        _exit(answer(x));
    }
    *stop = bench_measure(to_and_fro, NULL, x, budget_ns, out);
    __atomic_store_n(x->w.words[1], OVER, __ATOMIC_RELEASE);
    waitpid(child, &status, 0);
    bench_series_scale(out, out, 0.5);
    return bench_fresh_right() && status == 0;
}

/* ---- all of them ---- */

#define MOST (COPIES * BYS)

static struct bench_series samples, all[MOST];

static bool measure(struct way *x, double budget_ns, enum bench_stop *stop)
{
    bench_series_clear(&samples);
    if (x->processes > 1)
        return between(x, budget_ns, &samples, stop);
    *stop = bench_measure(alone, NULL, x, budget_ns, &samples);
    return bench_fresh_right();
}

static void emit(const struct way *x, bool best, const struct bench_series *s, bool right, enum bench_stop stop)
{
    struct bench_params p = {0};

    bench_param_text(&p, "operation", "written copy");
    bench_param_integer(&p, "processes", x->processes);
    bench_param_text(&p, "method", best ? "best" : x->how->name);
    if (best)
        bench_param_text(&p, "best_method", x->how->name);
    if (x->processes > 1)
        bench_param_text(&p, best ? "best_copied_by" : "copied_by", names[x->by]);
    bench_param_cache(&p, BENCH_WRITTEN, 0);
    bench_param_integer(&p, "message_bytes", (long)x->bytes);
    bench_report_write(&(struct bench_record){.test = "limits",
                                              .metric = "bandwidth",
                                              .unit = "MB/s",
                                              .params = &p,
                                              .series = s,
                                              .verified = right,
                                              .stop = bench_stop_name(stop),
                                              .has_pair = x->processes > 1,
                                              .pair = {x->w.cpus[0], x->w.cpus[1]}});
}

static int ways_of(const struct bench_written *w, size_t bytes, int processes, struct way out[MOST])
{
    int n = 0;

    for (int m = 0; m < COPIES && bench_copies[m].name; m++)
        for (int by = 0; by < (processes > 1 ? BYS : 1); by++)
            out[n++] = (struct way){*w, &bench_copies[m], processes, (enum by)by, bytes, 0};
    return n;
}

/* One size, by so many processes in all ways; how many were wrong. */
static int one_size(const struct bench_written *w, size_t bytes, int processes, int rounds)
{
    struct way ways[MOST];
    enum bench_stop stop[MOST] = {BENCH_STOP_BUDGET};
    bool right[MOST];
    const int n = ways_of(w, bytes, processes, ways);
    int best = -1, wrong = 0;

    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < n; i++) {
            const bool now = measure(&ways[i], bench_plan_next("written %s %zu", ways[i].how->name, bytes), &stop[i]);

            if (round == 0)
                bench_series_clear(&all[i]);
            right[i] = now && (round == 0 || right[i]);
            bench_series_append(&all[i], &samples);
        }
    for (int i = 0; i < n; i++) {
        wrong += !right[i];
        bench_series_invert(&all[i], &all[i], 1e3 * (double)bytes); /* B/ns = 1000 MB/s */
        emit(&ways[i], false, &all[i], right[i], stop[i]);
        if (right[i] && (best < 0 || bench_stats(&all[i]).median > bench_stats(&all[best]).median))
            best = i;
    }
    if (best >= 0)
        emit(&ways[best], true, &all[best], true, stop[best]);
    return wrong;
}

int bench_written_cases(void)
{
    return bench_fresh_sizes() * COPIES * (1 + BYS);
}

int bench_written_limits(const struct bench_written *w, int rounds)
{
    int wrong = 0;

    for (size_t bytes = BENCH_FRESH_SMALLEST; bytes; bytes = bench_next_fresh(bytes)) {
        wrong += one_size(w, bytes, 1, rounds);
        if (w->cpus[0] != w->cpus[1])
            wrong += one_size(w, bytes, 2, rounds);
    }
    return wrong;
}
