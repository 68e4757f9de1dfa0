/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Of two accesses to the same bytes: may they happen at once, is one ordered before the other, may it be forgotten.
 */
#ifndef CORE_CHECK_RACE_RULES_H
#define CORE_CHECK_RACE_RULES_H

#include "core/check/race_internal.h"

static inline bool overlap(const struct core_race_record *a, const struct core_race_record *b)
{
    return a->lo < b->hi && b->lo < a->hi;
}

static inline bool covers(const struct core_race_record *a, const struct core_race_record *b)
{
    return a->lo <= b->lo && a->hi >= b->hi;
}

/* A flag is often put by shmem_p and read by an atomic fetch or a wait, or set by an atomic and polled by shmem_g. A
 * compare-and-swap that finds another value only reads. */
static inline bool is_flag(const struct core_race_record *a, const struct core_race_record *b)
{
    bool both_write = (a->how & b->how & CORE_RACE_WRITE) && !((a->how | b->how) & CORE_RACE_TRY);

    return !both_write && ((a->how & CORE_RACE_ATOMIC && b->how & CORE_RACE_WORD) ||
                           (b->how & CORE_RACE_ATOMIC && a->how & CORE_RACE_WORD));
}

static inline bool are_atomic(const struct core_race_record *a, const struct core_race_record *b)
{
    bool other_kind = a->how & CORE_RACE_KIND && b->how & CORE_RACE_KIND && (a->how ^ b->how) & CORE_RACE_KIND;
    bool other_op = a->op && b->op && a->op != b->op && a->pe != b->pe;

    return a->how & b->how & CORE_RACE_ATOMIC && !other_kind && !other_op;
}

/* Of two operations on windows neither is a flag to the other: a get or a put beside an accumulate is a conflict, of a
 * word, too (MPI-5.0, 12.7). */
static inline bool are_of_windows(const struct core_race_record *a, const struct core_race_record *b)
{
    return a->how & b->how & CORE_RACE_EPOCH;
}

/* May these two happen at once? */
static inline bool exclude(const struct core_race_record *a, const struct core_race_record *b)
{
    return (a->how | b->how) & CORE_RACE_WRITE && !are_atomic(a, b) && (!is_flag(a, b) || are_of_windows(a, b));
}

/* A window's operation that brings something back: when that has come, it has been carried out. */
static inline bool is_back(const struct core_race_snapshot *s, const struct core_race_record *r)
{
    return r->how & CORE_RACE_EPOCH && (!(r->how & CORE_RACE_WRITE) || r->how & CORE_RACE_FETCHES) &&
           r->clock <= core_race_back(s, r->pe);
}

/* This PE's own earlier operation. Two puts to the same place need a fence; what a nonblocking call reads or
 * writes is its own until it is complete. */
static inline bool is_own_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                                  const struct core_race_record *now, unsigned owner)
{
    if (!(before->how & CORE_RACE_PENDING) || before->clock <= core_race_done(s, RACE->me, owner))
        return true;
    if (before->how & CORE_RACE_EPOCH)
        return is_back(s, before);
    if (before->how & CORE_RACE_BUFFER)
        return false;
    if (owner == RACE->me || !(before->how & CORE_RACE_WRITE))
        return true;
    if (now->how & CORE_RACE_WRITE)
        return before->clock <= s->fenced || core_race_has_heard(owner, before->clock);
    return !(before->how & CORE_RACE_NBI) || before->clock <= s->fenced;
}

static inline bool is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                              const struct core_race_record *now, unsigned owner)
{
    if (before->pe == RACE->me)
        return is_own_ordered(s, before, now, owner);
    if (before->how & CORE_RACE_PENDING)
        return before->clock <= core_race_done(s, before->pe, owner) || is_back(s, before);
    return before->clock <= core_race_known(s, before->pe);
}

/* Nothing is lost if `before` goes where both are: whatever is ordered after the new one is ordered after it, and a
 * conflict with it is one with the new one. */
static inline bool is_superseded(const struct core_race_record *before, const struct core_race_record *now)
{
    if (now->how & CORE_RACE_ATOMIC)
        return before->pe == now->pe && before->how == now->how && before->op == now->op;
    return now->how & CORE_RACE_WRITE || !(before->how & CORE_RACE_WRITE);
}

/* A load is told of later than it was made: others may have written since who knew of it. */
static inline bool is_before(const struct core_race_record *now, const struct core_race_record *other)
{
    return now->how & CORE_RACE_LATE && other->pe != now->pe && core_race_knew(other->pe, other->clock, now->clock);
}

#endif
