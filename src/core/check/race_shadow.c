/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is known of each line of memory: the accesses that some later one may not be ordered after. Those of many bytes
 * are records of the page, so that an array costs a step for each page and not for each line.
 */
#include <string.h>

#include "core/check/race_internal.h"
#include "core/check/race_rules.h"

bool core_race_is_ordered(const struct core_race_snapshot *s, const struct core_race_record *before,
                          const struct core_race_record *now, unsigned owner)
{
    return is_ordered(s, before, now, owner);
}

/* ------------------------------------------------------------------- lines -- */

struct place {
    struct core_race_page *page;
    struct core_race_line *lines; /* of the page */
};

static struct place place_of(uint64_t at)
{
    uint64_t page = at >> CORE_RACE_PAGE_LOG;

    return (struct place){&RACE->pages[page], &RACE->lines[page * CORE_RACE_PAGE_LINES]};
}

/* Lines of a page that bytes [lo, hi) are of, as bits. */
static uint64_t lines_of(unsigned lo, unsigned hi)
{
    unsigned first = lo / CORE_RACE_LINE, last = (hi - 1) / CORE_RACE_LINE;

    return UINT64_MAX >> (63 - (last - first)) << first;
}

/* What of a record is of line i. */
static struct core_race_record part_of(struct core_race_record r, unsigned i)
{
    unsigned lo = i * CORE_RACE_LINE, hi = lo + CORE_RACE_LINE;

    r.lo = (uint16_t)(r.lo > lo ? r.lo : lo);
    r.hi = (uint16_t)(r.hi < hi ? r.hi : hi);
    return r;
}

/* Bytes of line i that a record is of, as bits. */
static inline uint64_t bytes_of(const struct core_race_record *r, unsigned i)
{
    unsigned from = i * CORE_RACE_LINE, end = from + CORE_RACE_LINE;
    unsigned lo = r->lo > from ? r->lo - from : 0, hi = (r->hi < end ? r->hi : end) - from;

    return UINT64_MAX >> (CORE_RACE_LINE - (hi - lo)) << lo;
}

/* Those of `bytes` that lie one beside the other, up and down from the first that is in `some`. */
struct run {
    unsigned lo, hi;
};

static inline struct run run_of(uint64_t bytes, uint64_t some)
{
    unsigned at = (unsigned)__builtin_ctzll(bytes & some);
    uint64_t gaps_above = ~(bytes >> at), gaps_below = ~(bytes << (CORE_RACE_LINE - 1 - at));

    return (struct run){gaps_below ? at + 1 - (unsigned)__builtin_clzll(gaps_below) : 0,
                        gaps_above ? at + (unsigned)__builtin_ctzll(gaps_above) : CORE_RACE_LINE};
}

/* The record of what a mark of line i tells of some bytes. */
static inline struct core_race_record *record_of(struct core_race_mark *m, unsigned i, uint64_t bytes)
{
    struct run run = run_of(m->bytes, bytes);

    m->of.lo = (uint16_t)(i * CORE_RACE_LINE + run.lo);
    m->of.hi = (uint16_t)(i * CORE_RACE_LINE + run.hi);
    return &m->of;
}

static inline bool is_alike(const struct core_race_record *r, const struct core_race_record *now)
{
    return r->clock == now->clock && r->pe == now->pe && r->how == now->how && r->op == now->op;
}

/* Two puts of a PE need a fence; anything else that it does again in the same step is nothing new. */
static inline bool may_repeat(const struct core_race_record *now)
{
    return !(now->how & CORE_RACE_PENDING) || !(now->how & CORE_RACE_WRITE);
}

/* Looked at without the lock, too: what is alike before and after its bytes are read is what they are of. */
static void set_mark(struct core_race_mark *m, const struct core_race_record *of, uint64_t bytes)
{
    __atomic_store_n(&m->bytes, 0, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    m->of = *of;
    __atomic_store_n(&m->bytes, bytes, __ATOMIC_RELEASE);
}

static inline bool is_marked(const struct core_race_mark *m, const struct core_race_record *now, uint64_t bytes)
{
    uint64_t has;

    if (!is_alike(&m->of, now))
        return false;
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    has = __atomic_load_n(&m->bytes, __ATOMIC_ACQUIRE);
    return !(bytes & ~has) && is_alike(&m->of, now);
}

/* The same again. Needs no lock: what it misses is looked up. */
static inline bool is_in_line(const struct core_race_line *line, const struct core_race_record *now, uint64_t bytes)
{
    if (!may_repeat(now))
        return false;
    for (unsigned i = 0; i < line->n && i < CORE_RACE_RECORDS; i++)
        if (is_marked(&line->marks[i], now, bytes))
            return true;
    return false;
}

static void drop_mark(struct core_race_line *line, unsigned i)
{
    const struct core_race_mark *last = &line->marks[--line->n];

    set_mark(&line->marks[i], &last->of, last->bytes);
}

/* Reads go first; a write may be a flag that somebody looks at later. */
static void make_room(struct core_race_line *line)
{
    unsigned victim = 0;

    while (victim < line->n && line->marks[victim].of.how & CORE_RACE_WRITE)
        victim++;
    if (victim == line->n) {
        victim = 0;
        line->lost |= (uint64_t)1 << line->marks[0].of.pe;
    }
    drop_mark(line, victim);
}

static void add_mark(struct core_race_line *line, const struct core_race_record *now, uint64_t bytes)
{
    if (line->n == CORE_RACE_RECORDS)
        make_room(line);
    set_mark(&line->marks[line->n++], now, bytes);
}

/* With the page's lock, as all that has no other word about it. */
static void add_to_line(struct place p, unsigned i, const struct core_race_record *now)
{
    struct core_race_line *line = &p.lines[i];
    uint64_t bytes = bytes_of(now, i);
    unsigned k = 0;

    core_race_lock(&line->lock);
    while (k < line->n && !(is_alike(&line->marks[k].of, now) && line->marks[k].of.site == now->site))
        k++;
    if (k < line->n)
        line->marks[k].bytes |= bytes;
    else
        add_mark(line, now, bytes);
    core_race_unlock(&line->lock);
    p.page->lines |= (uint64_t)1 << i;
}

/* ------------------------------------------------------------------- pages -- */

static void drop(struct core_race_page *page, unsigned i)
{
    page->records[i] = page->records[--page->n];
}

static bool is_in_page(const struct core_race_page *page, const struct core_race_record *now)
{
    if (!may_repeat(now))
        return false;
    for (unsigned i = 0; i < page->n; i++)
        if (is_alike(&page->records[i], now) && covers(&page->records[i], now))
            return true;
    return false;
}

/* False: there is no room. */
static bool add_to_page(struct core_race_page *page, const struct core_race_record *now)
{
    for (unsigned i = 0; i < page->n; i++) {
        struct core_race_record *r = &page->records[i];

        if (is_alike(r, now) && r->site == now->site && r->hi >= now->lo && now->hi >= r->lo) {
            r->lo = r->lo < now->lo ? r->lo : now->lo;
            r->hi = r->hi > now->hi ? r->hi : now->hi;
            return true;
        }
    }
    if (page->n == CORE_RACE_RECORDS)
        return false;
    page->records[page->n++] = *now;
    return true;
}

static bool is_wide(const struct core_race_record *r)
{
    return r->hi - r->lo >= CORE_RACE_WIDE;
}

/* Where it belongs, by how many bytes it is of. */
static void put(struct place p, const struct core_race_record *now)
{
    if (is_wide(now) && add_to_page(p.page, now))
        return;
    for (uint64_t left = lines_of(now->lo, now->hi); left; left &= left - 1)
        add_to_line(p, (unsigned)__builtin_ctzll(left), now);
}

/* Record i of the page is no longer of bytes [lo, hi). What is left may be less than is worth a record of the page. */
static void carve(struct place p, unsigned i, unsigned lo, unsigned hi)
{
    struct core_race_record left = p.page->records[i], right = left;

    drop(p.page, i);
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

/* Told once: what conflicts goes, too. Returns the mark that can tell of the new one as well, or NULL. With the line's
 * lock. */
static struct core_race_mark *look_through_line(struct search *q, struct place p, unsigned i,
                                                const struct core_race_record *now, uint64_t bytes)
{
    struct core_race_line *line = &p.lines[i];
    struct core_race_mark *alike = NULL;

    for (unsigned k = 0; k < line->n;) {
        struct core_race_mark *m = &line->marks[k];

        if (m->bytes & bytes && judge(q, record_of(m, i, bytes), now) != STAYS) {
            m->bytes &= ~bytes;
            if (m->bytes == 0) {
                drop_mark(line, k);
                continue;
            }
        }
        if (is_alike(&m->of, now) && m->of.site == now->site)
            alike = m;
        k++;
    }
    return alike;
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

static void enter_wide(struct search *q, struct place p, const struct core_race_record *now)
{
    if (is_in_page(p.page, now))
        return;
    look_through_page(q, p, now);
    for (uint64_t left = lines_of(now->lo, now->hi) & p.page->lines; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct core_race_record part = part_of(*now, i);

        core_race_lock(&p.lines[i].lock);
        look_through_line(q, p, i, &part, bytes_of(&part, i));
        if (p.lines[i].n == 0)
            p.page->lines &= ~((uint64_t)1 << i);
        core_race_unlock(&p.lines[i].lock);
    }
    put(p, now);
}

static void enter_in_line(struct search *q, struct place p, unsigned i, const struct core_race_record *now,
                          uint64_t bytes)
{
    struct core_race_mark *alike = look_through_line(q, p, i, now, bytes);

    if (alike)
        alike->bytes |= bytes;
    else
        add_mark(&p.lines[i], now, bytes);
}

/* Whoever has a line's lock may do without the page's if nobody has that, no record of the page is there, and none of
 * the page's bits changes: whoever takes the page's lock later comes to the line later. */
static inline bool is_alone(const struct core_race_page *page, uint64_t lines)
{
    return __atomic_load_n(&page->lock, __ATOMIC_ACQUIRE) == 0 && __atomic_load_n(&page->n, __ATOMIC_RELAXED) == 0 &&
           (__atomic_load_n(&page->lines, __ATOMIC_RELAXED) & lines) == lines;
}

static void enter_line_and_page(struct search *q, struct place p, unsigned i, const struct core_race_record *now,
                                uint64_t bytes)
{
    core_race_lock(&p.page->lock);
    if (!is_in_page(p.page, now)) {
        look_through_page(q, p, now);
        p.page->lines |= (uint64_t)1 << i;
        core_race_lock(&p.lines[i].lock);
        enter_in_line(q, p, i, now, bytes);
        core_race_unlock(&p.lines[i].lock);
    }
    core_race_unlock(&p.page->lock);
}

static void enter_line(struct search *q, struct place p, unsigned i, struct core_race_record now)
{
    struct core_race_line *line = &p.lines[i];
    uint64_t bytes = bytes_of(&now, i);
    bool alone;

    if (is_in_line(line, &now, bytes))
        return;
    core_race_lock(&line->lock);
    alone = is_alone(p.page, (uint64_t)1 << i);
    if (alone)
        enter_in_line(q, p, i, &now, bytes);
    core_race_unlock(&line->lock);
    if (!alone)
        enter_line_and_page(q, p, i, &now, bytes);
}

void core_race_enter_page(uint64_t at, uint64_t end, struct core_race_record now, unsigned owner)
{
    struct search q;
    uint64_t first = at >> CORE_RACE_PAGE_LOG << CORE_RACE_PAGE_LOG;
    struct place p = place_of(at);

    q.s = core_race_newest();
    q.owner = owner;
    q.conflict = false;
    now.lo = (uint16_t)(at - first);
    now.hi = (uint16_t)(end - first);
    if (is_wide(&now)) {
        core_race_lock(&p.page->lock);
        enter_wide(&q, p, &now);
        core_race_unlock(&p.page->lock);
    } else {
        for (unsigned i = now.lo / CORE_RACE_LINE; i * CORE_RACE_LINE < now.hi; i++)
            enter_line(&q, p, i, part_of(now, i));
    }
    if (q.conflict && (q.found.pe == RACE->me || !core_race_may_have_seen(&q.found, owner)))
        core_race_report(&q.found_now, &q.found, first);
}

bool core_race_has_been(uint64_t at, size_t n, struct core_race_record now)
{
    return is_in_line(&RACE->lines[at / CORE_RACE_LINE], &now,
                      UINT64_MAX >> (CORE_RACE_LINE - n) << at % CORE_RACE_LINE);
}

/* ------------------------------------------------------------------- writers -- */

struct writers {
    uint64_t found;
    uint32_t *clocks;
};

/* The step may be a later one than the put was entered with, if another thread has come in between. */
static void land_in_line(struct place p, unsigned i, const struct core_race_record *put)
{
    struct core_race_line *line = &p.lines[i];
    uint64_t bytes = bytes_of(put, i);

    core_race_lock(&line->lock);
    for (unsigned k = 0; k < line->n; k++) {
        struct core_race_mark *m = &line->marks[k];

        if (m->of.pe == put->pe && m->of.clock <= put->clock && m->of.how & CORE_RACE_SIGNALLED && m->bytes & bytes)
            m->of.how &= (uint16_t)~CORE_RACE_PENDING;
    }
    core_race_unlock(&line->lock);
}

static void land_in_page(struct place p, const struct core_race_record *put)
{
    uint64_t left;

    core_race_lock(&p.page->lock);
    for (unsigned i = 0; i < p.page->n; i++) {
        struct core_race_record *r = &p.page->records[i];

        if (r->pe == put->pe && r->clock <= put->clock && r->how & CORE_RACE_SIGNALLED && overlap(r, put))
            r->how &= (uint16_t)~CORE_RACE_PENDING;
    }
    left = lines_of(put->lo, put->hi) & p.page->lines;
    core_race_unlock(&p.page->lock);
    for (; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctzll(left);
        struct core_race_record part = part_of(*put, i);

        land_in_line(p, i, &part);
    }
}

void core_race_land(uint64_t at, size_t n, unsigned pe, uint32_t clock)
{
    struct core_race_record put = {.clock = clock, .pe = (uint8_t)pe};
    uint64_t page = (uint64_t)1 << CORE_RACE_PAGE_LOG;

    for (uint64_t end = at + n, next; at < end; at = next) {
        next = (at / page + 1) * page;
        put.lo = (uint16_t)(at % page);
        put.hi = (uint16_t)((next < end ? next : end) - (next - page));
        land_in_page(place_of(at), &put);
    }
}

static bool is_of_other(const struct core_race_record *r)
{
    return r->how & CORE_RACE_WRITE && r->pe != RACE->me;
}

static void found(struct writers *w, const struct core_race_record *r)
{
    uint64_t bit = (uint64_t)1 << r->pe;

    if (!(w->found & bit) || w->clocks[r->pe] < r->clock)
        w->clocks[r->pe] = r->clock;
    w->found |= bit;
}

/* What lies beside the bytes that were seen has landed with them: one put may have brought it. */
static void land(struct core_race_line *line, struct core_race_mark *m, uint64_t seen)
{
    struct run run = run_of(m->bytes, seen);
    uint64_t bytes = UINT64_MAX >> (CORE_RACE_LINE - (run.hi - run.lo)) << run.lo | (m->bytes & seen);
    struct core_race_record landed = m->of;

    landed.how &= (uint16_t)~CORE_RACE_PENDING;
    if (bytes == m->bytes || line->n == CORE_RACE_RECORDS) {
        m->of = landed;
        return;
    }
    m->bytes &= ~bytes;
    add_mark(line, &landed, bytes);
}

/* With the line's lock. */
static void writers_in_line(struct writers *w, struct core_race_line *line, uint64_t seen)
{
    for (unsigned k = 0, n = line->n; k < n; k++) {
        struct core_race_mark *m = &line->marks[k];

        if (!is_of_other(&m->of) || !(m->bytes & seen))
            continue;
        found(w, &m->of);
        if (m->of.how & CORE_RACE_PENDING)
            land(line, m, seen);
    }
}

/* Of what is wide only the line has been seen to land. */
static void writers_in_page(struct writers *w, struct place p, unsigned line, const struct core_race_record *seen)
{
    unsigned lo = line * CORE_RACE_LINE, hi = lo + CORE_RACE_LINE;

    for (unsigned i = 0; i < p.page->n;) {
        struct core_race_record r = p.page->records[i], part = part_of(r, line);

        if (is_of_other(&r) && overlap(&r, seen))
            found(w, &r);
        if (!is_of_other(&r) || !(r.how & CORE_RACE_PENDING) || !overlap(&r, seen)) {
            i++;
            continue;
        }
        carve(p, i, lo, hi);
        add_to_line(p, line, &part);
    }
}

uint64_t core_race_writers(uint64_t at, size_t n, uint32_t clocks[CORE_RACE_PES])
{
    uint64_t first = at >> CORE_RACE_PAGE_LOG << CORE_RACE_PAGE_LOG, bytes;
    struct place p = place_of(at);
    unsigned i = (unsigned)(at - first) / CORE_RACE_LINE;
    struct core_race_line *line = &p.lines[i];
    struct core_race_record seen = {.lo = (uint16_t)(at - first), .hi = (uint16_t)((i + 1) * CORE_RACE_LINE)};
    struct writers w = {.clocks = clocks};
    bool alone;

    if (n < (size_t)(seen.hi - seen.lo))
        seen.hi = (uint16_t)(seen.lo + n);
    bytes = bytes_of(&seen, i);
    core_race_lock(&line->lock);
    alone = is_alone(p.page, 0);
    if (!alone) {
        core_race_unlock(&line->lock);
        core_race_lock(&p.page->lock);
        writers_in_page(&w, p, i, &seen);
        core_race_lock(&line->lock);
    }
    for (uint64_t lost = line->lost; lost; lost &= lost - 1)
        clocks[__builtin_ctzll(lost)] = UINT32_MAX;
    w.found |= line->lost;
    writers_in_line(&w, line, bytes);
    core_race_unlock(&line->lock);
    if (!alone)
        core_race_unlock(&p.page->lock);
    return w.found;
}
