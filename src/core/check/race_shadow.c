/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of each line of memory: the accesses that some later one may not be ordered after. Those of many bytes
 * are records of the page, so that an array costs a step for each page and not for each line.
 */
#include <string.h>

#include "core/check/race_internal.h"

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

static bool are_atomic(const struct core_race_record *a, const struct core_race_record *b)
{
    bool other_kind = a->how & CORE_RACE_KIND && b->how & CORE_RACE_KIND && (a->how ^ b->how) & CORE_RACE_KIND;
    bool other_op = a->op && b->op && a->op != b->op && a->pe != b->pe;

    return a->how & b->how & CORE_RACE_ATOMIC && !other_kind && !other_op;
}

/* Operations of one process in one epoch of a window that bring it no answer: no flag that it waits for. */
static bool is_of_epoch(const struct core_race_record *a, const struct core_race_record *b)
{
    const unsigned how = a->how | b->how;

    return a->pe == b->pe && how & CORE_RACE_EPOCH && !(how & (CORE_RACE_LOCAL | CORE_RACE_FETCHES));
}

/* May these two happen at once? */
static bool exclude(const struct core_race_record *a, const struct core_race_record *b)
{
    return (a->how | b->how) & CORE_RACE_WRITE && !are_atomic(a, b) && (!is_flag(a, b) || is_of_epoch(a, b));
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

static inline bool is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                              const struct core_race_record *now, unsigned owner)
{
    if (before->pe == RACE->me)
        return is_own_ordered(s, before, now, owner);
    if (before->how & CORE_RACE_PENDING)
        return before->clock <= core_race_done(s, before->pe, owner);
    return before->clock <= core_race_known(s, before->pe);
}

bool core_race_is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                          const struct core_race_record *now, unsigned owner)
{
    return is_ordered(s, before, now, owner);
}

/* Nothing is lost if `before` goes where both are: whatever is ordered after the new one is ordered after it, and a
 * conflict with it is one with the new one. */
static bool is_superseded(const struct core_race_record *before, const struct core_race_record *now)
{
    if (now->how & CORE_RACE_ATOMIC)
        return before->pe == now->pe && before->how == now->how && before->op == now->op;
    return now->how & CORE_RACE_WRITE || !(before->how & CORE_RACE_WRITE);
}

/* A load is told of later than it was made: others may have written since who knew of it. */
static bool is_before(const struct core_race_record *now, const struct core_race_record *other)
{
    return now->how & CORE_RACE_LATE && other->pe != now->pe && core_race_knew(other->pe, other->clock, now->clock);
}

/* ------------------------------------------------------------------- lists -- */

struct list {
    struct core_race_record *records;
    uint32_t *n, most;
};

static struct list list_of(struct core_race_line *line)
{
    return (struct list){line->records, &line->n, CORE_RACE_RECORDS};
}

static struct list wide_of(struct core_race_page *page)
{
    return (struct list){page->records, &page->n, CORE_RACE_RECORDS};
}

static void drop(struct list l, unsigned i)
{
    l.records[i] = l.records[--*l.n];
}

/* The same again: nothing new. (But two puts of a PE need a fence.) */
static bool is_there(struct list l, const struct core_race_record *now)
{
    if (now->how & CORE_RACE_PENDING)
        return false;
    for (unsigned i = 0; i < *l.n; i++) {
        const struct core_race_record *r = &l.records[i];

        if (r->pe == now->pe && r->clock == now->clock && r->how == now->how && r->op == now->op && covers(r, now))
            return true;
    }
    return false;
}

/* False: there is no room. */
static bool add(struct list l, const struct core_race_record *now)
{
    for (unsigned i = 0; i < *l.n; i++) {
        struct core_race_record *r = &l.records[i];

        if (r->pe == now->pe && r->clock == now->clock && r->how == now->how && r->op == now->op &&
            r->site == now->site && r->hi >= now->lo && now->hi >= r->lo) {
            r->lo = r->lo < now->lo ? r->lo : now->lo;
            r->hi = r->hi > now->hi ? r->hi : now->hi;
            return true;
        }
    }
    if (*l.n == l.most)
        return false;
    l.records[(*l.n)++] = *now;
    return true;
}

/* ---------------------------------------------------------- lines and pages -- */

struct place {
    struct core_race_page *page;
    struct core_race_line *lines; /* of the page */
};

static struct place place_of(uint64_t at)
{
    uint64_t page = at >> CORE_RACE_PAGE_LOG;

    return (struct place){&RACE->pages[page], &RACE->lines[page * CORE_RACE_PAGE_LINES]};
}

static uint32_t *lock_of(uint64_t at)
{
    return &RACE->shared->stripes[(at >> CORE_RACE_PAGE_LOG) % CORE_RACE_STRIPES];
}

/* Lines of a page that bytes [lo, hi) are of, as bits. */
static uint64_t lines_of(unsigned lo, unsigned hi)
{
    unsigned first = lo / CORE_RACE_LINE, last = (hi - 1) / CORE_RACE_LINE;

    return UINT64_MAX >> (63 - (last - first)) << first;
}

/* What of a record is of line i. */
static struct core_race_record part_of(const struct core_race_record *r, unsigned i)
{
    struct core_race_record part = *r;
    unsigned lo = i * CORE_RACE_LINE, hi = lo + CORE_RACE_LINE;

    part.lo = (uint16_t)(r->lo > lo ? r->lo : lo);
    part.hi = (uint16_t)(r->hi < hi ? r->hi : hi);
    return part;
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
    drop(list_of(line), victim);
}

static void add_to_line(struct place p, unsigned i, const struct core_race_record *part)
{
    struct core_race_line *line = &p.lines[i];

    if (!add(list_of(line), part)) {
        make_room(line);
        add(list_of(line), part);
    }
    if (!(p.page->lines >> i & 1)) /* other PEs look at it, too: not written without need */
        p.page->lines |= (uint64_t)1 << i;
}

static void add_to_lines(struct place p, const struct core_race_record *now)
{
    for (uint64_t left = lines_of(now->lo, now->hi); left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct core_race_record part = part_of(now, i);

        add_to_line(p, i, &part);
    }
}

static bool is_wide(const struct core_race_record *r)
{
    return r->hi - r->lo >= CORE_RACE_WIDE;
}

/* Where it belongs, by how many bytes it is of. */
static void put(struct place p, const struct core_race_record *now)
{
    if (!is_wide(now) || !add(wide_of(p.page), now))
        add_to_lines(p, now);
}

/* Record i of the page is no longer of bytes [lo, hi). What is left may be less than is worth a record of the page. */
static void carve(struct place p, unsigned i, unsigned lo, unsigned hi)
{
    struct core_race_record left = p.page->records[i], right = left;

    drop(wide_of(p.page), i);
    left.hi = (uint16_t)(left.hi < lo ? left.hi : lo);
    right.lo = (uint16_t)(right.lo > hi ? right.lo : hi);
    if (left.lo < left.hi)
        put(p, &left);
    if (right.lo < right.hi)
        put(p, &right);
}

/* ------------------------------------------------------------------ accesses -- */

struct search {
    const struct core_race_snapshot *s;
    unsigned owner;
    bool conflict;
    struct core_race_record found, found_now;
};

enum verdict { STAYS, GOES, CONFLICTS };

static inline enum verdict judge(struct search *q, const struct core_race_record *r, const struct core_race_record *now)
{
    bool ordered = is_ordered(q->s, r, now, q->owner);

    if (ordered || !exclude(r, now) || is_before(now, r))
        return ordered && is_superseded(r, now) ? GOES : STAYS;
    if (!q->conflict || (r->pe == RACE->me && q->found.pe != RACE->me)) { /* of which there is no doubt */
        q->found = *r;
        q->found_now = *now;
        q->conflict = true;
    }
    return CONFLICTS;
}

/* The record is left where the new one is not; not in two pieces, as words in any order would make lists long. */
static void trim(struct core_race_record *r, const struct core_race_record *now)
{
    if (now->lo <= r->lo)
        r->lo = now->hi;
    else if (now->hi >= r->hi)
        r->hi = now->lo;
}

/* Told once: what conflicts goes, too. What words take the place of one by one goes with them, else lists would be long
 * where words are used one by one. */
static void look_through_line(struct search *q, struct place p, unsigned line, const struct core_race_record *now)
{
    struct list l = list_of(&p.lines[line]);

    for (unsigned i = 0; i < *l.n;) {
        struct core_race_record *r = &l.records[i];
        enum verdict v = overlap(r, now) ? judge(q, r, now) : STAYS;

        if (v == CONFLICTS || (v == GOES && covers(now, r))) {
            drop(l, i);
            continue;
        }
        if (v == GOES)
            trim(r, now);
        i++;
    }
}

static void look_through_page(struct search *q, struct place p, const struct core_race_record *now)
{
    for (unsigned i = 0; i < p.page->n;) {
        const struct core_race_record *r = &p.page->records[i];

        if (overlap(r, now) && judge(q, r, now) != STAYS)
            carve(p, i, now->lo, now->hi);
        else
            i++;
    }
}

static void enter(struct search *q, struct place p, const struct core_race_record *now)
{
    uint64_t lines = lines_of(now->lo, now->hi);

    if (is_there(wide_of(p.page), now))
        return;
    look_through_page(q, p, now);
    for (uint64_t left = lines & p.page->lines; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct core_race_record part = part_of(now, i);

        look_through_line(q, p, i, &part);
        if (p.lines[i].n == 0)
            p.page->lines &= ~((uint64_t)1 << i);
    }
    put(p, now);
}

/* Of one line. */
static void enter_line(struct search *q, struct place p, unsigned i, const struct core_race_record *now)
{
    if (is_there(list_of(&p.lines[i]), now) || (p.page->n > 0 && is_there(wide_of(p.page), now)))
        return;
    if (p.page->n > 0)
        look_through_page(q, p, now);
    if (p.lines[i].n > 0)
        look_through_line(q, p, i, now);
    add_to_line(p, i, now);
}

static void enter_lines(struct search *q, struct place p, const struct core_race_record *now)
{
    for (unsigned i = now->lo / CORE_RACE_LINE; i * CORE_RACE_LINE < now->hi; i++) {
        struct core_race_record part = part_of(now, i);

        enter_line(q, p, i, &part);
    }
}

void core_race_enter_page(uint64_t at, uint64_t end, struct core_race_record now, unsigned owner)
{
    struct search q = {.s = core_race_newest(), .owner = owner};
    uint64_t first = at >> CORE_RACE_PAGE_LOG << CORE_RACE_PAGE_LOG;
    struct place p = place_of(at);
    uint32_t *lock = lock_of(at);

    now.lo = (uint16_t)(at - first);
    now.hi = (uint16_t)(end - first);
    core_race_lock(lock);
    if (is_wide(&now))
        enter(&q, p, &now);
    else
        enter_lines(&q, p, &now);
    core_race_unlock(lock);
    if (q.conflict && (q.found.pe == RACE->me || !core_race_may_have_seen(&q.found, owner)))
        core_race_report(&q.found_now, &q.found, first);
}

/* A look without any lock: what it misses is looked up. */
bool core_race_has_been(uint64_t at, size_t n, struct core_race_record now)
{
    now.lo = (uint16_t)(at & (((uint64_t)1 << CORE_RACE_PAGE_LOG) - 1));
    now.hi = (uint16_t)(now.lo + n);
    return is_there(list_of(&RACE->lines[at / CORE_RACE_LINE]), &now);
}

/* ------------------------------------------------------------------- writers -- */

static uint64_t writers_of(struct list l, const struct core_race_record *seen, uint32_t clocks[CORE_RACE_PES],
                           uint64_t found)
{
    for (unsigned i = 0; i < *l.n; i++) {
        struct core_race_record *r = &l.records[i];
        uint64_t bit = (uint64_t)1 << r->pe;

        if (!(r->how & CORE_RACE_WRITE) || r->pe == RACE->me || !overlap(r, seen))
            continue;
        r->how &= (uint16_t)~CORE_RACE_PENDING;
        if (!(found & bit) || clocks[r->pe] < r->clock)
            clocks[r->pe] = r->clock;
        found |= bit;
    }
    return found;
}

/* Of what is wide only the line has been seen to land. */
static void cut_out(struct place p, unsigned line, const struct core_race_record *seen)
{
    unsigned lo = line * CORE_RACE_LINE, hi = lo + CORE_RACE_LINE;

    for (unsigned i = 0; i < p.page->n;) {
        struct core_race_record r = p.page->records[i], part = part_of(&r, line);

        if (!(r.how & CORE_RACE_WRITE) || !(r.how & CORE_RACE_PENDING) || r.pe == RACE->me || !overlap(&r, seen)) {
            i++;
            continue;
        }
        carve(p, i, lo, hi);
        add_to_line(p, line, &part);
    }
}

uint64_t core_race_writers(uint64_t at, size_t n, uint32_t clocks[CORE_RACE_PES])
{
    uint64_t first = at >> CORE_RACE_PAGE_LOG << CORE_RACE_PAGE_LOG, found;
    struct place p = place_of(at);
    unsigned i = (unsigned)(at - first) / CORE_RACE_LINE;
    struct core_race_record seen = {.lo = (uint16_t)(at - first), .hi = (uint16_t)((i + 1) * CORE_RACE_LINE)};
    uint32_t *lock = lock_of(at);

    if (n < (size_t)(seen.hi - seen.lo))
        seen.hi = (uint16_t)(seen.lo + n);
    core_race_lock(lock);
    found = p.lines[i].lost;
    for (uint64_t lost = found; lost; lost &= lost - 1)
        clocks[__builtin_ctzll(lost)] = UINT32_MAX;
    cut_out(p, i, &seen);
    found = writers_of(wide_of(p.page), &seen, clocks, found);
    found = writers_of(list_of(&p.lines[i]), &seen, clocks, found);
    core_race_unlock(lock);
    return found;
}
