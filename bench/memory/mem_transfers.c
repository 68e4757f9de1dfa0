/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables 10 to 14 of the T3E-1200E paper: block copy, transpose, transpose in place, initialisation and gather, each by
 * the seed's four methods (its own code, loop for loop) and by what one would call today. Copies, transposes and
 * gathers count 16 bytes a word (indexes not), initialisation 8.
 */
#include "common/job.h"
#include "memory.h"

#include <benchlib.h>
#include <string.h>

#define BLOCK 480 /* E-registers */
#define HALF 240
#define SIDE 1025
#define TABLE 100000

/* What all methods work on. */
static struct {
    double *x, *y; /* block copy and initialisation; x is symmetric */
    size_t n;
    double *a, *b; /* matrices, symmetric */
    size_t side;
    double *table, *found; /* symmetric */
    long *index;           /* symmetric, as shmem_ixget takes them */
    size_t gathered;
    double value;
    const char *limit; /* that made n less than the rule says, or NULL */
} d;

static inline long least(size_t a, size_t b)
{
    return (long)(a < b ? a : b);
}

#define BODY(name, each)                   \
    static void name(void *arg, long reps) \
    {                                      \
        (void)arg;                         \
        for (long r = 0; r < reps; r++) {  \
            each;                          \
            bench_use(r);                  \
        }                                  \
    }

/* ---- block copy ---- */

static void copy_by_blocks(void)
{
    for (size_t i = 0; i < d.n; i += BLOCK) {
        lgetv(d.x + i, 1, least(BLOCK, d.n - i));
        lputv(d.y + i, 1, least(BLOCK, d.n - i));
    }
}

#if defined(__x86_64__)
static void copy_by_string(void *to, const void *from, size_t bytes)
{
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}
static void set_by_string(double *to, double value, size_t words)
{
    uint64_t word;

    memcpy(&word, &value, sizeof word);
    __asm__ volatile("rep stosq" : "+D"(to), "+c"(words) : "a"(word) : "memory");
}
#else
#define copy_by_string memcpy
#define set_by_string mem_plain_set
#endif

BODY(copy_plain, mem_plain_copy(d.y, d.x, d.n))
BODY(copy_bypass, mem_bypass_copy(d.x, NULL, d.y, 0, d.n))
BODY(copy_benchlib, copy_by_blocks())
BODY(copy_shmem, shmem_get64(d.y, d.x, d.n, bench_job.me))
BODY(copy_today, bl_copy(d.y, d.x, d.n * 8))
BODY(copy_memcpy, memcpy(d.y, d.x, d.n * 8))
BODY(copy_string, copy_by_string(d.y, d.x, d.n * 8))

static void copy_prepare(void *arg)
{
    static size_t filled;

    (void)arg;
    if (filled != d.n) /* no method writes there */
        bench_pattern_fill(d.x, d.n * 8, d.n);
    filled = d.n;
    memset(d.y, 0, d.n * 8);
}

static bool copy_right(const void *arg)
{
    (void)arg;
    return bench_pattern_check(d.y, d.n * 8, d.n);
}

/* ---- transposes ---- */

static void turn_by_blocks(void)
{
    for (size_t j = 0; j < d.side; j += BLOCK)
        for (size_t i = 0; i < d.side; i++) {
            lgetv(d.a + j * d.side + i, (long)d.side, least(BLOCK, d.side - j));
            lputv(d.b + i * d.side + j, 1, least(BLOCK, d.side - j));
        }
    while (lputp())
        ;
}

static void turn_by_shmem(void)
{
    for (size_t j = 0; j < d.side; j++)
        shmem_iget64(d.b + j * d.side, d.a + j, 1, (ptrdiff_t)d.side, d.side, bench_job.me);
}

BODY(turn_plain, mem_plain_transpose(d.b, d.a, d.side, d.side))
BODY(turn_bypass, mem_bypass_transpose(d.b, d.a, d.side, d.side))
BODY(turn_benchlib, turn_by_blocks())
BODY(turn_shmem, turn_by_shmem())
BODY(turn_today, bl_transpose(d.b, d.side, d.a, d.side, d.side, d.side))

static void turn_prepare(void *arg)
{
    (void)arg;
    for (size_t k = 0; k < d.side * d.side; k++)
        d.a[k] = (double)k, d.b[k] = -1;
}

static bool is_turned(const double *m)
{
    for (size_t i = 0; i < d.side; i++)
        for (size_t j = 0; j < d.side; j++)
            if (m[j * d.side + i] != (double)(i * d.side + j))
                return false;
    return true;
}

static bool turn_right(const void *arg)
{
    (void)arg;
    return is_turned(d.b);
}

static void in_place_by_blocks(void)
{
    const size_t n = d.side;

    for (size_t j = 0; j + 1 < n; j++)
        for (size_t i = 1; i < n - j; i += HALF) {
            double *const column = d.a + j * n + j + i, *const row = d.a + (j + i) * n + j;
            const long ni = least(HALF, n - j - i);

            lgetvo(column, 1, ni, 0);
            lgetvo(row, (long)n, ni, HALF);
            lputvo(row, (long)n, ni, 0);
            lputvo(column, 1, ni, HALF);
        }
    while (lputp())
        ;
}

static void in_place_by_shmem(void)
{
    const size_t n = d.side;

    for (size_t j = 0; j + 1 < n; j++) {
        double *const column = d.a + j * n + j + 1, *const row = d.a + (j + 1) * n + j;

        shmem_iget64(d.b, row, 1, (ptrdiff_t)n, n - j - 1, bench_job.me);
        shmem_iget64(row, column, (ptrdiff_t)n, 1, n - j - 1, bench_job.me);
        shmem_put64(column, d.b, n - j - 1, bench_job.me);
    }
    shmem_quiet();
}

BODY(in_place_plain, mem_plain_in_place(d.a, d.side, d.side))
BODY(in_place_bypass, mem_bypass_in_place(d.a, d.side, d.side))
BODY(in_place_benchlib, in_place_by_blocks())
BODY(in_place_shmem, in_place_by_shmem())
BODY(in_place_today, bl_transpose_in_place(d.a, d.side, d.side))

static bool in_place_right(const void *arg)
{
    (void)arg;
    return is_turned(d.a);
}

/* ---- initialisation ---- */

static void set_by_benchlib(void)
{
    lsetv(d.y, 1, (long)d.n, d.value);
    while (lputp())
        ;
}

BODY(set_plain, mem_plain_set(d.y, d.value, d.n))
BODY(set_bypass, mem_bypass_set(d.y, d.value, d.n))
BODY(set_benchlib, set_by_benchlib())
BODY(set_memset, memset(d.y, 1, d.n * 8)) /* zeros reach memory at twice the rate on some processors */
BODY(set_string, set_by_string(d.y, d.value, d.n))

static void set_prepare(void *arg)
{
    (void)arg;
    for (size_t i = 0; i < d.n; i++)
        d.y[i] = -1;
}

static bool all_are(double value)
{
    for (size_t i = 0; i < d.n; i++)
        if (d.y[i] != value)
            return false;
    return true;
}

static bool set_right(const void *arg)
{
    (void)arg;
    return all_are(d.value);
}

static bool memset_right(const void *arg)
{
    double ones;

    (void)arg;
    memset(&ones, 1, sizeof ones);
    return all_are(ones);
}

/* ---- gather ---- */

static void gather_by_blocks(void)
{
    for (size_t i = 0; i < d.gathered; i += BLOCK) {
        lgath(d.table, d.index + i, least(BLOCK, d.gathered - i));
        lputv(d.found + i, 1, least(BLOCK, d.gathered - i));
    }
    while (lputp())
        ;
}

BODY(gather_plain, mem_plain_gather(d.found, d.table, d.index, d.gathered))
BODY(gather_bypass, mem_bypass_gather(d.found, d.table, d.index, d.gathered))
BODY(gather_benchlib, gather_by_blocks())
BODY(gather_shmem, shmem_ixget64(d.found, d.table, d.index, d.gathered, bench_job.me))
BODY(gather_today, bl_gather(d.found, d.table, d.index, d.gathered))

static void gather_prepare(void *arg)
{
    (void)arg;
    memset(d.found, 0, d.gathered * 8);
}

static bool gather_right(const void *arg)
{
    (void)arg;
    for (size_t i = 0; i < d.gathered; i++)
        if (d.found[i] != 0.5 + (double)d.index[i])
            return false;
    return true;
}

/* ---- the tables ---- */

enum test { COPY, TURN, IN_PLACE, SET, GATHER, TESTS };
static const struct {
    const char *name;
    int bytes; /* counted for each word */
    void (*prepare)(void *arg);
    bool (*right)(const void *arg);
} tests[TESTS] = {
    [COPY] = {"block copy", 16, copy_prepare, copy_right},
    [TURN] = {"matrix transpose", 16, turn_prepare, turn_right},
    [IN_PLACE] = {"in-place matrix transpose", 16, turn_prepare, in_place_right},
    [SET] = {"data initialization", 8, set_prepare, set_right},
    [GATHER] = {"vector gather", 16, gather_prepare, gather_right},
};

static const struct {
    enum test test;
    const char *method;
    bench_body *body;
    bool (*right)(const void *arg); /* NULL: the test's */
} methods[] = {
    {COPY, "Fortran", copy_plain, NULL}, /* the seed's name for the plain loop */
    {COPY, "CACHE_BYPASS", copy_bypass, NULL},
    {COPY, "Benchlib", copy_benchlib, NULL},
    {COPY, "SHMEM", copy_shmem, NULL},
    {COPY, "bl_copy", copy_today, NULL},
    {COPY, "memcpy", copy_memcpy, NULL},
    {COPY, "rep movsb", copy_string, NULL},
    {TURN, "Fortran", turn_plain, NULL},
    {TURN, "CACHE_BYPASS", turn_bypass, NULL},
    {TURN, "Benchlib", turn_benchlib, NULL},
    {TURN, "SHMEM", turn_shmem, NULL},
    {TURN, "bl_transpose", turn_today, NULL},
    {IN_PLACE, "Fortran", in_place_plain, NULL},
    {IN_PLACE, "CACHE_BYPASS", in_place_bypass, NULL},
    {IN_PLACE, "Benchlib", in_place_benchlib, NULL},
    {IN_PLACE, "SHMEM", in_place_shmem, NULL},
    {IN_PLACE, "bl_transpose_in_place", in_place_today, NULL},
    {SET, "Fortran", set_plain, NULL},
    {SET, "CACHE_BYPASS", set_bypass, NULL},
    {SET, "Benchlib", set_benchlib, NULL},
    {SET, "memset", set_memset, memset_right},
    {SET, "rep stosq", set_string, NULL},
    {GATHER, "Fortran", gather_plain, NULL},
    {GATHER, "CACHE_BYPASS", gather_bypass, NULL},
    {GATHER, "Benchlib", gather_benchlib, NULL},
    {GATHER, "SHMEM", gather_shmem, NULL},
    {GATHER, "bl_gather", gather_today, NULL},
};
#define METHODS (int)(sizeof methods / sizeof *methods)

static bool usable(int m)
{
#if !defined(__x86_64__)
    if (strncmp(methods[m].method, "rep ", 4) == 0)
        return false;
#endif
    return mem_can_bypass || strcmp(methods[m].method, "CACHE_BYPASS") != 0;
}

static int count(enum test test)
{
    int n = 0;

    for (int m = 0; m < METHODS; m++)
        n += methods[m].test == test && usable(m);
    return n;
}

static double words_of(enum test test)
{
    const double all = (double)d.side * (double)d.side;

    switch (test) {
    case TURN:
        return all;
    case IN_PLACE: /* the diagonal stays where it is */
        return all - (double)d.side;
    case GATHER:
        return (double)d.gathered;
    default:
        return (double)d.n;
    }
}

/* `size` tells two runs of a test apart, or is NULL. */
static void measure(enum test test, const char *size, int rounds)
{
    struct mem_case cases[MEM_MAX_CASES];
    int n = 0;

    for (int m = 0; m < METHODS; m++) {
        struct mem_case *c = &cases[n];

        if (methods[m].test != test || !usable(m))
            continue;
        *c = (struct mem_case){.params = bench_job_params(),
                               .body = methods[m].body,
                               .prepare = tests[test].prepare,
                               .right = methods[m].right ? methods[m].right : tests[test].right,
                               .bytes = tests[test].bytes * words_of(test)};
        bench_param_text(&c->params, "method", methods[m].method);
        bench_param_integer(&c->params, "n",
                            (long)(test == GATHER                     ? TABLE
                                   : test == TURN || test == IN_PLACE ? d.side
                                                                      : d.n));
        if (test == TURN)
            bench_param_integer(&c->params, "lda", (long)d.side);
        if (test == GATHER)
            bench_param_integer(&c->params, "ngath", (long)d.gathered);
        if (size)
            bench_param_text(&c->params, "size", size);
        if (d.limit)
            bench_param_text(&c->params, "limit", d.limit);
        n++;
    }
    mem_run(tests[test].name, cases, n, rounds);
}

static const size_t ngath[] = {10, 100, 1000, 10000};
#define NGATHS 4

/* `limit` made `rule` less than the rule says, or is NULL. */
static void measure_all(size_t rule, const char *limit)
{
    const int vectors = count(COPY) + count(SET), matrices = count(TURN) + count(IN_PLACE);

    bench_plan_begin(MEM_ROUNDS * (vectors + matrices + NGATHS * count(GATHER)) +
                         (rule > d.n ? vectors * mem_slow_rounds() : 0),
                     bench_options.max_seconds);
    for (int k = 0; k < NGATHS; k++) {
        d.gathered = ngath[k];
        measure(GATHER, NULL, MEM_ROUNDS);
    }
    measure(TURN, NULL, MEM_ROUNDS);
    measure(IN_PLACE, NULL, MEM_ROUNDS);
    measure(COPY, "seed", MEM_ROUNDS);
    measure(SET, "seed", MEM_ROUNDS);
    if (rule > d.n) {
        d.n = rule;
        d.limit = limit;
        measure(COPY, "rule", mem_slow_rounds());
        measure(SET, "rule", mem_slow_rounds());
    }
}

static void *symmetric(size_t words)
{
    void *p = shmem_align(4096, words * 8);

    if (!p)
        bench_job_fatal("the symmetric heap is too small for %zu words: raise SHMEM_SYMMETRIC_SIZE", words);
    return p;
}

/* A vector of the rule's size, or of what the symmetric heap has room for, but never less than the seed's. */
static double *symmetric_vector(size_t *words, const char **limit)
{
    const size_t wanted = *words;
    double *p;

    while (!(p = shmem_align(4096, *words * 8)) && *words / 16 * 15 >= MEM_SEED_N)
        *words = *words / 16 * 15;
    if (*words < wanted) {
        *limit = "SHMEM_SYMMETRIC_SIZE";
        if (bench_job.me == 0)
            fprintf(stderr,
                    "mem_transfers: vectors of %zu words, not of %zu: SHMEM_SYMMETRIC_SIZE leaves no room for more\n",
                    *words, wanted);
    }
    return p ? p : symmetric(*words);
}

int main(int argc, char **argv)
{
    static long most = 0;
    static const struct bench_option own[] = {
        {"words", BENCH_LONG, &most, "at most so many words in a vector, in place of the seed's and the rule's sizes"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static const struct bench_program program = {
        "mem_transfers", "copies, transposes, initialisation, gathers", own, 1, 60, 12};
    const char *limit;
    size_t rule;

    bench_job_start(argc, argv, &program);
    if (most < 0)
        bench_job_fatal("words = %ld is negative", most);
    rule = (size_t)bench_agree((long)mem_rule_words(2, most, &limit));
    d.n = most > 0 && most < MEM_SEED_N ? (size_t)most : MEM_SEED_N;
    d.side = most > 0 && most < SIDE * SIDE ? 65 : SIDE;
    d.value = 1.25;
    d.a = symmetric(d.side * d.side);
    d.b = symmetric(d.side * d.side);
    d.table = symmetric(TABLE);
    d.found = symmetric(ngath[NGATHS - 1]);
    d.index = symmetric(ngath[NGATHS - 1]);
    d.x = symmetric_vector(&rule, &limit);
    if (bench_job.me == 0) {
        uint64_t state = 1;

        d.y = mem_alloc(rule * 8);
        memset(d.x, 1, rule * 8);
        for (size_t i = 0; i < TABLE; i++)
            d.table[i] = 0.5 + (double)i;
        for (size_t i = 0; i < ngath[NGATHS - 1]; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            d.index[i] = (long)((state >> 33) % TABLE);
        }
        turn_prepare(NULL);
        measure_all(rule, limit);
    }
    bench_agree_right(mem_all_right());
    return bench_job_finish();
}
