/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 3 of the T3E-1200E paper: the STREAM operations, at the seed's n and offsets, and at the size STREAM's rules
 * demand today (four times the last level cache), since the seed's arrays lie within it. Method "plain" follows the
 * rules for sources; "CACHE_BYPASS" is a variant and said to be one.
 */
#include "memory.h"

struct function {
    const char *name;
    int bytes; /* counted for each element */
    long offset; /* the seed's best, words */
    mem_kernel *plain, *bypass;
};
static const struct function functions[] = {
    {"Copy", 16, 7040, mem_copy, mem_bypass_copy},
    {"Scale", 16, 7104, mem_scale, mem_bypass_scale},
    {"Add", 24, 7040, mem_add, mem_bypass_add},
    {"Triad", 24, 10000, mem_triad, mem_bypass_triad},
};
#define FUNCTIONS 4
#define MOST_OFFSET 10000l
#define SCALAR 3.0

struct job {
    const struct function *f;
    mem_kernel *kernel;
    double *a, *b, *c;
    size_t n;
};

static void body(void *arg, long reps)
{
    const struct job *j = arg;

    for (long i = 0; i < reps; i++) {
        j->kernel(j->a, j->b, j->c, SCALAR, j->n);
        bench_use((long)j->n);
    }
}

/* Small whole numbers, so that every operation is exact. */
static inline double a_of(size_t i)
{
    return (double)(i & 1023);
}
static inline double b_of(size_t i)
{
    return (double)(i & 511);
}
static inline double c_of(size_t i)
{
    return (double)(i & 255);
}

static void prepare(void *arg)
{
    const struct job *j = arg;

    for (size_t i = 0; i < j->n; i++)
        j->a[i] = a_of(i);
    for (size_t i = 0; i < j->n; i++)
        j->b[i] = b_of(i);
    for (size_t i = 0; i < j->n; i++)
        j->c[i] = c_of(i);
}

#define ALL_ARE(found, expected)      \
    for (size_t i = 0; i < j->n; i++) \
        if (found[i] != (expected))   \
            return false;             \
    return true

static bool right(const void *arg)
{
    const struct job *j = arg;

    switch (j->f->name[0]) {
    case 'C':
        ALL_ARE(j->c, a_of(i));
    case 'S':
        ALL_ARE(j->b, SCALAR * c_of(i));
    case 'A':
        ALL_ARE(j->c, a_of(i) + b_of(i));
    default:
        ALL_ARE(j->a, b_of(i) + SCALAR * c_of(i));
    }
}

static int add(struct mem_case *cases, struct job *jobs, int n, const struct function *f, bool plain, double *base,
               size_t words, const char *size, const char *limit)
{
    const size_t apart = words + (size_t)f->offset;
    struct mem_case *c = &cases[n];

    jobs[n] = (struct job){f, plain ? f->plain : f->bypass, base, base + apart, base + 2 * apart, words};
    *c = (struct mem_case){
        .body = body, .arg = &jobs[n], .prepare = prepare, .right = right, .bytes = (double)f->bytes * (double)words};
    bench_param_text(&c->params, "function", f->name);
    bench_param_integer(&c->params, "offset", f->offset);
    bench_param_integer(&c->params, "n", (long)words);
    bench_param_text(&c->params, "size", size);
    bench_param_text(&c->params, "method", plain ? "plain" : "CACHE_BYPASS");
    if (limit)
        bench_param_text(&c->params, "limit", limit);
    return n + 1;
}

/* All functions and methods at one size; `limit` made it less than the rule says, or is NULL. */
static void measure(double *base, size_t words, const char *size, const char *limit, int rounds)
{
    struct mem_case cases[2 * FUNCTIONS];
    struct job jobs[2 * FUNCTIONS];
    int n = 0;

    for (int f = 0; f < FUNCTIONS; f++) {
        n = add(cases, jobs, n, &functions[f], true, base, words, size, limit);
        if (mem_can_bypass)
            n = add(cases, jobs, n, &functions[f], false, base, words, size, limit);
    }
    mem_run("STREAM", cases, n, rounds);
}

int main(int argc, char **argv)
{
    static long most = 0;
    static const struct bench_option own[] = {
        {"words", BENCH_LONG, &most, "at most so many words in an array, in place of the rule's size"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    const int methods = mem_can_bypass ? 2 : 1;
    const char *limit;
    size_t rule;
    double *base;
    int seed;

    mem_start(argc, argv, "mem_stream", "the STREAM operations", own, 40, 8);
    if (most < 0) {
        fprintf(stderr, "mem_stream: words = %ld is negative\n", most);
        return 2;
    }
    rule = mem_rule_words(3, most, &limit);
    base = mem_alloc((3 * rule + 2 * MOST_OFFSET) * 8);
    seed = most == 0 || most > MEM_SEED_N ? methods * FUNCTIONS : 0;
    bench_plan_begin(seed * MEM_ROUNDS + methods * FUNCTIONS * mem_slow_rounds(), bench_options.max_seconds);
    if (seed)
        measure(base, MEM_SEED_N, "seed", NULL, MEM_ROUNDS);
    measure(base, rule, "rule", limit, mem_slow_rounds());
    return mem_finish();
}
