/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of each line of memory: the accesses that some later one may not be ordered after.
 */
#include <string.h>

#include "core/check/race_internal.h"
#include "core/check/watch.h"

static bool overlap(const struct core_race_record *a, const struct core_race_record *b)
{
    return a->lo < b->hi && b->lo < a->hi;
}

static bool covers(const struct core_race_record *a, const struct core_race_record *b)
{
    return a->lo <= b->lo && a->hi >= b->hi;
}

/* A flag is often put by shmem_p and read by an atomic fetch or a wait, or set by an atomic and polled by shmem_g. A
 * compare-and-swap that finds another value only reads. */
static bool is_flag(const struct core_race_record *a, const struct core_race_record *b)
{
    bool both_write = (a->how & b->how & CORE_RACE_WRITE) && !((a->how | b->how) & CORE_RACE_TRY);

    return !both_write && ((a->how & CORE_RACE_ATOMIC && b->how & CORE_RACE_WORD) ||
                           (b->how & CORE_RACE_ATOMIC && a->how & CORE_RACE_WORD));
}

/* May these two happen at once? */
static bool exclude(const struct core_race_record *a, const struct core_race_record *b)
{
    return (a->how | b->how) & CORE_RACE_WRITE && !(a->how & b->how & CORE_RACE_ATOMIC) && !is_flag(a, b);
}

/* This PE's own earlier operation. Two puts to the same place need a fence; what a nonblocking call reads or
 * writes is its own until it is complete. */
static bool is_own_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                           const struct core_race_record *now, unsigned owner)
{
    if (!(before->how & CORE_RACE_PENDING) || before->clock <= core_race_done(s, RACE->me, owner))
        return true;
    if (before->how & CORE_RACE_EPOCH)
        return !(before->how & CORE_RACE_WRITE); /* what follows a get is left out */
    if (before->how & CORE_RACE_BUFFER)
        return false;
    if (owner == RACE->me || !(before->how & CORE_RACE_WRITE))
        return true;
    if (now->how & CORE_RACE_WRITE)
        return before->clock <= s->fenced || core_race_has_heard(owner, before->clock);
    return !(before->how & CORE_RACE_NBI) || before->clock <= s->fenced;
}

bool core_race_is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                          const struct core_race_record *now, unsigned owner)
{
    if (before->pe == RACE->me)
        return is_own_ordered(s, before, now, owner);
    if (before->how & CORE_RACE_PENDING)
        return before->clock <= core_race_done(s, before->pe, owner);
    return before->clock <= core_race_known(s, before->pe);
}

/* Nothing is lost if `before` goes: whatever is ordered after the new one is ordered after it, and a conflict with it
 * is one with the new one. */
static bool is_superseded(const struct core_race_record *before, const struct core_race_record *now)
{
    if (!covers(now, before))
        return false;
    if (now->how & CORE_RACE_ATOMIC)
        return before->pe == now->pe && before->how == now->how;
    return now->how & CORE_RACE_WRITE || !(before->how & CORE_RACE_WRITE);
}

/* A load is told of later than it was made: others may have written since who knew of it. */
static bool is_before(const struct core_race_record *now, const struct core_race_record *other)
{
    return now->how & CORE_RACE_LATE && other->pe != now->pe && core_race_knew(other->pe, other->clock, now->clock);
}

static void drop(struct core_race_line *line, unsigned i)
{
    line->records[i] = line->records[--line->n];
}

/* Reads go first; a write may be a flag that somebody looks at later. */
static void make_room(struct core_race_line *line)
{
    unsigned victim = 0;

    while (victim < line->n && line->records[victim].how & CORE_RACE_WRITE)
        victim++;
    if (victim == line->n) {
        victim = 0;
        line->lost |= (uint64_t)1 << line->records[0].pe;
    }
    drop(line, victim);
}

static void add(struct core_race_line *line, const struct core_race_record *now)
{
    for (unsigned i = 0; i < line->n; i++) {
        struct core_race_record *r = &line->records[i];

        if (r->pe == now->pe && r->clock == now->clock && r->how == now->how && r->site == now->site &&
            r->hi >= now->lo && now->hi >= r->lo) {
            r->lo = r->lo < now->lo ? r->lo : now->lo;
            r->hi = r->hi > now->hi ? r->hi : now->hi;
            return;
        }
    }
    if (line->n == CORE_RACE_RECORDS)
        make_room(line);
    line->records[line->n++] = *now;
}

/* True: *found is an access that the new one is not ordered after. */
static bool enter(struct core_race_line *line, const struct core_race_record *now, unsigned owner,
                  const struct core_race_snapshot *s, struct core_race_record *found)
{
    bool conflict = false;

    for (unsigned i = 0; i < line->n;) {
        const struct core_race_record *r = &line->records[i];
        bool gone = false;

        if (overlap(r, now)) {
            bool ordered = core_race_is_ordered(s, r, now, owner);

            if (!ordered && exclude(r, now) && !is_before(now, r)) {
                if (!conflict || r->pe == RACE->me) /* of which there is no doubt */
                    *found = *r;
                conflict = gone = true; /* told once */
            } else
                gone = ordered && is_superseded(r, now);
        }
        if (gone)
            drop(line, i);
        else
            i++;
    }
    add(line, now);
    return conflict;
}

/* The same again: nothing new. (But two puts of a PE need a fence.) */
static bool is_there(const struct core_race_line *line, const struct core_race_record *now)
{
    if (now->how & CORE_RACE_PENDING)
        return false;
    for (unsigned i = 0; i < line->n; i++) {
        const struct core_race_record *r = &line->records[i];

        if (r->pe == now->pe && r->clock == now->clock && r->how == now->how && covers(r, now))
            return true;
    }
    return false;
}

/* The bytes from `at` to `end` of the node's memory, of one page of lines. */
static void access_page(uint64_t at, uint64_t end, struct core_race_record now, unsigned owner)
{
    uint32_t *lock = &RACE->shared->stripes[(at >> CORE_RACE_PAGE_LOG) % CORE_RACE_STRIPES];
    const struct core_race_snapshot *s = core_race_newest();
    struct core_race_record found, found_now;
    uint64_t found_line = 0;
    bool conflict = false;

    core_race_lock(lock);
    for (uint64_t line = at / CORE_RACE_LINE; line * CORE_RACE_LINE < end; line++) {
        uint64_t from = line * CORE_RACE_LINE, to = from + CORE_RACE_LINE;
        struct core_race_record before;

        now.lo = (uint8_t)(at > from ? at - from : 0);
        now.hi = (uint8_t)(end < to ? end - from : CORE_RACE_LINE);
        if (is_there(&RACE->lines[line], &now))
            continue;
        if (enter(&RACE->lines[line], &now, owner, s, &before) && !conflict) {
            conflict = true;
            found = before;
            found_now = now;
            found_line = line;
        }
    }
    core_race_unlock(lock);
    if (conflict && (found.pe == RACE->me || !core_race_may_have_seen(&found, owner)))
        core_race_report(&found_now, &found, found_line);
}

/* The slice that byte `at` of the memory lies in; UINT_MAX: in none. */
static unsigned owner_of(uint64_t at)
{
    uint64_t slice = at < CORE_HEADER_SIZE ? UINT64_MAX : (at - CORE_HEADER_SIZE) / core_seg->header->stride;

    return slice < RACE->n ? (unsigned)slice : UINT32_MAX;
}

/* Has the program the value after it? */
static bool is_look(unsigned how)
{
    return !(how & CORE_RACE_LOCAL) &&
           (!(how & CORE_RACE_WRITE) || (how & (CORE_RACE_ATOMIC | CORE_RACE_PENDING)) == CORE_RACE_ATOMIC);
}

/* May somebody see this write and then rely on what came before? Of the program's plain stores, the first since
 * something ordered them; what else it stores then is told as one with it. */
static bool is_flag_of_owner(unsigned how)
{
    bool first = RACE->stored != mpt_watch.epoch;

    if (!(how & CORE_RACE_LOCAL) || how & CORE_RACE_ATOMIC)
        return true;
    RACE->stored = mpt_watch.epoch;
    return first;
}

/* What this PE may learn by it, or others of it. */
static void remember(unsigned owner, unsigned how, uint32_t clock)
{
    struct core_race_shared *shared = RACE->shared;
    unsigned me = RACE->me;

    if (how & CORE_RACE_WRITE) {
        if (is_flag_of_owner(how))
            RACE->own->told = 1; /* whoever sees it learns of this step */
        if (how & CORE_RACE_WORD)
            __atomic_store_n(&shared->last[me][owner], clock, __ATOMIC_RELAXED);
    }
    if (how & CORE_RACE_WORD && owner != me && is_look(how))
        __atomic_store_n(&shared->looked[me][owner], __atomic_load_n(&core_race_pe(owner)->clock, __ATOMIC_RELAXED),
                         __ATOMIC_RELAXED);
}

/* With the lock of this PE. */
static void access_at(uint64_t at, size_t n, unsigned how, uintptr_t pc, const char *call)
{
    const uint64_t page = (uint64_t)1 << CORE_RACE_PAGE_LOG;
    unsigned owner = owner_of(at);
    struct core_race_record now = {.how = (uint16_t)how, .pe = (uint8_t)RACE->me};

    if (n == 0 || owner == UINT32_MAX || __atomic_load_n(&RACE->shared->off, __ATOMIC_RELAXED))
        return;
    now.clock = core_race_stamp(how);
    now.site = core_race_site(pc, call);
    for (uint64_t end = at + n, next; at < end; at = next) {
        next = (at / page + 1) * page;
        access_page(at, next < end ? next : end, now, owner);
    }
    remember(owner, how, now.clock);
}

static bool is_mapped(const void *there, size_t n)
{
    size_t at = (size_t)((const char *)there - core_seg->base);

    return at < core_seg->length && n <= core_seg->length - at;
}

/* Who has written to these bytes, and in which step; all for which there was no room. What is seen has landed: whoever
 * knows of the step may count on it, the writer, too. */
static uint64_t writers(uint64_t at, size_t n, uint32_t clocks[CORE_RACE_PES])
{
    uint32_t *lock = &RACE->shared->stripes[(at >> CORE_RACE_PAGE_LOG) % CORE_RACE_STRIPES];
    struct core_race_line *line = &RACE->lines[at / CORE_RACE_LINE];
    uint64_t from = at % CORE_RACE_LINE, end = from + n, found;
    struct core_race_record seen = {.lo = (uint8_t)from, .hi = (uint8_t)(end < CORE_RACE_LINE ? end : CORE_RACE_LINE)};

    core_race_lock(lock);
    found = line->lost;
    for (uint64_t lost = found; lost; lost &= lost - 1)
        clocks[__builtin_ctzll(lost)] = UINT32_MAX;
    for (unsigned i = 0; i < line->n; i++) {
        struct core_race_record *r = &line->records[i];
        uint64_t bit = (uint64_t)1 << r->pe;

        if (!(r->how & CORE_RACE_WRITE) || r->pe == RACE->me || !overlap(r, &seen))
            continue;
        r->how &= (uint16_t)~CORE_RACE_PENDING;
        if (!(found & bit) || clocks[r->pe] < r->clock)
            clocks[r->pe] = r->clock;
        found |= bit;
    }
    core_race_unlock(lock);
    return found;
}

/* With the lock of this PE. `awaited`: if nobody is known to have written it, somebody has whose stores are not seen.
 */
static void acquire_at(uint64_t at, size_t n, bool awaited)
{
    uint32_t clocks[CORE_RACE_PES];
    unsigned owner = owner_of(at);
    uint64_t found;

    if (owner == UINT32_MAX)
        return;
    found = writers(at, n, clocks);
    if (awaited && (found == 0 || __atomic_load_n(&RACE->shared->pointed, __ATOMIC_RELAXED)))
        for (unsigned pe = 0; pe < RACE->n; pe++)
            core_race_join_own(pe, UINT32_MAX, UINT32_MAX);
    for (; found; found &= found - 1) {
        unsigned pe = (unsigned)__builtin_ctzll(found);

        core_race_join_own(pe, clocks[pe], owner);
    }
}

/* Instrumented loads tell before they are carried out, so what they have seen is known when the next call comes. */
void core_race_look_back(void)
{
    while (RACE->looks > 0)
        acquire_at(RACE->looked_at[--RACE->looks], 1, false);
}

static void look_later(uint64_t at)
{
    if (RACE->looks == sizeof RACE->looked_at / sizeof *RACE->looked_at)
        core_race_look_back();
    RACE->looked_at[RACE->looks++] = at;
}

void core_race_stand_for(const void *at, size_t n, const void *place)
{
    struct core_race_ghost *g = RACE->ghosts, *end = g + sizeof RACE->ghosts / sizeof *RACE->ghosts;

    pthread_mutex_lock(&RACE->lock);
    while (g < end && (place ? g->n > 0 : g->lo != (uintptr_t)at || g->n != n))
        g++;
    if (g < end)
        *g = (struct core_race_ghost){(uintptr_t)at, place ? n : 0, place};
    if (g < end && (unsigned)(g - RACE->ghosts) >= RACE->n_ghosts)
        RACE->n_ghosts = (unsigned)(g - RACE->ghosts) + 1;
    pthread_mutex_unlock(&RACE->lock);
}

static const void *place_of(const void *at, size_t n)
{
    const void *there = is_mapped(at, n) ? at : core_own_address(at, n);

    for (unsigned i = 0; !there && i < RACE->n_ghosts; i++) {
        const struct core_race_ghost *g = &RACE->ghosts[i];

        if ((uintptr_t)at - g->lo < g->n && n <= g->n - ((uintptr_t)at - g->lo))
            there = g->place + ((uintptr_t)at - g->lo);
    }
    return there;
}

/* ---------------------------------------------------------- what is called -- */

static uint64_t offset_of(const void *there)
{
    return (uint64_t)((const char *)there - core_seg->base);
}

void core_race_access(const void *there, size_t n, unsigned how, const char *call)
{
    if (!is_mapped(there, n))
        return;
    core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    core_race_look_back();
    access_at(offset_of(there), n, how, core_thread.check.pc, call);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_own(const void *at, size_t n, unsigned how, const char *call)
{
    const void *there = place_of(at, n);

    if (there)
        core_race_access(there, n, how, call);
}

static void acquire(const void *there, size_t n, bool awaited)
{
    if (!is_mapped(there, n))
        return;
    core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    acquire_at(offset_of(there), n, awaited);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_acquire(const void *there, size_t n)
{
    acquire(there, n, false);
}

void core_race_acquire_awaited(const void *there, size_t n)
{
    acquire(there, n, true);
}

/* What is volatile may be a flag, as an atomic object is. */
static unsigned local_how(size_t n, unsigned how)
{
    unsigned word = n <= sizeof(uint64_t) && how & CORE_RACE_WRITE ? CORE_RACE_WORD : 0;

    if (how & CORE_RACE_VOLATILE)
        how |= CORE_RACE_ATOMIC;
    return (how & (CORE_RACE_WRITE | CORE_RACE_ATOMIC)) | word | CORE_RACE_LOCAL;
}

/* Loops use the same bytes in the same step again and again. A look without any lock: what it misses is looked up. */
static bool is_repeated(uint64_t at, size_t n, unsigned how)
{
    struct core_race_record now = {.clock = __atomic_load_n(&RACE->own->clock, __ATOMIC_RELAXED),
                                   .how = (uint16_t)how,
                                   .pe = (uint8_t)RACE->me,
                                   .lo = (uint8_t)(at % CORE_RACE_LINE)};

    if (how & CORE_RACE_ATOMIC || RACE->own->told || RACE->looks > 0 || now.lo + n > CORE_RACE_LINE)
        return false;
    now.hi = (uint8_t)(now.lo + n);
    return owner_of(at) != UINT32_MAX && is_there(&RACE->lines[at / CORE_RACE_LINE], &now);
}

void core_race_local(const void *at, size_t n, unsigned how, uintptr_t pc)
{
    const void *there;

    if (!core_race_on() || mpt_fast.node_n == 0)
        return;
    there = place_of(at, n);
    how = local_how(n, how);
    if (!there || is_repeated(offset_of(there), n, how))
        return;
    pthread_mutex_lock(&RACE->lock);
    RACE->own->instrumented = 1;
    core_race_look_back();
    access_at(offset_of(there), n, how, pc, how & CORE_RACE_WRITE ? "store" : "load");
    if (how & CORE_RACE_ATOMIC)
        look_later(offset_of(there));
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_loaded(const void *at, size_t n, uint32_t clock, uintptr_t pc)
{
    const void *there = place_of(at, n);
    uint64_t from;
    unsigned owner;
    struct core_race_record now = {.how = CORE_RACE_READ | CORE_RACE_LOCAL | CORE_RACE_LATE, .pe = (uint8_t)RACE->me};

    if (!there || __atomic_load_n(&RACE->shared->off, __ATOMIC_RELAXED))
        return;
    from = offset_of(there);
    owner = owner_of(from);
    if (owner == UINT32_MAX)
        return;
    RACE->own->instrumented = 1;
    now.clock = clock;
    now.site = core_race_site(pc, "load");
    access_page(from, from + n, now, owner);
}
