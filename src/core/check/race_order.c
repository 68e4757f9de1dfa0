/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What orders PEs: what each knows of the others (race_wire.h), and how it comes to know more.
 */
#include <string.h>

#include "core/check/race_internal.h"

/* The one that was in force at a step; an older one than are kept: the oldest kept, which tells of more. */
static const struct core_race_snapshot *snapshot_at(struct core_race_pe *pe, uint32_t clock)
{
    uint32_t oldest = pe->newest < core_race_snapshots(RACE->n) ? 0 : pe->newest - core_race_snapshots(RACE->n) + 1;
    uint32_t i = pe->newest;

    while (i > oldest && core_race_snapshot(pe, i)->start > clock)
        i--;
    return core_race_snapshot(pe, i);
}

bool core_race_knew(unsigned pe, uint32_t its, uint32_t mine)
{
    struct core_race_pe *other = core_race_pe(pe);

    core_race_lock(&other->lock);
    uint32_t known = core_race_known(snapshot_at(other, its), RACE->me);
    core_race_unlock(&other->lock);
    return known >= mine;
}

static bool raise(uint32_t *to, uint32_t value)
{
    if (*to >= value)
        return false;
    *to = value;
    return true;
}

bool core_race_join(struct core_race_snapshot *to, unsigned pe, uint32_t clock, unsigned at)
{
    struct core_race_pe *other = core_race_pe(pe);
    size_t n = 2 * RACE->n + (size_t)RACE->n * RACE->n;
    const struct core_race_snapshot *from;
    bool news = false;

    core_race_lock(&other->lock);
    if (clock == UINT32_MAX)
        clock = __atomic_load_n(&other->clock, __ATOMIC_RELAXED);
    from = snapshot_at(other, clock);
    if (to->clocks[pe] < clock) {
        for (size_t i = 0; i < n; i++)
            news |= raise(&to->clocks[i], from->clocks[i]);
        news |= raise(&to->clocks[pe], clock);
    }
    if (at != UINT32_MAX)
        news |= raise(&to->clocks[RACE->n + (size_t)pe * RACE->n + at], from->fenced);
    core_race_unlock(&other->lock);
    return news;
}

/* A copy of the newest snapshot, to be changed and then published. */
static struct core_race_snapshot *prepare(void)
{
    struct core_race_pe *own = RACE->own;
    struct core_race_snapshot *next = core_race_snapshot(own, own->newest + 1);

    core_race_lock(&own->lock);
    memcpy(next, core_race_newest(), core_race_snapshot_size(RACE->n));
    next->start = UINT32_MAX; /* if it replaces the oldest, nobody may take it for that */
    core_race_unlock(&own->lock);
    return next;
}

static void publish(struct core_race_snapshot *next)
{
    struct core_race_pe *own = RACE->own;

    core_race_lock(&own->lock);
    next->start = own->clock + 1;
    __atomic_store_n(&own->clock, next->start, __ATOMIC_RELAXED);
    own->newest++;
    own->told = 0;
    core_race_unlock(&own->lock);
}

void core_race_join_own(unsigned pe, uint32_t clock, unsigned at)
{
    const struct core_race_snapshot *now = core_race_newest();

    if (pe == RACE->me || (clock <= now->clocks[pe] && at == UINT32_MAX))
        return;
    struct core_race_snapshot *next = prepare();
    if (core_race_join(next, pe, clock, at))
        publish(next);
}

bool core_race_has_heard(unsigned pe, uint32_t clock)
{
    return !core_race_pe(pe)->instrumented &&
           snapshot_at(RACE->own, clock)->clocks[pe] < core_race_newest()->clocks[pe];
}

uint32_t core_race_stamp(unsigned how)
{
    struct core_race_pe *own = RACE->own;

    if (own->told && !(how & CORE_RACE_PENDING)) {
        own->told = 0;
        __atomic_store_n(&own->clock, own->clock + 1, __ATOMIC_RELAXED);
    }
    return own->clock;
}

/* ------------------------------------------------------- quiet and fence -- */

static void complete(unsigned first, unsigned n)
{
    struct core_race_snapshot *next = prepare();
    uint32_t *done = next->clocks + RACE->n + (size_t)RACE->me * RACE->n;

    for (unsigned i = first; i < first + n; i++)
        done[i] = RACE->own->clock;
    if (n == RACE->n)
        next->fenced = RACE->own->clock;
    publish(next);
}

/* Without operations there is nothing that would be complete now; those of other contexts are not. */
void core_race_quiet(struct core_flow *flow)
{
    core_race_settle();
    if (!flow->unquiet)
        return;
    pthread_mutex_lock(&RACE->lock);
    core_race_look_back();
    flow->unquiet = flow->unfenced = false;
    complete(0, RACE->n);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_quiet_at(struct core_flow *flow, int pe)
{
    core_race_settle();
    if (!flow->unquiet)
        return;
    pthread_mutex_lock(&RACE->lock);
    complete(core_slice_of(pe), 1);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_came_back(void)
{
    struct core_race_snapshot *next;

    core_race_settle();
    if (!RACE->asked)
        return;
    pthread_mutex_lock(&RACE->lock);
    RACE->asked = false;
    next = prepare();
    next->clocks[RACE->n + (size_t)RACE->n * RACE->n + RACE->me] = RACE->own->clock;
    publish(next);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_fence(struct core_flow *flow)
{
    struct core_race_snapshot *next;

    core_race_settle();
    if (!flow->unfenced)
        return;
    pthread_mutex_lock(&RACE->lock);
    flow->unfenced = false;
    next = prepare();
    next->fenced = RACE->own->clock;
    publish(next);
    pthread_mutex_unlock(&RACE->lock);
}

/* ----------------------------------------------------------------- groups -- */

/* Keys are hashes, so several may want one place. None is ever taken out, which would make numbers mean other things at
 * other members. NULL: no room near its place, or, if it is only looked for, not there. */
static struct core_race_meet *meet_of(struct core_race_pe *pe, uint64_t key, bool take)
{
    uint64_t place = key ^ key >> 17 ^ key >> 37;

    for (unsigned i = 0; i < CORE_RACE_NEAR; i++) {
        struct core_race_meet *m = &pe->meets[(place + i) % CORE_RACE_MEETS];

        if (m->key == 0 && take)
            m->key = key;
        if (m->key == key)
            return m;
    }
    return NULL;
}

/* `as`: the meeting's number, if those who meet count themselves; or 0. Returns 0 if there is no room to count. */
static uint32_t come(uint64_t key, uint32_t as)
{
    struct core_race_meet *m;
    uint32_t number = 0;

    core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    core_race_look_back();
    core_race_lock(&RACE->own->lock);
    m = meet_of(RACE->own, key, true);
    if (m) {
        number = m->count = as ? as : m->count + 1;
        m->number[number % CORE_RACE_DEEP] = number;
        m->clock[number % CORE_RACE_DEEP] = RACE->own->clock;
    }
    RACE->own->told = 1;
    core_race_unlock(&RACE->own->lock);
    pthread_mutex_unlock(&RACE->lock);
    return number;
}

uint32_t core_race_come(uint64_t key)
{
    return come(key, 0);
}

void core_race_come_as(uint64_t key, uint32_t number)
{
    come(key, number);
}

/* What was known at another time, or by a group without a place, is not to be had: all that is known by now. */
void core_race_learn(uint64_t key, uint32_t number, int pe)
{
    unsigned slice = core_slice_of(pe);
    struct core_race_pe *other = core_race_pe(slice);
    const struct core_race_meet *m;
    uint32_t clock = UINT32_MAX;

    core_race_settle();
    core_race_lock(&other->lock);
    m = meet_of(other, key, false);
    if (number != 0 && m && m->number[number % CORE_RACE_DEEP] == number)
        clock = m->clock[number % CORE_RACE_DEEP];
    core_race_unlock(&other->lock);
    pthread_mutex_lock(&RACE->lock);
    core_race_join_own(slice, clock, UINT32_MAX);
    pthread_mutex_unlock(&RACE->lock);
}

uint32_t core_race_tell(void)
{
    uint32_t clock;

    core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    core_race_look_back();
    clock = RACE->own->clock;
    RACE->own->told = 1;
    pthread_mutex_unlock(&RACE->lock);
    return clock;
}

void core_race_told(int pe, uint32_t clock)
{
    core_race_settle();
    pthread_mutex_lock(&RACE->lock);
    core_race_join_own(core_slice_of(pe), clock, UINT32_MAX);
    pthread_mutex_unlock(&RACE->lock);
}

void core_race_mails(int pe)
{
    unsigned to = core_slice_of(pe);
    uint64_t number = RACE->mailed[to] + 1, clock = core_race_tell();

    __atomic_store_n(&RACE->shared->mails[RACE->me][to][number % CORE_RACE_MAILS], number << 32 | clock,
                     __ATOMIC_RELEASE);
}

void core_race_mailed(int pe)
{
    RACE->mailed[core_slice_of(pe)]++;
}

void core_race_passes(int pe)
{
    RACE->heard[core_slice_of(pe)]++;
}

/* Of one whose step is forgotten: all that the sender has done by now. */
void core_race_hears(int pe)
{
    unsigned from = core_slice_of(pe);
    uint32_t number = ++RACE->heard[from];
    uint64_t mail = __atomic_load_n(&RACE->shared->mails[from][RACE->me][number % CORE_RACE_MAILS], __ATOMIC_ACQUIRE);

    core_race_told(pe, mail >> 32 == number ? (uint32_t)mail : UINT32_MAX);
}
