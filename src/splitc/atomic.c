/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Atomic operations, locks, and functions that run at an object's owner.
 */
#include "splitc/splitci.h"
#include "splitc/trace.h"

static uint64_t amo(const char *call, struct sc_global g, size_t width, struct core_amo a)
{
    void *p = splitci_near(g, call, call, 0);

    if ((uintptr_t)g.addr % width)
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                           "%s: PE %d: the object at %p of processor %d is not aligned to %zu bytes", call, core_me(),
                           g.addr, g.proc, width);
    a.width = (unsigned)width;
    if (p)
        return core_amo_here(p, a);
    if (!core_segment_holds(g.addr, width))
        core_finding_fatal(
            CORE_FINDING_ARGUMENT, SPLITCI_RULE,
            "%s: PE %d: processor %d is on another node and the object at %p neither a global variable nor of "
            "the symmetric heap",
            call, core_me(), g.proc, g.addr);
    return core_amo(CORE_FLOW_DEFAULT, g.proc, g.addr, a);
}

/* Programs repeat these until another processor has changed the object. */
static uint64_t amo_polled(const char *call, struct sc_global g, size_t width, struct core_amo a)
{
    SPLITCI_TRACE(t, call, NULL);

    splitci_trace_moved(&t, CORE_TRACE_STORES | CORE_TRACE_LOADS, g, width);
    core_looked();
    core_acted();
    return amo(call, g, width, a);
}

/* fetch_add, fetch_add_l, exchange, exchange_l, cmp_swap, cmp_swap_l: amo_polled */
#define UPDATES(T, suffix)                                                                                  \
    T fetch_add##suffix(struct sc_global p, T value)                                                        \
    {                                                                                                       \
        return (T)amo_polled("fetch_add" #suffix, p, sizeof value,                                          \
                             (struct core_amo){.op = CORE_AMO_ADD, .value = (uint64_t)value});              \
    }                                                                                                       \
    T exchange##suffix(struct sc_global p, T value)                                                         \
    {                                                                                                       \
        return (T)amo_polled("exchange" #suffix, p, sizeof value,                                           \
                             (struct core_amo){.op = CORE_AMO_SWAP, .value = (uint64_t)value});             \
    }                                                                                                       \
    T cmp_swap##suffix(struct sc_global p, T expected, T value)                                             \
    {                                                                                                       \
        return (T)amo_polled(                                                                               \
            "cmp_swap" #suffix, p, sizeof value,                                                            \
            (struct core_amo){.op = CORE_AMO_CSWAP, .value = (uint64_t)value, .cond = (uint64_t)expected}); \
    }
UPDATES(int, )
UPDATES(long, _l)

int test_and_set(struct sc_global p)
{
    return (int)amo_polled("test_and_set", p, sizeof(int), (struct core_amo){.op = CORE_AMO_SWAP, .value = 1});
}

/* ---------------------------------------------------------------------- locks --
 * Who holds it, + 1. */

static int try_lock(const char *call, struct sc_global p)
{
    int me = core_me() + 1;
    int had = (int)amo(call, p, sizeof had, (struct core_amo){.op = CORE_AMO_CSWAP, .value = (uint64_t)me});

    if (had == me)
        core_finding_fatal(CORE_FINDING_CALL_STATE, SPLITCI_RULE, "%s: PE %d holds that lock already", call, core_me());
    if (had < 0 || had > core_size())
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                           "%s: PE %d: %d is in the lock at %p of processor %d; a free one is 0", call, core_me(), had,
                           p.addr, p.proc);
    if (had == 0)
        core_acted();
    return had == 0;
}

int splitc_trylock(struct sc_global p)
{
    splitci_need_start("splitc_trylock");
    if (try_lock("splitc_trylock", p))
        return 1;
    core_looked();
    return 0;
}

void splitc_lock(struct sc_global p)
{
    unsigned streak = 0;
    SPLITCI_TRACE(t, "splitc_lock", __builtin_return_address(0));

    splitci_trace_moved(&t, CORE_TRACE_STORES | CORE_TRACE_LOADS, p, sizeof(int));
    splitci_need_start("splitc_lock");
    while (!try_lock("splitc_lock", p))
        core_test_failed(&streak, "splitc_lock", NULL);
}

void splitc_unlock(struct sc_global p)
{
    int me = core_me() + 1, had;
    SPLITCI_TRACE(t, "splitc_unlock", __builtin_return_address(0));

    splitci_trace_moved(&t, CORE_TRACE_STORES, p, sizeof had);
    splitci_need_start("splitc_unlock");
    core_acted();
    core_quiet(CORE_FLOW_DEFAULT);
    had = (int)amo("splitc_unlock", p, sizeof had,
                   (struct core_amo){.op = CORE_AMO_CSWAP, .value = 0, .cond = (uint64_t)me});
    if (had != me)
        core_finding_fatal(CORE_FINDING_CALL_STATE, SPLITCI_RULE, "splitc_unlock: PE %d does not hold that lock: %s",
                           core_me(), had ? "another PE does" : "it is free");
}

/* --------------------------------------------------- functions at the owner -- */

enum { WORDS = 8, HEAD = 3 }; /* before the words: function, object, whom to tell */

struct outcome {
    long value;
    bool there;
};

typedef long function(void *p, long a, long b, long c, long d, long e, long f, long g, long h);

static long run(am_word f, am_word p, const am_word *w)
{
    return ((function *)f)((void *)p, w[0], w[1], w[2], w[3], w[4], w[5], w[6], w[7]);
}

static void came_back(vnn_t src, am_word to, am_word value)
{
    struct outcome *o = (struct outcome *)to;

    (void)src;
    o->value = value;
    o->there = true;
}

static void run_here(vnn_t src, const am_word *w, int n)
{
    (void)n;
    am_reply_2(src, came_back, w[2], run(w[0], w[1], w + HEAD));
}

long sc_atomic(void (*f)(void), struct sc_global p, const long *words, int n)
{
    am_word w[HEAD + WORDS] = {(am_word)f, (am_word)p.addr};
    struct outcome outcome = {0};
    SPLITCI_TRACE(t, "atomic", __builtin_return_address(0));

    splitci_trace_moved(&t, CORE_TRACE_STORES | CORE_TRACE_LOADS, p, (size_t)(n > 0 ? n : 0) * sizeof *words);
    splitci_need_start("atomic");
    splitci_near(p, "atomic", "atomic", 0); /* checks it */
    if (n < 0 || n > WORDS)
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE,
                           "atomic: PE %d: %d values for the function; %d are possible", core_me(), n, WORDS);
    for (int i = 0; i < n; i++)
        w[HEAD + i] = words[i];
    if (p.proc == core_me())
        return run(w[0], w[1], w + HEAD);
    w[2] = (am_word)&outcome;
    am_request_v(p.proc, run_here, w, HEAD + WORDS);
    am_wait_for(*(volatile bool *)&outcome.there);
    return outcome.value;
}
