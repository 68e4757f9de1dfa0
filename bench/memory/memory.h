/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the programs on local memory share: arrays larger than the caches, methods that take turns, and the plain
 * and cache-bypassing loops they measure. Nothing here knows SHMEM.
 */
#ifndef BENCH_MEMORY_H
#define BENCH_MEMORY_H

#include "common/bench.h"

/* ---- memory.c ---- */

#define MEM_SEED_N 2000000l /* words of an array in the seed's STREAM */
#define MEM_MAX_CASES 24

/* Starts a program without SHMEM: options, report, environment. Ends the process on --help and on errors. */
void mem_start(int argc, char **argv, const char *name, const char *purpose, const struct bench_option *own,
               double seconds, double quick_seconds);
/* Returns the exit status. */
int mem_finish(void);

/*
 * Words of each of `arrays` arrays by STREAM's rule: four times the last level cache each, but all together at most
 * half the memory that is free; `most` words if that isn't 0. At least the seed's n. *limit: what made it less than the
 * rule says, or NULL.
 */
size_t mem_rule_words(int arrays, long most, const char **limit);
/* Page aligned and touched. Ends the program when there isn't enough. */
void *mem_alloc(size_t bytes);

/* One method of a test. A repetition moves `bytes`, as the test counts them. */
struct mem_case {
    struct bench_params params;
    bench_body *body;
    void *arg;
    double bytes;
    void (*prepare)(void *arg); /* before the repetition that is checked */
    bool (*right)(const void *arg);
};
/*
 * All methods in turns, `rounds` of them (a plan has so many cases for each method); then each once more to be checked;
 * a record of the bandwidth of each.
 */
void mem_run(const char *test, const struct mem_case *cases, int n, int rounds);
#define MEM_ROUNDS 3
/* For arrays so large that a quick run has the time for one. */
int mem_slow_rounds(void);

/* A record made elsewhere was wrong; and whether none was. */
void mem_failed(void);
bool mem_all_right(void);

/* ---- streams.c: loads and stores of `streams` arrays side by side ---- */

struct mem_streams {
    uint64_t *x[4];
    size_t n; /* words of each */
    uint64_t value;
    uint64_t sum; /* what a load loop found: all words combined by exclusive or */
};
typedef void mem_loop(struct mem_streams *s);
extern mem_loop *const mem_loads[4], *const mem_stores[4], *const mem_bypass_stores[4];
/* x[0] to x[1], and x[2] to x[3]. */
mem_loop mem_load_store_2, mem_load_store_4;

/* ---- plain.c: as a compiler makes them of the plain source ---- */

typedef void mem_kernel(double *restrict a, double *restrict b, double *restrict c, double s, size_t n);
mem_kernel mem_copy, mem_scale, mem_add, mem_triad;
void mem_plain_copy(double *restrict y, const double *restrict x, size_t n);
void mem_plain_set(double *x, double value, size_t n);
void mem_plain_transpose(double *restrict b, const double *restrict a, size_t lda, size_t n);
void mem_plain_in_place(double *a, size_t lda, size_t n);
void mem_plain_gather(double *restrict x, const double *restrict a, const int64_t *restrict index, size_t n);

/* ---- bypass.c: the same with loads and stores that leave the caches alone ---- */

extern const bool mem_can_bypass;
mem_kernel mem_bypass_copy, mem_bypass_scale, mem_bypass_add, mem_bypass_triad;
void mem_bypass_set(double *x, double value, size_t n);
void mem_bypass_transpose(double *restrict b, const double *restrict a, size_t lda, size_t n);
void mem_bypass_in_place(double *a, size_t lda, size_t n);
void mem_bypass_gather(double *restrict x, const double *restrict a, const int64_t *restrict index, size_t n);

#endif
