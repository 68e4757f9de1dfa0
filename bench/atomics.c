/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every atomic memory operation on int and long (bitwise ones on their unsigned kin): PE 0 on PE 1's word alone, and
 * all PEs on PE 0's word; then locks. Before it is timed, each operation is proved once: what it returns and what it
 * leaves, on values that no other operation, nor none, would give. The measured streams are counted and the counts
 * checked as well.
 */
#include "common/job.h"

#include <string.h>

/* The word of each type, apart, and the lock and what it guards. */
struct words {
    _Alignas(128) long as_long;
    _Alignas(128) int as_int;
    _Alignas(128) unsigned long as_ulong;
    _Alignas(128) unsigned as_uint;
    _Alignas(128) long lock;
    _Alignas(128) long guarded;
};

static struct words global_words;

struct site {
    struct words *words;
    int pe;
    long done; /* operations of this PE on the word since it was cleared */
};

static struct bench_series samples, rates;
/* Before 4.1.5, Open MPI's compare_swap of an int writes eight bytes into four of its caller's stack and ends the run
 * (open-mpi/ompi issue 11257). */
#if defined(OSHMEM_MAJOR_VERSION) && \
    OSHMEM_MAJOR_VERSION * 10000 + OSHMEM_MINOR_VERSION * 100 + OSHMEM_RELEASE_VERSION < 40105
#define BROKEN "compare_swap:int"
#else
#define BROKEN ""
#endif
static const char *skip = BROKEN;

/* Nothing in the loop but the call: its results are added up, the word's address is in a register. */
#define BODY(name, word, statement, completion)                 \
    static void name(void *arg, long reps)                      \
    {                                                           \
        struct site *s = arg;                                   \
        __typeof__(s->words->word) *const at = &s->words->word; \
        const int pe = s->pe;                                   \
        unsigned long sum = 0;                                  \
                                                                \
        for (long i = 0; i < reps; i++) {                       \
            statement;                                          \
            completion;                                         \
        }                                                       \
        bench_use((long)sum);                                   \
        shmem_quiet();                                          \
        s->done += reps;                                        \
    }
#define BODIES(T, op, word, statement)                \
    BODY(T##_##op##_stream, word, statement, (void)0) \
    BODY(T##_##op##_each, word, statement, shmem_quiet())
/* Those that return something, and those that don't. */
#define FETCHING(T, op, word, ...) BODIES(T, op, word, sum += (unsigned long)shmem_##T##_atomic_##op(at, __VA_ARGS__))
#define CHANGING(T, op, word, ...) BODIES(T, op, word, shmem_##T##_atomic_##op(at, __VA_ARGS__))

#define ARITHMETIC(T, word)                   \
    FETCHING(T, fetch, word, pe)              \
    CHANGING(T, set, word, (T)i, pe)          \
    FETCHING(T, swap, word, (T)i, pe)         \
    FETCHING(T, compare_swap, word, 0, 0, pe) \
    FETCHING(T, fetch_inc, word, pe)          \
    CHANGING(T, inc, word, pe)                \
    FETCHING(T, fetch_add, word, 1, pe)       \
    CHANGING(T, add, word, 1, pe)
#define BITWISE(T, word)                 \
    FETCHING(T, fetch_and, word, 1u, pe) \
    CHANGING(T, and, word, 1u, pe)       \
    FETCHING(T, fetch_or, word, 1u, pe)  \
    CHANGING(T, or, word, 1u, pe)        \
    FETCHING(T, fetch_xor, word, 1u, pe) \
    CHANGING(T, xor, word, 1u, pe)

ARITHMETIC(long, as_long)
ARITHMETIC(int, as_int)
BITWISE(ulong, as_ulong)
BITWISE(uint, as_uint)

#if BENCH_SHMEM(1, 5)
static long fetched_long;
static int fetched_int;
BODIES(long, fetch_add_nbi, as_long, shmem_long_atomic_fetch_add_nbi(&fetched_long, at, 1, pe))
BODIES(int, fetch_add_nbi, as_int, shmem_int_atomic_fetch_add_nbi(&fetched_int, at, 1, pe))
#endif

/* ---- proofs: the word before, the operation, what it must return, the word after; put and got plainly ---- */

#define PROOF(T, type, word, op, before, operation, returned, after)              \
    static bool T##_##op##_proof(struct site *s)                                  \
    {                                                                             \
        type *const at = &s->words->word;                                         \
        const int pe = s->pe;                                                     \
        type got = 0;                                                             \
                                                                                  \
        shmem_##T##_p(at, before, pe);                                            \
        shmem_quiet();                                                            \
        operation;                                                                \
        shmem_quiet();                                                            \
        return got == (type)(returned) && shmem_##T##_g(at, pe) == (type)(after); \
    }

/* compare_swap must first refuse, as 8 isn't there, then swap. */
#define ARITHMETIC_PROOFS(T, type, word)                                                        \
    PROOF(T, type, word, fetch, 6, got = shmem_##T##_atomic_fetch(at, pe), 6, 6)                \
    PROOF(T, type, word, set, 6, shmem_##T##_atomic_set(at, 9, pe), 0, 9)                       \
    PROOF(T, type, word, swap, 6, got = shmem_##T##_atomic_swap(at, 9, pe), 6, 9)               \
    PROOF(T, type, word, compare_swap, 6,                                                       \
          got = (type)(10 * shmem_##T##_atomic_compare_swap(at, 8, 1, pe)) +                    \
                shmem_##T##_atomic_compare_swap(at, 6, 20, pe),                                 \
          66, 20)                                                                               \
    PROOF(T, type, word, fetch_inc, 6, got = shmem_##T##_atomic_fetch_inc(at, pe), 6, 7)        \
    PROOF(T, type, word, inc, 6, shmem_##T##_atomic_inc(at, pe), 0, 7)                          \
    PROOF(T, type, word, fetch_add, 6, got = shmem_##T##_atomic_fetch_add(at, 100, pe), 6, 106) \
    PROOF(T, type, word, add, 6, shmem_##T##_atomic_add(at, 100, pe), 0, 106)
#define BITWISE_PROOFS(T, type, word)                                                       \
    PROOF(T, type, word, fetch_and, 6, got = shmem_##T##_atomic_fetch_and(at, 3, pe), 6, 2) \
    PROOF(T, type, word, and, 6, shmem_##T##_atomic_and(at, 3, pe), 0, 2)                   \
    PROOF(T, type, word, fetch_or, 6, got = shmem_##T##_atomic_fetch_or(at, 3, pe), 6, 7)   \
    PROOF(T, type, word, or, 6, shmem_##T##_atomic_or(at, 3, pe), 0, 7)                     \
    PROOF(T, type, word, fetch_xor, 6, got = shmem_##T##_atomic_fetch_xor(at, 3, pe), 6, 5) \
    PROOF(T, type, word, xor, 6, shmem_##T##_atomic_xor(at, 3, pe), 0, 5)

ARITHMETIC_PROOFS(long, long, as_long)
ARITHMETIC_PROOFS(int, int, as_int)
BITWISE_PROOFS(ulong, unsigned long, as_ulong)
BITWISE_PROOFS(uint, unsigned, as_uint)
#if BENCH_SHMEM(1, 5)
#define NBI_PROOF(T)                                                                                                  \
    PROOF(T, T, as_##T, fetch_add_nbi, 6, shmem_##T##_atomic_fetch_add_nbi(&fetched_##T, at, 100, pe); shmem_quiet(); \
          got = fetched_##T, 6, 106)
NBI_PROOF(long)
NBI_PROOF(int)
#endif

/* What the word must hold after a stream when it was zero before: */
enum outcome {
    UNCHANGED, /* zero */
    COUNTED,   /* the number of operations */
    LAST,      /* the number of the last operation of some PE in its batch: below the largest batch */
    ONE,
    PARITY, /* of the number of operations */
};

struct operation {
    const char *op, *type;
    enum outcome outcome;
    bench_body *stream, *each;
    bool (*proof)(struct site *s);
};

#define ROW(T, name, outcome) {#name, #T, outcome, T##_##name##_stream, T##_##name##_each, T##_##name##_proof}
#define ARITHMETIC_ROWS(T)                                                                            \
    ROW(T, fetch, UNCHANGED), ROW(T, set, LAST), ROW(T, swap, LAST), ROW(T, compare_swap, UNCHANGED), \
        ROW(T, fetch_inc, COUNTED), ROW(T, inc, COUNTED), ROW(T, fetch_add, COUNTED), ROW(T, add, COUNTED)
#define BITWISE_ROWS(T)                                                                           \
    ROW(T, fetch_and, UNCHANGED), ROW(T, and, UNCHANGED), ROW(T, fetch_or, ONE), ROW(T, or, ONE), \
        ROW(T, fetch_xor, PARITY), ROW(T, xor, PARITY)

static const struct operation operations[] = {
    ARITHMETIC_ROWS(long),
    ARITHMETIC_ROWS(int),
    BITWISE_ROWS(ulong),
    BITWISE_ROWS(uint),
#if BENCH_SHMEM(1, 5)
    ROW(long, fetch_add_nbi, COUNTED),
    ROW(int, fetch_add_nbi, COUNTED),
#endif
};
#define OPERATIONS (int)(sizeof operations / sizeof *operations)

/* ---- checks ---- */

static long word_of(const struct words *w, const char *type)
{
    const volatile struct words *v = w;

    if (strcmp(type, "long") == 0)
        return v->as_long;
    if (strcmp(type, "int") == 0)
        return v->as_int;
    return strcmp(type, "ulong") == 0 ? (long)v->as_ulong : (long)v->as_uint;
}

static bool as_expected(const struct operation *o, long got, long done)
{
    switch (o->outcome) {
    case UNCHANGED:
        return got == 0;
    case COUNTED:
        return strcmp(o->type, "int") == 0 ? (int)got == (int)(unsigned)done : got == done;
    case LAST:
        return got >= 0 && got < (done > 0 ? done : 1);
    case ONE:
        return got == (done > 0);
    case PARITY:
        return got == done % 2;
    }
    return false;
}

/* Adds up what all PEs did and compares it with the word. Collective. */
static bool check(const struct operation *o, const struct site *s)
{
    static struct bench_series done;
    long sum = 0;

    bench_gather((double)s->done, &done);
    for (size_t i = 0; bench_job.me == 0 && i < done.n; i++)
        sum += (long)done.v[i];
    sum = bench_agree(sum);
    return bench_agree_right(bench_job.me != s->pe || as_expected(o, word_of(s->words, o->type), sum));
}

static void clear(struct words *w)
{
    memset(w, 0, sizeof *w);
    shmem_barrier_all();
}

/* ---- measuring ---- */

static struct bench_params parameters(const struct bench_target *t, const char *contention)
{
    struct bench_params p = bench_job_params();

    bench_param_text(&p, "target", t->name);
    bench_param_text(&p, "contention", contention);
    return p;
}

/* Returns whether the operation is proved. */
static bool alone(const struct operation *o, const struct bench_target *t)
{
    const double budget = bench_agree_budget(bench_plan_next("%s %s %s", o->op, o->type, t->name)) / 2;
    struct site s = {.words = (struct words *)t->base, .pe = bench_job.npes > 1 ? 1 : 0};
    struct bench_params p = parameters(t, "none");
    enum bench_stop each = BENCH_STOP_BUDGET, stream = BENCH_STOP_BUDGET;
    bool proved, right;

    bench_param_text(&p, "op", o->op);
    bench_param_text(&p, "type", o->type);
    proved = bench_agree_right(bench_job.me != 0 || o->proof(&s));
    clear(s.words);
    if (bench_job.me == 0) {
        each = bench_measure(o->each, NULL, &s, budget, &rates);
        stream = bench_measure(o->stream, NULL, &s, budget, &samples);
    }
    shmem_barrier_all();
    right = check(o, &s) && proved;
    bench_series_scale(&rates, &rates, 1e-3);
    bench_emit_pair("atomics", &p, "latency", "us", &rates, right, bench_stop_name(each), 0, s.pe);
    bench_series_invert(&rates, &samples, 1e3);
    bench_emit_pair("atomics", &p, "rate", "Mop/s", &rates, right, bench_stop_name(stream), 0, s.pe);
    return proved;
}

static void contended(const struct operation *o, const struct bench_target *t, bool proved)
{
    const double budget = bench_agree_budget(bench_plan_next("%s %s %s by all", o->op, o->type, t->name));
    struct site s = {.words = (struct words *)t->base, .pe = 0};
    struct bench_params p = parameters(t, "all");
    enum bench_stop stop;
    bool right;

    bench_param_text(&p, "op", o->op);
    bench_param_text(&p, "type", o->type);
    clear(s.words);
    stop = bench_measure_together(o->stream, &s, budget, BENCH_SPAN, &samples, NULL);
    right = check(o, &s) && proved;
    bench_series_invert(&samples, &samples, 1e3 * bench_job.npes);
    bench_emit("atomics", &p, "rate", "Mop/s", &samples, right, bench_stop_name(stop));
}

/* The guarded counter is read and written back plainly: only the lock keeps the counts. It lies on PE 0. */
static void critical_sections(void *arg, long reps)
{
    struct site *s = arg;
    long *const lock = &s->words->lock, *const guarded = &s->words->guarded;

    for (long i = 0; i < reps; i++) {
        shmem_set_lock(lock);
        shmem_long_p(guarded, shmem_long_g(guarded, 0) + 1, 0);
        shmem_quiet();
        shmem_clear_lock(lock);
    }
    s->done += reps;
}

static void locks(const struct bench_target *t, bool all)
{
    const char *const contention = all ? "all" : "none";
    const double budget = bench_agree_budget(bench_plan_next("lock %s %s", t->name, contention));
    static const struct operation counted = {"lock", "long", COUNTED, NULL, NULL, NULL};
    struct site s = {.words = (struct words *)t->base, .pe = 0};
    const struct bench_params p = parameters(t, contention);
    enum bench_stop stop = BENCH_STOP_BUDGET;
    bool right;

    clear(s.words);
    if (all)
        stop = bench_measure_together(critical_sections, &s, budget, BENCH_SPAN, &samples, NULL);
    else if (bench_job.me == bench_job.npes - 1)
        stop = bench_measure(critical_sections, NULL, &s, budget, &samples);
    if (!all)
        bench_collect(&samples, &stop, bench_job.npes - 1);
    s.words->as_long = s.words->guarded;
    right = check(&counted, &s);
    bench_series_scale(&samples, &samples, 1e-3 / (all ? bench_job.npes : 1));
    bench_emit("lock", &p, "time", "us", &samples, right, bench_stop_name(stop));
}

/* --skip op:type,op:type; the first time of each PE 0 says so. */
static bool skipped(const struct operation *o, bool say)
{
    char name[64];
    size_t n;

    snprintf(name, sizeof name, "%s:%s", o->op, o->type);
    for (const char *at = skip; *at; at += n + (at[n] == ',')) {
        n = strcspn(at, ",");
        if (n != strlen(name) || strncmp(at, name, n) != 0)
            continue;
        if (say && bench_job.me == 0)
            fprintf(stderr, "atomics: %s is left out\n", name);
        return true;
    }
    return false;
}

int main(int argc, char **argv)
{
    static const struct bench_option own[] = {
        {"skip", BENCH_TEXT, &skip,
         "operations to leave out: op:type,op:type (default: those known to be broken here, \"" BROKEN "\")"},
        {NULL, BENCH_FLAG, NULL, NULL},
    };
    static const struct bench_program program = {"atomics", "atomic memory operations and locks", own, 1, 20, 6};
    struct bench_target targets[2];
    int n;

    bench_job_start(argc, argv, &program);
    n = bench_job_targets(&global_words, sizeof global_words, targets);
    bench_plan_begin(n * (2 * OPERATIONS + 2), bench_options.max_seconds);
    for (int t = 0; t < n; t++) {
        for (int k = 0; k < OPERATIONS; k++) {
            if (skipped(&operations[k], t == 0))
                continue;
            contended(&operations[k], &targets[t], alone(&operations[k], &targets[t]));
        }
        locks(&targets[t], false);
        locks(&targets[t], true);
    }
    return bench_job_finish();
}
