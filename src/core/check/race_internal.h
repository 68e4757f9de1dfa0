/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the race checker share. "Own" is of this PE; slices stand for PEs.
 */
#ifndef CORE_CHECK_RACE_INTERNAL_H
#define CORE_CHECK_RACE_INTERNAL_H

#include <sched.h>

#include "core/check/race.h"
#include "core/check/race_wire.h"
#include "core/internal.h"

#define RACE (&core_state.check.race)

static inline void core_race_lock(uint32_t *lock)
{
    /* model: publish.lock */
    for (unsigned i = 1; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); i++)
        if (i % 64 == 0)
            sched_yield();
}

static inline void core_race_unlock(uint32_t *lock)
{
    /* model: publish.unlock */
    __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static inline struct core_race_pe *core_race_pe(unsigned slice)
{
    return (struct core_race_pe *)((char *)RACE->shared + ((sizeof(struct core_race_shared) + 63) & ~(size_t)63) +
                                   slice * core_race_pe_size(RACE->n));
}

/* Snapshot `number` of a PE, which lies where those of some time before lay. */
static inline struct core_race_snapshot *core_race_snapshot(struct core_race_pe *pe, uint32_t number)
{
    return (struct core_race_snapshot *)((char *)pe + ((sizeof *pe + 63) & ~(size_t)63) +
                                         number % core_race_snapshots(RACE->n) * core_race_snapshot_size(RACE->n));
}

/* core_race_settle() would find nothing: of the program itself nothing has been seen. */
static inline bool core_race_is_settled(void)
{
    uint64_t unsaid = 0;

    for (unsigned i = 0; i < sizeof RACE->unsaid / sizeof *RACE->unsaid; i++)
        unsaid |= RACE->unsaid[i];
    return unsaid == 0 && !RACE->own->instrumented;
}

static inline const struct core_race_snapshot *core_race_newest(void)
{
    return core_race_snapshot(RACE->own, RACE->own->newest);
}

static inline uint32_t core_race_known(const struct core_race_snapshot *s, unsigned pe)
{
    return s->clocks[pe];
}

static inline uint32_t core_race_done(const struct core_race_snapshot *s, unsigned pe, unsigned at)
{
    return s->clocks[RACE->n + (size_t)pe * RACE->n + at];
}

static inline uint32_t core_race_back(const struct core_race_snapshot *s, unsigned pe)
{
    return s->clocks[RACE->n + (size_t)RACE->n * RACE->n + pe];
}

/* order.c. Of what a PE knew at a step, what *to does not tell yet is added to it; true if something was. `at`: the
 * slice in whose memory this was seen, so that puts there that a fence had ordered before are complete; UINT32_MAX:
 * nowhere.
 */
bool core_race_join(struct core_race_snapshot *to, unsigned pe, uint32_t clock, unsigned at);
/* Since this PE's step `clock`, has it learned of what `pe` did, whose loads are not seen? Then that may have answered
 * to what this PE did there. */
bool core_race_has_heard(unsigned pe, uint32_t clock);
/* Join for this PE; to all of what `pe` knows by now where clock is UINT32_MAX. With the lock of this PE. */
void core_race_join_own(unsigned pe, uint32_t clock, unsigned at);
/* The step that an access of this PE bears. */
uint32_t core_race_stamp(unsigned how);

/* access.c: learn from what this PE's loads have seen. With the lock of this PE. */
void core_race_look_back(void);

/* local.c: the program's loads and stores are looked at from now on. */
void core_race_watch(void);
/* access.c: a load that was made in the step `clock`. With the lock of this PE. */
void core_race_loaded(const void *at, size_t n, uint32_t clock, uintptr_t pc);
/* order.c: did `pe` know of this PE's step `mine`, in its own step `its`? */
bool core_race_knew(unsigned pe, uint32_t its, uint32_t mine);

/* site.c: the number of the call this PE is in; where and what it was, as text. With the lock of this PE. */
uint32_t core_race_site(uintptr_t pc, const char *call);
const char *core_race_site_call(uint32_t site);
const char *core_race_site_text(uint32_t site, char *text, size_t n);

/* shadow.c. This PE's access to the bytes from `at` to `end` of the node's memory, of one page, which is owner's: is
 * told of if one of before is not ordered, and kept. */
void core_race_enter_page(uint64_t at, uint64_t end, struct core_race_record now, unsigned owner);
/* Has it been entered in the same step, of one line? May say no. */
bool core_race_has_been(uint64_t at, size_t n, struct core_race_record now);
/* Who has written to these bytes, and in which step; all for which there was no room. What is seen has landed: whoever
 * knows of the step may count on it, the writer, too. */
uint64_t core_race_writers(uint64_t at, size_t n, uint32_t clocks[CORE_RACE_PES]);
/* What `pe` has put to these bytes in this step has landed. */
void core_race_land(uint64_t at, size_t n, unsigned pe, uint32_t clock);

/* report.c: this PE's access and one of before, of the page whose first byte is given, are not ordered. */
void core_race_report(const struct core_race_record *now, const struct core_race_record *before, uint64_t page);
/* Would they be, had this PE looked at all that others have written to its memory? */
bool core_race_may_have_seen(const struct core_race_record *before, unsigned owner);
/* Is what `before` tells of ordered before what this PE does next, as it knows things in `s`? */
bool core_race_is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                          const struct core_race_record *now, unsigned owner);

#endif
