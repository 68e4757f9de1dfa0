/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks (1.6, 9.13): a queue in the style of Mellor-Crummey and Scott, first
 * come, first served, whose waiters sleep. All of it lies in the user's word:
 *
 *   low 32 bits    on the lock's home PE only: the queue's tail, a PE + 1
 *   high 32 bits   this PE's position in the queue: successor + 1 in 30 bits, HELD
 *                  while it has or wants the lock, WAITING until it has it
 *
 * A free lock is zero everywhere. Each PE waits on its own word, which its
 * predecessor changes; without contention two atomics take a lock, one frees it.
 * A PE works on its own word with instructions, on that of a PE of another node
 * by core_amo, which is atomic with these.
 */
#include "shmem/check.h"

#define WAITING (UINT32_C(1) << 31)
#define HELD (UINT32_C(1) << 30)
#define NEXT (HELD - 1)

struct word {
    uint32_t tail, node;
};
_Static_assert(sizeof(struct word) == sizeof(long), "a lock is one long");

/* Locks' homes are spread over the PEs, by the offset in symmetric memory, which
 * is the same everywhere. */
static int home_of(const long *lock)
{
    uintptr_t a = (uintptr_t)lock, h = a - mpt_fast.heap_lo;
    uintptr_t offset = h < mpt_fast.heap_len ? h : a - mpt_fast.data_lo;
    return (int)(offset / sizeof(long) % (unsigned)mpt_fast.npes);
}

/* The queue's tail, at the lock's home; home is NULL when that is on another
 * node. Acquire: what the last holder wrote is seen by whoever finds the queue
 * empty. Release: this PE's node is set before others learn of it. */
struct tail {
    struct word *home;
    long *lock;
    int pe;
};

static inline struct tail tail_of(long *lock)
{
    int pe = home_of(lock);
    return (struct tail){core_addr(pe, lock), lock, pe};
}

static uint32_t *field(long *lock, size_t offset)
{
    return (uint32_t *)((char *)lock + offset);
}

static uint32_t tail_amo(struct tail t, enum core_amo_op op, uint32_t value, uint32_t cond)
{
    struct core_amo a = {op, sizeof value, value, cond};
    return (uint32_t)core_amo(CORE_FLOW_DEFAULT, t.pe, field(t.lock, offsetof(struct word, tail)), a);
}

static uint32_t exchange_tail(struct tail t, uint32_t to)
{
    /* model: lock.exchange */
    return MPT_LIKELY(t.home != NULL) ? __atomic_exchange_n(&t.home->tail, to, __ATOMIC_ACQ_REL)
                                      : tail_amo(t, CORE_AMO_SWAP, to, 0);
}

/* True if it was `from` and is `to` now. */
static bool change_tail(struct tail t, uint32_t from, uint32_t to)
{
    if (MPT_UNLIKELY(!t.home))
        return tail_amo(t, CORE_AMO_CSWAP, to, from) == from;
    /* model: lock.change */
    return __atomic_compare_exchange_n(&t.home->tail, &from, to, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

/* Set or clear bits of another PE's node, and wake it if it waits for that.
 * Release: what this PE did before is seen by whoever sees the change. */
static void change_node(int pe, long *lock, enum core_amo_op op, uint32_t value)
{
    struct word *w = core_addr(pe, lock);
    if (MPT_UNLIKELY(!w)) {
        core_amo_nbi(CORE_FLOW_DEFAULT, pe, field(lock, offsetof(struct word, node)),
                     (struct core_amo){op, sizeof value, value, 0}, NULL);
        return;
    }
    if (op == CORE_AMO_OR)
        /* model: lock.stand_behind */
        __atomic_fetch_or(&w->node, value, __ATOMIC_RELEASE);
    else
        /* model: lock.hand_over */
        __atomic_fetch_and(&w->node, value, __ATOMIC_RELEASE);
    core_wake(pe);
}

static void check_lock(const long *lock, const char *where)
{
    shmemi_ready(where);
    shmemi_symmetric(lock, sizeof *lock, "lock", where);
    if ((uintptr_t)lock % sizeof *lock)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: lock=%p is not aligned to %zu bytes", where,
                           (const void *)lock, sizeof *lock);
}

/* Take this PE's position in the queue; false if it has it already. */
static bool enter(struct word *own)
{
    uint32_t none = 0;
    /* model: lock.enter */
    return __atomic_compare_exchange_n(&own->node, &none, HELD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* ---- whom a deadlock's report names: only who stands before can end the wait ---- */

struct turn {
    long *lock;
    int before;
    const char *where;
};

static void who_is_before(const void *arg, struct core_wire_blocked_thread *b)
{
    core_blocked_any(b);
    core_blocked_pe(b, ((const struct turn *)arg)->before);
}

static void say_turn(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct turn *t = arg;
    const struct word *theirs = core_addr(t->before, t->lock);
    bool waits = theirs && __atomic_load_n(&theirs->node, __ATOMIC_RELAXED) & WAITING;

    core_blocked_call(b, "%s(lock=%p), which PE %d %s", t->where, (void *)t->lock, t->before,
                      waits    ? "waits for, too, before this PE"
                      : theirs ? "holds"
                               : "holds or waits for before this PE");
}

/* Stand behind PE `before` and wait for it. WAITING comes first: that PE hands
 * over only to whoever has told it of itself. */
static void wait_for_turn(struct word *own, int before, long *lock, const char *where)
{
    const struct turn turn = {lock, before, where};
    const struct core_blocked_by by = {who_is_before, say_turn, &turn};
    struct core_waiter w;
    /* model: lock.waiting */
    __atomic_fetch_or(&own->node, WAITING, __ATOMIC_RELAXED);
    change_node(before, lock, CORE_AMO_OR, (uint32_t)mpt_fast.me + 1);
    core_wait_begin_for(&w, where, &own->node, sizeof own->node);
    if (MPT_UNLIKELY(core_params.check))
        core_wait_by(&w, &by);
    /* Acquire: what the last holder wrote is seen here. */
    /* model: lock.turn */
    while (__atomic_load_n(&own->node, __ATOMIC_ACQUIRE) & WAITING)
        core_wait_pause(&w);
    core_wait_end(&w);
}

/* The node is the PE's: its threads take turns. With one thread, nobody could
 * ever clear a lock that this PE has. */
static void enter_or_wait(struct word *own, const long *lock, const char *where)
{
    if (MPT_LIKELY(enter(own)))
        return;
    if (core_process_single())
        core_finding_fatal(CORE_FINDING_CALL_STATE, shmemi_rule(where), "%s: lock=%p: this PE holds it already", where,
                           (const void *)lock);
    struct core_waiter w;
    core_wait_begin(&w, where);
    while (!enter(own))
        core_wait_pause(&w);
    core_wait_end(&w);
}

void pshmem_set_lock(long *lock)
{
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_waited(&t, lock, 0, sizeof *lock);
    check_lock(lock, where);
    struct word *own = (struct word *)lock;
    enter_or_wait(own, lock, where);
    uint32_t before = exchange_tail(tail_of(lock), (uint32_t)mpt_fast.me + 1);
    if (before != 0)
        wait_for_turn(own, (int)before - 1, lock, where);
    if (core_race_on())
        shmemi_race_locked(lock);
}
SHMEMI_ALIAS(shmem_set_lock);

/* With MPT_CHECK, of a loop of tests in vain. */
struct tested {
    struct tail tail;
    const char *where;
};

static void say_test(const void *arg, struct core_wire_blocked_thread *b)
{
    const struct tested *t = arg;
    uint32_t last = t->tail.home ? __atomic_load_n(&t->tail.home->tail, __ATOMIC_RELAXED) : 0;

    if (last)
        core_blocked_call(b, "%s(lock=%p), which PE %u holds or waits for", t->where, (void *)t->tail.lock, last - 1);
    else
        core_blocked_call(b, "%s(lock=%p)", t->where, (void *)t->tail.lock);
}

int pshmem_test_lock(long *lock)
{
    const char *where = SHMEMI_WHERE;
    check_lock(lock, where);
    struct word *own = (struct word *)lock;
    struct tail tail = tail_of(lock);
    /* A look first, where that is cheaper than the try. */
    if ((!tail.home || __atomic_load_n(&tail.home->tail, __ATOMIC_RELAXED) == 0) && enter(own)) {
        if (change_tail(tail, 0, (uint32_t)mpt_fast.me + 1)) {
            core_test_found(&shmemi_thread.lock_tests);
            if (MPT_UNLIKELY(core_trace_on()))
                shmemi_trace_tested(where, lock, 0, sizeof *lock);
            if (core_race_on())
                shmemi_race_locked(lock);
            return 0;
        }
        __atomic_store_n(&own->node, 0, __ATOMIC_RELAXED);
    }
    core_test_failed(&shmemi_thread.lock_tests, where,
                     &(struct core_blocked_by){NULL, say_test, &(struct tested){tail, where}});
    return 1;
}
SHMEMI_ALIAS(shmem_test_lock);

/* Who comes after this PE; 0 when the queue could be left empty. Someone may be
 * between taking the tail and telling us. */
static uint32_t successor(struct word *own, struct tail tail, const char *where)
{
    struct core_waiter w;
    /* model: lock.next */
    uint32_t next = __atomic_load_n(&own->node, __ATOMIC_ACQUIRE) & NEXT;
    if (next == 0 && change_tail(tail, (uint32_t)mpt_fast.me + 1, 0))
        return 0;
    core_wait_begin_for(&w, where, &own->node, sizeof own->node);
    /* model: lock.next */
    while ((next = __atomic_load_n(&own->node, __ATOMIC_ACQUIRE) & NEXT) == 0)
        core_wait_pause(&w);
    core_wait_end(&w);
    return next;
}

void pshmem_clear_lock(long *lock)
{
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    check_lock(lock, where);
    struct word *own = (struct word *)lock;
    uint32_t state = __atomic_load_n(&own->node, __ATOMIC_RELAXED);
    if ((state & (HELD | WAITING)) != HELD)
        core_finding_fatal(CORE_FINDING_CALL_STATE, shmemi_rule(where), "%s: lock=%p: this PE does not hold it", where,
                           (void *)lock);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_complete(CORE_FLOW_DEFAULT, where);
    if (core_race_on())
        shmemi_race_unlocks(lock, where);
    core_quiet(CORE_FLOW_DEFAULT); /* what was put under the lock is done before it is free */
    uint32_t next = successor(own, tail_of(lock), where);
    /* model: lock.leave */
    __atomic_store_n(&own->node, 0, __ATOMIC_RELEASE);
    if (!core_process_single())
        core_wake(mpt_fast.me); /* another thread may wait for the node */
    if (next != 0)
        change_node((int)next - 1, lock, CORE_AMO_AND, ~WAITING);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_put(&t, next != 0 ? (int)next - 1 : CORE_TRACE_PEER_NONE, lock, NULL, sizeof *lock);
}
SHMEMI_ALIAS(shmem_clear_lock);
