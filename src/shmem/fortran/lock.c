/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Locks of Fortran lie in a default INTEGER, half of what C's have: a queue in the
 * style of Mellor-Crummey and Scott in 32 bits, made of public atomics and waits.
 *
 *   bits 0-15    on the lock's home PE only: the queue's tail, a PE + 1
 *   bit  16      HELD: this PE has or wants the lock
 *   bits 17-30   NEXT: this PE's successor in the queue, + 1
 *   bit  31      WAITING: set until this PE has the lock
 *
 * A free lock is 0 everywhere. WAITING is the sign, and NEXT lies above all but
 * it, so that a PE waits for either with one comparison of its own word.
 */
#include <stdbool.h>

#include "shmem/fortran/fortran.h"

#define TAIL UINT32_C(0xffff)
#define HELD (UINT32_C(1) << 16)
#define NEXT_SHIFT 17
#define NEXT (UINT32_C(0x3fff) << NEXT_SHIFT)
#define WAITING (UINT32_C(1) << 31)

enum { MAX_PES = 0x3ffe };

/* One lock as one PE sees it. */
struct lock {
    uint32_t *word;
    int me, home;
    const char *where;
};

static struct lock lock_at(void *word, const char *where)
{
    int n = shmem_n_pes(), me = shmem_my_pe();
    if (n > MAX_PES)
        core_fatal("%s: locks in an INTEGER serve up to %d PEs, this job has %d", where, MAX_PES, n);
    if ((uintptr_t)word % sizeof(uint32_t) || !core_segment_holds(word, sizeof(uint32_t)))
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: lock=%p is not a symmetric INTEGER variable",
                           where, word);
    /* Homes are spread by the lock's offset in memory, the same on every PE. */
    uintptr_t a = (uintptr_t)word, h = a - mpt_fast.heap_lo;
    uintptr_t offset = h < mpt_fast.heap_len ? h : a - mpt_fast.data_lo;
    return (struct lock){word, me, (int)(offset / sizeof(uint32_t) % (unsigned)n), where};
}

static uint32_t own_word(struct lock l)
{
    return shmem_uint_atomic_fetch(l.word, l.me);
}

/* Change the tail to `to`, if it is `from` (a PE + 1, 0: empty); any: whatever it
 * is. Returns what it was. */
enum { ANY = -1 };
static uint32_t change_tail(struct lock l, int from, uint32_t to)
{
    uint32_t seen = shmem_uint_atomic_fetch(l.word, l.home), old;
    do {
        old = seen;
        if (from != ANY && (old & TAIL) != (uint32_t)from)
            break;
        seen = shmem_uint_atomic_compare_swap(l.word, old, (old & ~TAIL) | to, l.home);
    } while (seen != old);
    return old & TAIL;
}

static void set_lock(struct lock l)
{
    uint32_t me = (uint32_t)l.me + 1;
    /* WAITING before anybody knows of us: the predecessor clears it. */
    if (shmem_uint_atomic_fetch_or(l.word, HELD | WAITING, l.me) & HELD)
        core_finding_fatal(CORE_FINDING_CALL_STATE, shmemi_rule(l.where), "%s: lock=%p: this PE holds it already",
                           l.where, (void *)l.word);
    uint32_t before = change_tail(l, ANY, me);
    if (before == 0) {
        shmem_uint_atomic_and(l.word, ~WAITING, l.me);
        return;
    }
    shmem_uint_atomic_or(l.word, me << NEXT_SHIFT, (int)before - 1);
    shmem_int_wait_until((int *)l.word, SHMEM_CMP_GE, 0);
}

/* True when taken. */
static bool test_lock(struct lock l)
{
    if (own_word(l) & HELD)
        return false;
    shmem_uint_atomic_or(l.word, HELD, l.me);
    if (change_tail(l, 0, (uint32_t)l.me + 1) == 0)
        return true;
    shmem_uint_atomic_and(l.word, ~HELD, l.me);
    return false;
}

static void clear_lock(struct lock l)
{
    uint32_t state = own_word(l);
    if ((state & (HELD | WAITING)) != HELD)
        core_finding_fatal(CORE_FINDING_CALL_STATE, shmemi_rule(l.where), "%s: lock=%p: this PE does not hold it",
                           l.where, (void *)l.word);
    shmem_quiet(); /* what was put under the lock is done before it is free */
    if (!(state & NEXT)) {
        uint32_t me = (uint32_t)l.me + 1;
        if (change_tail(l, (int)me, 0) == me) {
            shmem_uint_atomic_and(l.word, ~HELD, l.me);
            return;
        }
        /* Somebody has taken the tail and is about to tell us. */
        shmem_int_wait_until((int *)l.word, SHMEM_CMP_GE, 1 << NEXT_SHIFT);
    }
    state = shmem_uint_atomic_fetch_and(l.word, ~(HELD | NEXT), l.me);
    shmem_uint_atomic_and(l.word, ~WAITING, (int)((state & NEXT) >> NEXT_SHIFT) - 1);
}

SHMEMF_PUBLIC void shmem_set_lock_(void *lock)
{
    set_lock(lock_at(lock, "shmem_set_lock"));
}

SHMEMF_PUBLIC void shmem_clear_lock_(void *lock)
{
    clear_lock(lock_at(lock, "shmem_clear_lock"));
}

static int64_t test(struct lock l)
{
    static _Thread_local unsigned streak;
    if (test_lock(l)) {
        core_test_found(&streak);
        return 0;
    }
    core_test_failed(&streak, "SHMEM_TEST_LOCK", NULL);
    return 1;
}

SHMEMF_PUBLIC shmemf_int shmem_test_lock_(void *lock)
{
    return shmemf_number(test(lock_at(lock, "shmem_test_lock")));
}
