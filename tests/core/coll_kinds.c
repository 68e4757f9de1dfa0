/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Every collective, on teams of every shape and on active sets, from one element
 * to more than any buffer inside holds, with data that tell where they come from;
 * reductions also in place. Teams come and go between the
 * calls, so that blocks change hands while neighbours are late.
 */
#include <sched.h>
#include <string.h>

#include "coll/coll.h"
#include "core/core.h"
#include "harness.h"

enum { MOST = 60000, GUARD = 8 }; /* elements of the largest block */

static int64_t *source, *dest;
static uint64_t seed = 1;

/* Element i of what PE pe hands in, in call number `call`. */
static int64_t value(int call, int pe, size_t i)
{
    return (int64_t)(((uint64_t)(unsigned)(call * 1009 + pe * 17 + 3) * 0x9e3779b97f4a7c15u) >> 40) + (int64_t)i;
}

static void fill(int call, size_t n)
{
    for (size_t i = 0; i < n; i++)
        source[i] = value(call, core_me(), i);
}

static void clear(size_t n)
{
    for (size_t i = 0; i < n + GUARD; i++)
        dest[i] = -1;
}

static void expect_guard(size_t n, const char *what)
{
    for (size_t i = n; i < n + GUARD; i++)
        EXPECT(dest[i] == -1, "PE %d: %s wrote element %zu behind its end", core_me(), what, i - n);
}

static struct coll_call call_of(struct coll_team *t, enum coll_kind kind, const char *where, size_t n)
{
    return (struct coll_call){.kind = kind,
                              .team = t,
                              .where = where,
                              .source = source,
                              .dest = dest,
                              .n = n * 8,
                              .nelems = n,
                              .type = COLL_I64,
                              .op = COLL_SUM,
                              .dest_step = 1,
                              .source_step = 1};
}

static void broadcast(struct coll_team *t, int call, size_t n)
{
    struct coll_call c = call_of(t, COLL_BROADCAST, "a broadcast", n);
    c.root = (int)((unsigned)call % (unsigned)t->size);
    c.root_keeps = call & 1;
    fill(call, n);
    clear(n);
    coll_run(&c);
    bool kept = c.root_keeps && t->rank == c.root;
    for (size_t i = 0; i < n; i++)
        EXPECT(dest[i] == (kept ? -1 : value(call, coll_team_pe(t, c.root), i)), "PE %d: element %zu of %zu is %ld",
               core_me(), i, n, (long)dest[i]);
    expect_guard(n, c.where);
}

static void fcollect(struct coll_team *t, int call, size_t n)
{
    struct coll_call c = call_of(t, COLL_ALLGATHER, "an fcollect", n);
    size_t all = n * (size_t)t->size;
    fill(call, n);
    clear(all);
    coll_run(&c);
    for (size_t i = 0; i < all; i++)
        EXPECT(dest[i] == value(call, coll_team_pe(t, (int)(i / n)), i % n), "PE %d: element %zu of %zu is %ld",
               core_me(), i, all, (long)dest[i]);
    expect_guard(all, c.where);
}

/* Rank r hands in r % 3 times n elements, some none. */
static void collect(struct coll_team *t, int call, size_t n)
{
    struct coll_call c = call_of(t, COLL_COLLECT, "a collect", n * (size_t)(t->rank % 3));
    size_t at = 0;
    fill(call, n * 2);
    clear(n * 2 * (size_t)t->size);
    coll_run(&c);
    for (int r = 0; r < t->size; r++)
        for (size_t i = 0; i < n * (size_t)(r % 3); i++, at++)
            EXPECT(dest[at] == value(call, coll_team_pe(t, r), i), "PE %d: element %zu of rank %d is %ld", core_me(), i,
                   r, (long)dest[at]);
    expect_guard(at, c.where);
}

static void alltoall(struct coll_team *t, int call, size_t n)
{
    struct coll_call c = call_of(t, COLL_ALLTOALL, "an all-to-all", n);
    size_t size = (size_t)t->size;
    c.n = 8;
    c.dest_step = 1 + call % 2;
    c.source_step = 1 + call % 3;
    size_t to = (size_t)c.dest_step, from = (size_t)c.source_step;
    fill(call, n * size * from);
    clear(n * size * to);
    coll_run(&c);
    for (size_t i = 0; i < n * size * to; i++) {
        size_t element = i / to, r = element / n, k = (size_t)t->rank * n + element % n;
        int64_t want = i % to ? -1 : value(call, coll_team_pe(t, (int)r), k * from);
        EXPECT(dest[i] == want, "PE %d: element %zu from rank %zu is %ld, not %ld", core_me(), i, r, (long)dest[i],
               (long)want);
    }
    expect_guard(n * size * to, c.where);
}

/* Sums over ranks [0, terms) */
static void reduce(struct coll_team *t, enum coll_kind kind, const char *where, int call, size_t n, int terms)
{
    struct coll_call c = call_of(t, kind, where, n);
    bool in_place = call & 1;
    fill(call, n);
    clear(n);
    if (in_place) {
        memcpy(dest, source, n * 8);
        c.source = dest;
    }
    coll_run(&c);
    for (size_t i = 0; i < n; i++) {
        int64_t sum = 0;
        for (int r = 0; r < terms; r++)
            sum += value(call, coll_team_pe(t, r), i);
        EXPECT(dest[i] == sum, "PE %d: %s, element %zu of %zu is %ld, not %ld", core_me(), where, i, n, (long)dest[i],
               (long)sum);
    }
    expect_guard(n, where);
}

/* Floating-point sums are the same, bit for bit, on all PEs. */
static void equal_sums(struct coll_team *t, int call, size_t n)
{
    struct coll_call c = call_of(t, COLL_ALLREDUCE, "a sum of doubles", n), gather;
    double *from = (double *)(void *)source, *all;
    c.type = COLL_DOUBLE;
    for (size_t i = 0; i < n; i++)
        from[i] = 1.0 / (double)(1 + call + core_me() * 7 + (int)i);
    coll_run(&c);
    memcpy(source, dest, n * 8);
    gather = call_of(t, COLL_ALLGATHER, "the sums of all", n);
    coll_run(&gather);
    all = (double *)(void *)dest;
    for (size_t i = 0; i < n * (size_t)t->size; i++)
        EXPECT(memcmp(&all[i], &all[i % n], 8) == 0, "PE %d: rank %zu has another sum", core_me(), i / n);
}

static void all_kinds(struct coll_team *t, int call, size_t n)
{
    broadcast(t, call, n);
    fcollect(t, call, n);
    collect(t, call, n);
    alltoall(t, call, n);
    reduce(t, COLL_ALLREDUCE, "a sum", call, n, t->size);
    reduce(t, COLL_INSCAN, "an inclusive scan", call, n, t->rank + 1);
    reduce(t, COLL_EXSCAN, "an exclusive scan", call, n, t->rank);
    equal_sums(t, call, n);
}

struct shape {
    int start, stride, size;
};

/* Teams that this PE may be in: all, every second, all but the first, backwards, pairs. */
static struct shape shape_of(int i)
{
    int n = core_size(), me = core_me();
    switch (i) {
    case 0:
        return (struct shape){0, 1, n};
    case 1:
        return (struct shape){me % 2, 2, (n - me % 2 + 1) / 2};
    case 2:
        return (struct shape){me > 0, 1, me > 0 ? n - 1 : 1};
    case 3:
        return (struct shape){n - 1, -1, n};
    default:
        return (struct shape){me / 2 * 2, 1, me / 2 * 2 + 1 < n ? 2 : 1};
    }
}
enum { SHAPES = 5 };

static size_t elements(int i)
{
    static const size_t sizes[] = {1, 2, 7, 16, 100, 575, 1000, 5000};
    size_t n = sizes[(unsigned)i % (sizeof sizes / sizeof *sizes)], most = MOST / ((size_t)core_size() * 6);
    return n < most ? n : most;
}

static void on_teams(void)
{
    int call = 0;
    for (int again = 0; again < 2; again++)
        for (int i = 0; i < SHAPES; i++) {
            struct shape s = shape_of(i);
            struct coll_team t;
            EXPECT(coll_team_create(COLL_WORLD, s.start, s.stride, s.size, &t) == 0, "team");
            for (int k = 0; k < 8; k++)
                all_kinds(&t, ++call, elements(k));
            coll_team_destroy(&t);
        }
}

static void on_active_sets(void)
{
    static uint64_t words[COLL_TRANSIENT_WORDS];
    int call = 1000;
    for (int i = 0; i < SHAPES; i++) {
        struct shape s = shape_of(i);
        for (int k = 0; k < 8; k++) {
            struct coll_team t;
            coll_team_transient(&t, s.start, s.stride, s.size, words);
            all_kinds(&t, ++call, elements(k));
            coll_barrier(COLL_WORLD, "test"); /* until then a neighbour may have begun its next call */
            for (int w = 0; w < COLL_TRANSIENT_WORDS; w++)
                EXPECT(words[w] == 0, "word %d is left %llu", w, (unsigned long long)words[w]);
            coll_barrier(COLL_WORLD, "test");
        }
    }
}

/* Large blocks: more than one piece of every buffer. */
static void large(void)
{
    size_t n = MOST - GUARD, share = n / (size_t)core_size();
    broadcast(COLL_WORLD, 1, n);
    broadcast(COLL_WORLD, 2, n);
    fcollect(COLL_WORLD, 3, share);
    reduce(COLL_WORLD, COLL_ALLREDUCE, "a large sum", 4, n, core_size());
    reduce(COLL_WORLD, COLL_INSCAN, "a large scan", 5, n, core_me() + 1);
}

/* Teams made and ended in a hurry: a block's next owner must not meet the signals
 * and the readers of the last. PE 0 and another one form a team in turn, while
 * the others' last team may not have ended yet. */
static void hurry(void)
{
    for (int i = 0; i < 60; i++) {
        struct coll_team pairs, twin;
        struct shape s = shape_of(4);
        EXPECT(coll_team_create(COLL_WORLD, s.start, s.stride, s.size, &pairs) == 0, "pairs");
        if (pairs.rank == (int)check_random_below(&seed, 2))
            sched_yield();
        reduce(&pairs, COLL_ALLREDUCE, "a sum of two", i, 1, pairs.size);
        coll_team_destroy(&pairs);
        s = shape_of(1);
        EXPECT(coll_team_create(COLL_WORLD, s.start, s.stride, s.size, &twin) == 0, "twin");
        for (int k = 0; k < 3; k++)
            coll_barrier(&twin, "test");
        broadcast(&twin, i, 3);
        coll_team_destroy(&twin);
    }
}

int main(void)
{
    EXPECT(core_job_start(0) == 0, "start");
    coll_init();
    seed += (uint64_t)core_me();
    EXPECT((source = core_heap_alloc((MOST + GUARD) * 8, 0)) != NULL, "heap");
    EXPECT((dest = core_heap_alloc((MOST + GUARD) * 8, 0)) != NULL, "heap");
    coll_barrier(COLL_WORLD, "test");
    on_teams();
    on_active_sets();
    large();
    hurry();
    coll_barrier(COLL_WORLD, "test");
    core_job_finish();
    return 0;
}
