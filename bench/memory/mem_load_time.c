/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The T3D's table of load times: how long one word or one line takes from each level of this PE's memory, and from
 * another PE's, alone and with several under way. PE 0 measures, PE 1 has the memory. "In page": the line before was
 * in the same 4 KiB; "out of page": it wasn't, so a translation has to be looked up as well.
 */
#include "chase.h"
#include "common/job.h"
#include "memory.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define WORDS_OF_GET 4 /* the T3D's line */
#define MAX_DEPTH 64

static uint64_t *local;   /* of this PE, larger than the caches */
static uint64_t *remote[2]; /* symmetric: linked in page and out of page */
static size_t local_lines, remote_lines;
#define LISTED (1ul << 18) /* lines: 16 MiB, more than most second levels */
static uint32_t list[LISTED];
static double clock_rate;

/* A walk, and where it stands. */
struct walk {
    const uint64_t *base;
    size_t lines;
    uint64_t at;
    int depth;
    size_t listed; /* how far the list is used */
    uint64_t found[MAX_DEPTH * CHASE_LINE];
};

static void by_words(void *arg, long reps)
{
    struct walk *w = arg;

    w->at = chase_words(w->base, w->at, reps);
}

static void by_lines(void *arg, long reps)
{
    struct walk *w = arg;

    w->at = chase_lines(w->base, w->at, reps);
}

/* No chain: as many loads at a time as the core can have under way. */
static void all_words(void *arg, long reps)
{
    struct walk *w = arg;
    struct mem_streams s = {.n = w->lines * CHASE_LINE};

    s.x[0] = s.x[1] = s.x[2] = s.x[3] = (uint64_t *)w->base;
    for (long i = 0; i < reps; i++) {
        mem_loads[0](&s);
        bench_use((long)s.sum);
    }
}

static void remote_word(void *arg, long reps)
{
    struct walk *w = arg;

    for (long i = 0; i < reps; i++)
        w->at = shmem_uint64_g(w->base + w->at * CHASE_LINE, 1);
}

static void remote_get(void *arg, long reps)
{
    struct walk *w = arg;

    for (long i = 0; i < reps; i++) {
        shmem_get64(w->found, w->base + w->at * CHASE_LINE, WORDS_OF_GET, 1);
        w->at = w->found[0] + w->found[1] + w->found[2] + w->found[3];
    }
}

/* The addresses are known beforehand, from a list; the words arrive `depth` at a time. */
static void remote_ahead(void *arg, long reps)
{
    struct walk *w = arg;

    for (long i = 0; i < reps; i++) {
        if (w->listed + (size_t)w->depth > LISTED)
            w->listed = 0;
        for (int k = 0; k < w->depth; k++)
            shmem_get64_nbi(&w->found[k * CHASE_LINE], w->base + (size_t)list[w->listed + (size_t)k] * CHASE_LINE, 1,
                            1);
        shmem_quiet();
        w->listed += (size_t)w->depth;
        bench_use((long)w->found[0]);
    }
}

/* Each word found is the number of the next line. */
static bool list_right(struct walk *w)
{
    for (int i = 0; i < 100; i++) {
        remote_ahead(w, 1);
        for (size_t k = 0; k < (size_t)w->depth; k++) {
            const size_t line = list[w->listed - (size_t)w->depth + k];

            if (w->found[k * CHASE_LINE] != local[line * CHASE_LINE])
                return false;
        }
    }
    return true;
}

/* ---- records ---- */

static struct bench_params path_params(const char *path)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "path", path);
    bench_param_integer(&p, "clock_mhz", (long)(clock_rate * 1e3 + 0.5));
    return p;
}

/* `ns`: of each step, which moved `words`. */
static void emit(const struct bench_params *p, const struct bench_series *ns, double words, bool right)
{
    static struct bench_series s;

    bench_series_scale(&s, ns, clock_rate);
    bench_emit("load time", p, "latency", "clock periods", &s, right, NULL);
    bench_emit("load time", p, "latency_ns", "ns", ns, right, NULL);
    bench_series_invert(&s, ns, words / clock_rate);
    bench_emit("load time", p, "words_per_clock", "64-bit words/cp", &s, right, NULL);
    bench_series_invert(&s, ns, 8e3 * words);
    bench_emit("load time", p, "bandwidth", "MB/s", &s, right, NULL);
    if (!right)
        mem_failed();
}

static struct bench_series samples;

static void measure_chain(const char *path, const uint64_t *base, size_t lines, bench_body *body, double words)
{
    struct walk w = {.base = base, .lines = lines};
    const struct bench_params p = path_params(path);
    bool right;

    bench_measure(body, NULL, &w, bench_plan_next("%s", path), &samples);
    right = w.at < lines;
    if (body == all_words) /* a repetition is a pass over all */
        bench_series_scale(&samples, &samples, 1.0 / (double)(lines * CHASE_LINE));
    emit(&p, &samples, words, right && chase_whole(base, lines));
}

/* Chains within a cache and within memory, one order after the other through the same block. */
static void measure_local(void)
{
    const long first = sysconf(_SC_LEVEL1_DCACHE_SIZE), second = sysconf(_SC_LEVEL2_CACHE_SIZE);
    const size_t l1 = (size_t)(first > 0 ? first : 32 << 10) / 2 / 4096 * CHASE_PAGE;
    const size_t l2 = (size_t)(second > 0 ? second : 512 << 10) / 2 / 4096 * CHASE_PAGE;
    const size_t l3 = 2 * l2 * 2 < local_lines ? 2 * l2 * 2 : local_lines;

    chase_link(local, l1, CHASE_OUT_OF_PAGE);
    measure_chain("Cache", local, l1, all_words, 1);
    measure_chain("Cache -> Register, one after the other", local, l1, by_words, 1);
    chase_link(local, l2, CHASE_OUT_OF_PAGE);
    measure_chain("Second level cache -> Register", local, l2, by_words, 1);
    chase_link(local, l3, CHASE_OUT_OF_PAGE);
    measure_chain("Third level cache -> Register", local, l3, by_words, 1);
    chase_link(local, local_lines, CHASE_IN_PAGE);
    measure_chain("DRAM -> Cache(in page)", local, local_lines, by_lines, CHASE_LINE);
    measure_chain("DRAM -> Register(in page)", local, local_lines, by_words, 1);
    chase_link(local, local_lines, CHASE_OUT_OF_PAGE);
    measure_chain("DRAM -> Cache(out of page)", local, local_lines, by_lines, CHASE_LINE);
    measure_chain("DRAM -> Register(out of page)", local, local_lines, by_words, 1);
    chase_link(local, local_lines, CHASE_AHEAD);
    measure_chain("DRAM Read Ahead -> Cache", local, local_lines, by_lines, CHASE_LINE);
}

/* The walk has come where the local copy of the chain says after each step more. */
static bool follows(bench_body *body, struct walk *w)
{
    uint64_t at = w->at;

    for (int i = 0; i < 100; i++) {
        body(w, 1);
        at = chase_words(local, at, 1);
        if (w->at != at)
            return false;
    }
    return true;
}

static void measure_remote(const char *path, int order, bench_body *body, int words)
{
    struct walk w = {.base = remote[order], .lines = remote_lines, .depth = 1};
    const struct bench_params p = path_params(path);

    bench_measure(body, NULL, &w, bench_plan_next("%s", path), &samples);
    emit(&p, &samples, words, follows(body, &w));
}

/* Depths 1 to 64; the best one again under the T3D's name alone. */
static void measure_ahead(const char *path, int order)
{
    static struct bench_series best;
    double best_each = INFINITY;
    int best_depth = 0;
    bool best_right = false;
    struct bench_params p;

    for (int depth = 1; depth <= MAX_DEPTH; depth *= bench_options.quick ? 4 : 2) {
        struct walk w = {.base = remote[order], .lines = remote_lines, .depth = depth};
        bool right;
        double each;

        bench_measure(remote_ahead, NULL, &w, bench_plan_next("%s, %d", path, depth), &samples);
        right = list_right(&w);
        bench_series_scale(&samples, &samples, 1.0 / depth);
        p = path_params(path);
        bench_param_integer(&p, "depth", depth);
        emit(&p, &samples, 1, right);
        each = bench_stats(&samples).median;
        if (each < best_each) {
            best_each = each, best_depth = depth, best_right = right;
            best = samples;
        }
    }
    p = path_params(path);
    bench_param_integer(&p, "best_depth", best_depth);
    emit(&p, &best, 1, best_right);
}

static void measure_remotes(void)
{
    static const char *const names[2][3] = {
        {"Remote DRAM -> Cache(in page)", "Remote DRAM -> Register(in page)", "Remote DRAM -> Prefetch(in page)"},
        {"Remote DRAM -> Cache(out of page)", "Remote DRAM -> Register(out of page)",
         "Remote DRAM -> Prefetch(out of page)"},
    };

    for (int order = 0; order < 2; order++) {
        chase_link(local, remote_lines, (enum chase_order)order);
        chase_list(local, list, LISTED);
        measure_remote(names[order][0], order, remote_get, WORDS_OF_GET);
        measure_remote(names[order][1], order, remote_word, 1);
        measure_ahead(names[order][2], order);
    }
}

int main(int argc, char **argv)
{
    static long local_mib = 0, remote_mib = 128;
    static const struct bench_option own[] = {
        {"local-mib", BENCH_LONG, &local_mib, "memory to walk through, MiB (default: twice the last level cache)"},
        {"remote-mib", BENCH_LONG, &remote_mib, "memory of the other PE, MiB (default 128)"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static const struct bench_program program = {
        "mem_load_time", "load times of local and remote memory", own, 2, 40, 8};
    const char *limit;
    const size_t rule = mem_rule_words(1, 0, &limit) * 8 / 2; /* half of four times the cache */

    bench_job_start(argc, argv, &program);
    if (local_mib < 0 || remote_mib < 1)
        bench_job_fatal("local-mib = %ld, remote-mib = %ld: too small", local_mib, remote_mib);
    local_lines = (local_mib ? (size_t)local_mib << 20 : rule) / 4096 * CHASE_PAGE;
    remote_lines = ((size_t)remote_mib << 20) / 4096 * CHASE_PAGE;
    if (local_lines < remote_lines)
        local_lines = remote_lines;
    for (int order = 0; order < 2; order++) {
        remote[order] = shmem_align(4096, remote_lines * CHASE_LINE * 8);
        if (!remote[order])
            bench_job_fatal("the symmetric heap is too small for %ld MiB: raise SHMEM_SYMMETRIC_SIZE", remote_mib);
        if (bench_job.me == 1)
            chase_link(remote[order], remote_lines, (enum chase_order)order);
    }
    shmem_barrier_all();
    if (bench_job.me == 0) {
        int depths = 0;

        for (int depth = 1; depth <= MAX_DEPTH; depth *= bench_options.quick ? 4 : 2)
            depths++;
        clock_rate = chase_clock();
        local = mem_alloc(local_lines * CHASE_LINE * 8);
        bench_plan_begin(9 + 2 * (2 + depths), bench_options.max_seconds);
        measure_local();
        measure_remotes();
    }
    bench_agree_right(mem_all_right());
    return bench_job_finish();
}
