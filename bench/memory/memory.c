/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sizes, start and end, and the way all tests of local memory are measured: methods in turns, so that a disturbance
 * doesn't decide which is the best, and every method checked.
 */
#define _GNU_SOURCE 1
#include "memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

static struct {
    const char *program;
    int failures;
} memory = {.program = "memory"};

void mem_start(int argc, char **argv, const char *name, const char *purpose, const struct bench_option *own,
               double seconds, double quick_seconds)
{
    char why[128];

    memory.program = name;
    if (bench_options_parse(argc, argv, own, why, sizeof why)) {
        fprintf(stderr, "%s: %s\n", name, why);
        exit(2);
    }
    if (bench_options.help) {
        bench_options_help(stdout, name, purpose, own);
        exit(0);
    }
    if (bench_options.max_seconds == 0)
        bench_options.max_seconds = bench_options.quick ? quick_seconds : seconds;
    if (bench_report_open(bench_options.out, "none", "the machine itself")) {
        fprintf(stderr, "%s: %s: %s\n", name, bench_options.out, strerror(errno));
        exit(2);
    }
    bench_env_write(&(struct bench_env){.library = "none", .implementation = "the machine itself", .npes = 1});
    if (bench_options.burner && bench_burner_start()) {
        fprintf(stderr, "%s: no burner: %s\n", name, strerror(errno));
        exit(2);
    }
}

int mem_finish(void)
{
    bench_plan_end();
    bench_burner_stop();
    bench_env_write_end(NULL);
    return bench_report_close() ? 2 : memory.failures ? 1 : 0;
}

void mem_failed(void)
{
    memory.failures++;
}

bool mem_all_right(void)
{
    return memory.failures == 0;
}

size_t mem_rule_words(int arrays, long most, const char **limit)
{
    const size_t free_bytes = bench_free_memory();
    size_t words = 4 * bench_last_cache() / 8;

    *limit = NULL;
    if (words > free_bytes / 2 / 8 / (size_t)arrays) {
        words = free_bytes / 2 / 8 / (size_t)arrays;
        *limit = "free memory";
    }
    if (words < MEM_SEED_N)
        words = MEM_SEED_N;
    if (most > 0 && words > (size_t)most) {
        words = (size_t)most;
        *limit = "--words";
    }
    return words;
}

void *mem_alloc(size_t bytes)
{
    void *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    if (p == MAP_FAILED) {
        fprintf(stderr, "%s: no %zu bytes of memory: %s\n", memory.program, bytes, strerror(errno));
        exit(2);
    }
    memset(p, 1, bytes); /* not 0: a compiler makes calloc of that, and pages of zeros are one page */
    return p;
}

int mem_slow_rounds(void)
{
    return bench_options.quick ? 1 : MEM_ROUNDS;
}

static bool checked(const struct mem_case *c)
{
    c->prepare(c->arg);
    c->body(c->arg, 1);
    return c->right(c->arg);
}

void mem_run(const char *test, const struct mem_case *cases, int n, int rounds)
{
    static struct bench_series all[MEM_MAX_CASES], samples;
    enum bench_stop stop[MEM_MAX_CASES];

    for (int i = 0; i < n; i++)
        bench_series_clear(&all[i]);
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < n; i++) {
            const double budget = bench_plan_next("%s %d/%d", test, i + 1, n);

            stop[i] = bench_measure(cases[i].body, NULL, cases[i].arg, budget, &samples);
            bench_series_append(&all[i], &samples);
        }
    for (int i = 0; i < n; i++) {
        const bool right = checked(&cases[i]);

        memory.failures += !right;
        bench_series_invert(&all[i], &all[i], 1e3 * cases[i].bytes); /* B/ns = 1000 MB/s */
        bench_report_write(&(struct bench_record){.test = test,
                                                  .metric = "bandwidth",
                                                  .unit = "MB/s",
                                                  .params = &cases[i].params,
                                                  .series = &all[i],
                                                  .verified = right,
                                                  .stop = bench_stop_name(stop[i])});
    }
}
