/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Accesses of this PE and what it learns by them: by whom memory is owned, where memory that is not the job's is known.
 */
#include <string.h>

#include "core/check/race_internal.h"
#include "core/check/watch.h"

/* The slice that byte `at` of the memory lies in; UINT_MAX: in none. In pages, by the shorter division if that will do.
 */
static inline unsigned owner_of(uint64_t at)
{
    const uint64_t page = (at - CORE_HEADER_SIZE) >> CORE_RACE_PAGE_LOG, n = RACE->slice_pages;
    uint64_t slice = (page | n) >> 32 ? page / n : (uint32_t)page / (uint32_t)n;

    return at >= CORE_HEADER_SIZE && slice < RACE->n ? (unsigned)slice : UINT32_MAX;
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
        if (is_flag_of_owner(how) && !RACE->own->told) /* others look at what lies beside it */
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
    struct core_race_record now = {.how = (uint16_t)how, .pe = (uint8_t)RACE->me, .op = (uint8_t)(how >> 16)};

    if (n == 0 || owner == UINT32_MAX || __atomic_load_n(&RACE->shared->off, __ATOMIC_RELAXED))
        return;
    now.clock = core_race_stamp(how);
    now.site = core_race_site(pc, call);
    RACE->asked |= how & CORE_RACE_EPOCH && (!(how & CORE_RACE_WRITE) || how & CORE_RACE_FETCHES);
    for (uint64_t end = at + n, next; at < end; at = next) {
        next = (at / page + 1) * page;
        core_race_enter_page(at, next < end ? next : end, now, owner);
    }
    remember(owner, how, now.clock);
}

static bool is_mapped(const void *there, size_t n)
{
    size_t at = (size_t)((const char *)there - core_seg->base);

    return at < core_seg->length && n <= core_seg->length - at;
}

static void land(unsigned pe, const struct core_race_signal *s)
{
    core_race_land(s->data, s->n, pe, s->clock);
}

/* A signal tells of the puts that it came with, and of no others (OpenSHMEM 1.6, 9.8). */
static void land_signalled(unsigned pe, uint64_t signal)
{
    struct core_race_pe *other = core_race_pe(pe);
    struct core_race_signal seen[CORE_RACE_SIGNALS];
    uint32_t which = 0;

    _Static_assert(CORE_RACE_SIGNALS <= 32, "a bit for each");

    if (__atomic_load_n(&other->n_signals, __ATOMIC_RELAXED) == 0)
        return;
    core_race_lock(&other->lock);
    for (unsigned i = 0; i < CORE_RACE_SIGNALS; i++)
        if (other->signals[i].n > 0 && other->signals[i].signal == signal) {
            seen[i] = other->signals[i];
            which |= 1u << i;
        }
    core_race_unlock(&other->lock);
    if (which == 0)
        return;
    for (uint32_t left = which; left; left &= left - 1)
        land(pe, &seen[__builtin_ctz(left)]);
    /* Only now: another PE that sees the signal, too, must not find it gone before the data have landed. */
    core_race_lock(&other->lock);
    for (uint32_t left = which; left; left &= left - 1) {
        unsigned i = (unsigned)__builtin_ctz(left);
        struct core_race_signal *now = &other->signals[i];

        if (now->clock == seen[i].clock && now->signal == signal && now->data == seen[i].data)
            now->n = 0;
    }
    core_race_unlock(&other->lock);
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
    found = core_race_writers(at, n, clocks);
    if (awaited && (found == 0 || __atomic_load_n(&RACE->shared->pointed, __ATOMIC_RELAXED)))
        for (unsigned pe = 0; pe < RACE->n; pe++)
            core_race_join_own(pe, UINT32_MAX, UINT32_MAX);
    for (; found; found &= found - 1) {
        unsigned pe = (unsigned)__builtin_ctzll(found);

        land_signalled(pe, at);
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
    if (!core_race_is_settled())
        core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    if (RACE->looks > 0)
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
    if (!core_race_is_settled())
        core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    acquire_at(offset_of(there), n, awaited);
    pthread_mutex_unlock(&RACE->lock);
}

/* Of which there is no room for more, that has landed: nobody is told wrongly. */
void core_race_signals(const void *signal, const void *data, size_t n)
{
    struct core_race_pe *own = RACE->own;
    struct core_race_signal *s, old;

    if (!is_mapped(signal, 1) || !is_mapped(data, n))
        return;
    pthread_mutex_lock(&RACE->lock);
    core_race_lock(&own->lock);
    s = &own->signals[own->n_signals++ % CORE_RACE_SIGNALS];
    old = *s;
    *s = (struct core_race_signal){offset_of(signal), offset_of(data), n, own->clock};
    core_race_unlock(&own->lock);
    if (old.n > 0)
        land(RACE->me, &old);
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

/* Loops use the same bytes in the same step again and again. */
static bool is_repeated(uint64_t at, size_t n, unsigned how)
{
    struct core_race_record now = {
        .clock = __atomic_load_n(&RACE->own->clock, __ATOMIC_RELAXED), .how = (uint16_t)how, .pe = (uint8_t)RACE->me};

    if (how & CORE_RACE_ATOMIC || RACE->own->told || RACE->looks > 0 || at % CORE_RACE_LINE + n > CORE_RACE_LINE)
        return false;
    return owner_of(at) != UINT32_MAX && core_race_has_been(at, n, now);
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
    core_race_enter_page(from, from + n, now, owner);
}
