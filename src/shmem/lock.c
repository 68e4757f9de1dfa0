/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks (1.6, 9.13): a queue in the style of Mellor-Crummey and Scott, first
 * come, first served, whose waiters sleep. All of it lies in the user's word:
 *
 *   low 32 bits    on the lock's home PE only: the queue's tail, a PE + 1
 *   high 32 bits   this PE's place in the queue: successor + 1 in 30 bits, HELD
 *                  while it has or wants the lock, WAITING until it has it
 *
 * A free lock is zero everywhere. Each PE waits on its own word, which its
 * predecessor changes; without contention two atomics take a lock, one frees it.
 */
#include <sys/single_threaded.h>

#include "shmem/check.h"

#define WAITING (UINT32_C(1) << 31)
#define HELD (UINT32_C(1) << 30)
#define NEXT (HELD - 1)

struct word {
    uint32_t tail, node;
};
_Static_assert(sizeof(struct word) == sizeof(long), "a lock is one long");

/* Locks' homes are spread over the PEs, by the place in symmetric memory, which
 * is the same everywhere. */
static int home_of(const long *lock)
{
    uintptr_t a = (uintptr_t)lock, h = a - mpt_fast.heap_lo;
    uintptr_t offset = h < mpt_fast.heap_len ? h : a - mpt_fast.data_lo;
    return (int)(offset / sizeof(long) % (unsigned)mpt_fast.npes);
}

static struct word *word_at(int pe, long *lock, const char *where)
{
    struct word *w = core_addr(pe, lock);
    if (MPT_UNLIKELY(!w))
        core_fatal("%s: PE %d is on another node, which locks cannot reach without a network transport", where, pe);
    return w;
}

static void check_lock(const long *lock, const char *where)
{
    shmemi_ready(where);
    shmemi_symmetric(lock, sizeof *lock, "lock", where);
    if ((uintptr_t)lock % sizeof *lock)
        core_fatal("%s: lock=%p is not aligned to %zu bytes", where, (const void *)lock, sizeof *lock);
}

/* Take this PE's place in the queue; false if it has it already. */
static bool enter(struct word *own)
{
    uint32_t none = 0;
    return __atomic_compare_exchange_n(&own->node, &none, HELD, false, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED);
}

/* Stand behind PE `before` and wait for it. WAITING comes first: that PE hands
 * over only to who has told it of itself. */
static void wait_for_turn(struct word *own, int before, long *lock, const char *where)
{
    struct core_waiter w;
    __atomic_fetch_or(&own->node, WAITING, __ATOMIC_RELAXED);
    /* Release: WAITING is there before the other knows of us. */
    __atomic_fetch_or(&word_at(before, lock, where)->node, (uint32_t)mpt_fast.me + 1, __ATOMIC_RELEASE);
    core_wake(before); /* it may wait to hear who comes next */
    core_wait_begin(&w, where);
    /* Acquire: what the last holder wrote is seen here. */
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
    if (__libc_single_threaded)
        core_fatal("%s: lock=%p: this PE holds it already", where, (const void *)lock);
    struct core_waiter w;
    core_wait_begin(&w, where);
    while (!enter(own))
        core_wait_pause(&w);
    core_wait_end(&w);
}

static void set_lock(long *lock, const char *where)
{
    check_lock(lock, where);
    struct word *own = (struct word *)lock, *home = word_at(home_of(lock), lock, where);
    enter_or_wait(own, lock, where);
    /* Release: the node is set before others learn of it. Acquire: as above, of
     * who left the queue empty. */
    uint32_t before = __atomic_exchange_n(&home->tail, (uint32_t)mpt_fast.me + 1, __ATOMIC_ACQ_REL);
    if (before != 0)
        wait_for_turn(own, (int)before - 1, lock, where);
}

static int test_lock(long *lock, const char *where)
{
    check_lock(lock, where);
    struct word *own = (struct word *)lock, *home = word_at(home_of(lock), lock, where);
    static _Thread_local unsigned streak;
    uint32_t nobody = 0;
    if (__atomic_load_n(&home->tail, __ATOMIC_RELAXED) == 0 && enter(own)) {
        if (__atomic_compare_exchange_n(&home->tail, &nobody, (uint32_t)mpt_fast.me + 1, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            streak = 0;
            return 0;
        }
        __atomic_store_n(&own->node, 0, __ATOMIC_RELAXED);
    }
    core_test_failed(&streak);
    return 1;
}

/* Who comes after this PE; 0 when the queue could be left empty. Someone may be
 * between taking the tail and telling us. */
static uint32_t successor(struct word *own, struct word *home, const char *where)
{
    struct core_waiter w;
    uint32_t next = __atomic_load_n(&own->node, __ATOMIC_ACQUIRE) & NEXT, me = (uint32_t)mpt_fast.me + 1;
    if (next == 0 &&
        __atomic_compare_exchange_n(&home->tail, &me, 0, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
        return 0;
    core_wait_begin(&w, where);
    while ((next = __atomic_load_n(&own->node, __ATOMIC_ACQUIRE) & NEXT) == 0)
        core_wait_pause(&w);
    core_wait_end(&w);
    return next;
}

static void clear_lock(long *lock, const char *where)
{
    check_lock(lock, where);
    struct word *own = (struct word *)lock, *home = word_at(home_of(lock), lock, where);
    uint32_t state = __atomic_load_n(&own->node, __ATOMIC_RELAXED);
    if ((state & (HELD | WAITING)) != HELD)
        core_fatal("%s: lock=%p: this PE does not hold it", where, (void *)lock);
    core_quiet(); /* what was put under the lock is done before it is free */
    uint32_t next = successor(own, home, where);
    __atomic_store_n(&own->node, 0, __ATOMIC_RELEASE);
    if (!__libc_single_threaded)
        core_wake(mpt_fast.me); /* another thread may wait for the node */
    if (next == 0)
        return;
    __atomic_fetch_and(&word_at((int)next - 1, lock, where)->node, ~WAITING, __ATOMIC_RELEASE);
    core_wake((int)next - 1);
}

SHMEMI_DEF(void, set_lock, (long *lock), set_lock(lock, where);)
SHMEMI_DEF(void, clear_lock, (long *lock), clear_lock(lock, where);)
SHMEMI_DEF(int, test_lock, (long *lock), return test_lock(lock, where);)
