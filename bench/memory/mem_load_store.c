/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 1 of the T3E-1200E paper: rates of loads, stores and both, over one to four arrays side by side. Loads and
 * stores count once each; what a store reads first isn't counted.
 */
#include "memory.h"

/* Arrays lie a multiple of 8192 words and 64 words more apart, as the seed found to be best there. */
#define APART 8192
#define EXTRA 64

struct job {
    mem_loop *loop;
    struct mem_streams *s;
    int streams;
};

static void body(void *arg, long reps)
{
    const struct job *j = arg;

    for (long i = 0; i < reps; i++) {
        j->loop(j->s);
        bench_use((long)j->s->sum);
    }
}

static uint64_t word_of(int stream, size_t i)
{
    return (i + 1) * 0x9e3779b97f4a7c15u ^ (uint64_t)stream << 56;
}

static void prepare(void *arg)
{
    const struct job *j = arg;

    for (int k = 0; k < j->streams; k++)
        for (size_t i = 0; i < j->s->n; i++)
            j->s->x[k][i] = word_of(k, i);
    j->s->sum = 0;
}

static bool loads_right(const void *arg)
{
    const struct job *j = arg;
    uint64_t sum = 0;

    for (int k = 0; k < j->streams; k++)
        for (size_t i = 0; i < j->s->n; i++)
            sum ^= word_of(k, i);
    return sum == j->s->sum;
}

static bool stores_right(const void *arg)
{
    const struct job *j = arg;

    for (int k = 0; k < j->streams; k++)
        for (size_t i = 0; i < j->s->n; i++)
            if (j->s->x[k][i] != j->s->value)
                return false;
    return true;
}

static bool copies_right(const void *arg)
{
    const struct job *j = arg;

    for (int k = 0; k < j->streams; k += 2)
        for (size_t i = 0; i < j->s->n; i++)
            if (j->s->x[k + 1][i] != word_of(k, i))
                return false;
    return true;
}

/* The arrays of a case with `streams` of them: the more, the shorter, so that all together are equally large. */
static struct mem_streams *arrays(uint64_t *base, size_t words, int streams)
{
    static struct mem_streams of[5];
    struct mem_streams *s = &of[streams];

    s->n = words / (size_t)streams / APART * APART;
    s->value = 0x3ff8000000000000;
    for (int k = 0; k < 4; k++) /* those not used lie on the last one that is */
        s->x[k] = base + (size_t)(k < streams ? k : streams - 1) * (s->n + EXTRA);
    return s;
}

static int add(struct mem_case *cases, struct job *jobs, int n, const char *operation, struct job j,
               bool (*right)(const void *arg))
{
    struct mem_case *c = &cases[n];

    jobs[n] = j;
    *c = (struct mem_case){
        .body = body, .arg = &jobs[n], .prepare = prepare, .right = right, .bytes = 8.0 * j.streams * (double)j.s->n};
    bench_param_text(&c->params, "operation", operation);
    bench_param_integer(&c->params, "streams", j.streams);
    bench_param_integer(&c->params, "words", (long)j.s->n);
    return n + 1;
}

int main(int argc, char **argv)
{
    static long most = 0;
    static const struct bench_option own[] = {
        {"words", BENCH_LONG, &most, "at most so many words in all arrays together"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static struct mem_case cases[MEM_MAX_CASES];
    static struct job jobs[MEM_MAX_CASES];
    struct mem_streams *s[5];
    uint64_t *base;
    const char *limit; /* the size is a parameter of all records */
    size_t words;
    int n = 0;

    mem_start(argc, argv, "mem_load_store", "loads and stores of one to four arrays", own, 30, 5);
    if (most && most < 4 * APART) {
        fprintf(stderr, "mem_load_store: words = %ld is less than %d\n", most, 4 * APART);
        return 2;
    }
    words = mem_rule_words(1, most ? 2 * most : 0, &limit) / 2; /* twice the cache: no rule says how much more */
    base = mem_alloc((words + 4 * EXTRA) * 8);
    for (int k = 1; k <= 4; k++) {
        s[k] = arrays(base, words, k);
        n = add(cases, jobs, n, "cacheable load", (struct job){mem_loads[k - 1], s[k], k}, loads_right);
        n = add(cases, jobs, n, "cacheable store", (struct job){mem_stores[k - 1], s[k], k}, stores_right);
        if (mem_can_bypass)
            n = add(cases, jobs, n, "uncached store", (struct job){mem_bypass_stores[k - 1], s[k], k}, stores_right);
    }
    n = add(cases, jobs, n, "cacheable load + store", (struct job){mem_load_store_2, s[2], 2}, copies_right);
    n = add(cases, jobs, n, "cacheable load + store", (struct job){mem_load_store_4, s[4], 4}, copies_right);
    bench_plan_begin(n * mem_slow_rounds(), bench_options.max_seconds);
    mem_run("local memory load/store", cases, n, mem_slow_rounds());
    return mem_finish();
}
