/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The program's own loads and stores (core/check/watch.h). Most are of memory that it has just used: what it has told
 * once it need not tell again until something orders PEs, which begins an epoch. Loads are told of line by line, when
 * another line takes the place or the epoch ends. They bear the step in which they were made, so what others did since
 * and knew of it is no conflict. Stores are told at once, since one may be a flag that another PE is looking at.
 */
#include "core/check/landing.h"
#include "core/check/race_internal.h"
#include "core/check/watch.h"

_Static_assert((int)CORE_WATCH_WRITE == CORE_RACE_WRITE && (int)CORE_WATCH_ATOMIC == CORE_RACE_ATOMIC &&
                   (int)CORE_WATCH_VOLATILE == CORE_RACE_VOLATILE,
               "programs and checker mean the same");

enum { GRANULE = sizeof(uint64_t) };

static struct core_watch_line *const lines = mpt_watch.line;

/* Runs of bytes by the same instruction. With the lock of this PE. */
static void tell(struct core_watch_line *line)
{
    uint64_t fresh = line->fresh;
    unsigned i = (unsigned)(line - lines);

    line->fresh = 0;
    RACE->unsaid[i / 64] &= ~((uint64_t)1 << i % 64);
    while (fresh) {
        unsigned from = (unsigned)__builtin_ctzll(fresh), to = from;
        uintptr_t pc = line->pc[from / GRANULE];

        while (to < CORE_WATCH_LINE && fresh >> to & 1 && line->pc[to / GRANULE] == pc)
            to++;
        fresh &= ~core_watch_bits(from, to - from);
        core_race_loaded((const void *)(line->at + from), to - from, line->clock, pc);
    }
}

void core_race_settle(void)
{
    if (!mpt_watch.access || core_race_is_settled())
        return;
    pthread_mutex_lock(&RACE->lock);
    for (unsigned i = 0; i < sizeof RACE->unsaid / sizeof *RACE->unsaid; i++)
        while (RACE->unsaid[i])
            tell(&lines[64 * i + (unsigned)__builtin_ctzll(RACE->unsaid[i])]);
    mpt_watch.epoch++;
    pthread_mutex_unlock(&RACE->lock);
}

static struct core_watch_line *line_of(uintptr_t at)
{
    struct core_watch_line *line = core_watch_line_of(at);

    at -= at % CORE_WATCH_LINE;
    if (line->at != at || line->epoch != mpt_watch.epoch) {
        tell(line);
        line->epoch = mpt_watch.epoch - 1; /* not for others while it changes */
        line->reads = line->writes = 0;
        line->at = at;
        line->epoch = mpt_watch.epoch;
    }
    return line;
}

static void load(struct core_watch_line *line, unsigned from, size_t n, uintptr_t pc)
{
    uint64_t bits = core_watch_bits(from, n) & ~(line->reads | line->writes);
    uint32_t clock = core_race_stamp(CORE_RACE_READ);
    unsigned i = (unsigned)(line - lines);

    if (bits == 0)
        return;
    if (line->fresh && line->clock != clock)
        tell(line);
    line->clock = clock;
    RACE->unsaid[i / 64] |= (uint64_t)1 << i % 64;
    line->fresh |= bits;
    line->reads |= bits;
    for (unsigned k = from / GRANULE; k <= (from + n - 1) / GRANULE; k++)
        line->pc[k] = pc;
}

/* Of one line, in which it is told for the first time. */
static void access_line(uintptr_t at, size_t n, unsigned how, uintptr_t pc)
{
    unsigned from = at % CORE_WATCH_LINE;

    pthread_mutex_lock(&RACE->lock);
    core_race_look_back();
    if (how == CORE_RACE_READ)
        load(line_of(at), from, n, pc);
    pthread_mutex_unlock(&RACE->lock);
    if (how == CORE_RACE_READ)
        return;
    core_race_local((const void *)at, n, how, pc);
    pthread_mutex_lock(&RACE->lock);
    line_of(at)->writes |= core_watch_bits(from, n);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_polls(void)
{
    core_race_settle();
    RACE->polls = true;
}

static void accessed(const void *at, size_t n, unsigned how, uintptr_t pc)
{
    uintptr_t a = (uintptr_t)at;

    if (mpt_fast.node_n == 0) /* before the start and after the end */
        return;
    if (core_landing_any())
        core_landing_look(a, n, how, pc);
    if (!core_race_on())
        return;
    if (RACE->polls && how == CORE_RACE_READ && n <= GRANULE)
        how |= CORE_RACE_VOLATILE;
    if (how & (CORE_RACE_ATOMIC | CORE_RACE_VOLATILE)) {
        core_race_settle();
        core_race_local(at, n, how, pc);
    } else if (a % CORE_WATCH_LINE + n <= CORE_WATCH_LINE) {
        access_line(a, n, how, pc);
    } else {
        core_race_local(at, n, how, pc);
    }
}

void core_race_watch(void)
{
    core_watch_tell(accessed);
}

void core_race_look_at(const void *at, size_t n)
{
    core_watch_add(at, n);
}

void core_race_look_away(const void *at, size_t n)
{
    core_watch_remove(at, n);
}
