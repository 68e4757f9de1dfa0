/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Table 2 of the T3E-1200E paper: what one could move with the E-registers, one way (into them, out of them) and both,
 * by benchlib and by SHMEM with oneself as the partner. A one-way transfer counts 8 bytes a word, both together 16.
 */
#include "common/job.h"
#include "memory.h"

#include <benchlib.h>
#include <string.h>

#define BLOCK 480

struct job {
    char *x, *y; /* x is symmetric */
    size_t n;    /* words */
    uint64_t seed;
};

#define BODY(name, each)                   \
    static void name(void *arg, long reps) \
    {                                      \
        const struct job *j = arg;         \
                                           \
        for (long r = 0; r < reps; r++) {  \
            each;                          \
            bench_use(j->y[0]);            \
        }                                  \
    }
#define BLOCKS(statements)                                          \
    for (size_t i = 0; i < j->n; i += BLOCK) {                      \
        const long n = (long)(j->n - i < BLOCK ? j->n - i : BLOCK); \
                                                                    \
        statements;                                                 \
    }                                                               \
    bench_use(lputp())

BODY(get, BLOCKS(lgetv(j->x + i * 8, 1, n)))
BODY(put, BLOCKS(lputv(j->y + i * 8, 1, n)))
BODY(get_put, BLOCKS(lgetv(j->x + i * 8, 1, n); lputv(j->y + i * 8, 1, n)))
BODY(by_get, shmem_get64(j->y, j->x, j->n, bench_job.me))
BODY(by_put, shmem_put64(j->x, j->y, j->n, bench_job.me))
BODY(by_copy, bl_copy(j->y, j->x, j->n * 8))

static void prepare(void *arg)
{
    struct job *j = arg;

    j->seed++;
    bench_pattern_fill(j->x, j->n * 8, j->seed);
    memset(j->y, 0, j->n * 8);
}

/* The direction is the other way round for put. */
static void prepare_put(void *arg)
{
    struct job *j = arg;

    j->seed++;
    bench_pattern_fill(j->y, j->n * 8, j->seed);
    memset(j->x, 0, j->n * 8);
}

static bool right(const void *arg)
{
    const struct job *j = arg;

    return bench_pattern_check(j->y, j->n * 8, j->seed);
}

static bool put_right(const void *arg)
{
    const struct job *j = arg;

    return bench_pattern_check(j->x, j->n * 8, j->seed);
}

/* What the last block of gets left in the registers, seen by putting it. */
static bool get_right(const void *arg)
{
    const struct job *j = arg;
    const size_t last = (j->n - 1) / BLOCK * BLOCK, n = j->n - last;

    lputv(j->y, 1, (long)n);
    return memcmp(j->y, j->x + last * 8, n * 8) == 0;
}

/* One block goes everywhere, beginning with the first. */
static void prepare_put_only(void *arg)
{
    struct job *j = arg;

    prepare(j);
    lgetv(j->x, 1, j->n < BLOCK ? (long)j->n : BLOCK);
}

static bool put_only_right(const void *arg)
{
    const struct job *j = arg;

    for (size_t i = 0; i < j->n; i += BLOCK)
        if (memcmp(j->y + i * 8, j->x, (j->n - i < BLOCK ? j->n - i : BLOCK) * 8) != 0)
            return false;
    return true;
}

static const struct {
    const char *operation;
    bench_body *body;
    int bytes;
    void (*prepare)(void *arg);
    bool (*right)(const void *arg);
} operations[] = {
    {"uncached GET", get, 8, prepare, get_right},
    {"uncached PUT", put, 8, prepare_put_only, put_only_right},
    {"uncached GET+PUT via benchlib", get_put, 16, prepare, right},
    {"uncached GET+PUT via SHMEM_GET", by_get, 16, prepare, right},
    {"uncached GET+PUT via SHMEM_PUT", by_put, 16, prepare_put, put_right},
    {"uncached GET+PUT via bl_copy", by_copy, 16, prepare, right},
};
#define OPERATIONS (int)(sizeof operations / sizeof *operations)

static void measure(struct job *j)
{
    struct mem_case cases[OPERATIONS];

    for (int i = 0; i < OPERATIONS; i++) {
        cases[i] = (struct mem_case){.params = bench_job_params(),
                                     .body = operations[i].body,
                                     .arg = j,
                                     .bytes = (double)operations[i].bytes * (double)j->n,
                                     .prepare = operations[i].prepare,
                                     .right = operations[i].right};
        bench_param_text(&cases[i].params, "operation", operations[i].operation);
        bench_param_integer(&cases[i].params, "words", (long)j->n);
    }
    bench_plan_begin(OPERATIONS * MEM_ROUNDS, bench_options.max_seconds);
    mem_run("local E-register GET/PUT", cases, OPERATIONS, MEM_ROUNDS);
}

int main(int argc, char **argv)
{
    static long words = 8 << 20;
    static const struct bench_option own[] = {
        {"words", BENCH_LONG, &words, "64-bit words of a transfer"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static const struct bench_program program = {
        "mem_get_put", "uncached gets and puts within local memory", own, 1, 20, 4};
    struct job j = {0};

    bench_job_start(argc, argv, &program);
    if (words < 1)
        bench_job_fatal("words = %ld is less than 1", words);
    j.n = (size_t)words;
    j.x = shmem_align(4096, j.n * 8);
    if (!j.x)
        bench_job_fatal("the symmetric heap is too small for %ld words: raise SHMEM_SYMMETRIC_SIZE", words);
    if (bench_job.me == 0) { /* alone: what others do at the same time is another test */
        j.y = mem_alloc(j.n * 8);
        memset(j.x, 1, j.n * 8);
        measure(&j);
    }
    bench_agree_right(mem_all_right());
    return bench_job_finish();
}
