/* SPDX-License-Identifier: BSD-3-Clause
 *
 * OpenSHMEM's operations in the race checker's terms. A put or an atomic that fetches nothing is complete with the next
 * quiet, a fence orders it before later ones to the same PE. Operations on the PE itself are complete at once: nobody
 * could tell, but the standard is not clear.
 */
#include "shmem/race.h"

static unsigned word(size_t n)
{
    return n <= sizeof(uint64_t) ? CORE_RACE_WORD : 0;
}

/* Atomics of different types do not exclude each other (1.6, 3.1): told apart by width only, as signed and unsigned
 * ones are often mixed. */
static unsigned kind_of(unsigned width)
{
    return (1 + (unsigned)__builtin_ctz(width)) << __builtin_ctz(CORE_RACE_KIND);
}

static unsigned pending(int pe, bool nbi)
{
    return pe == mpt_fast.me ? 0 : CORE_RACE_PENDING | (nbi ? CORE_RACE_NBI : 0);
}

/* An access, and then the flow has something under way: a quiet of another thread that comes between completes what has
 * been entered, or leaves it to the next. */
static void enter(struct core_flow *flow, const void *there, size_t n, unsigned how, const char *where)
{
    core_race_access(there, n, how, where);
    if (how & CORE_RACE_PENDING)
        core_race_pend(flow);
}

static void local_side(const struct shmemi_race_copy *c, unsigned how)
{
    if (c->nbi)
        how |= pending(c->pe, true);
    core_race_own(c->local, c->n, how | CORE_RACE_BUFFER, c->where);
    if (how & CORE_RACE_PENDING)
        core_race_pend(c->flow);
}

void shmemi_race_put(const struct shmemi_race_copy *c)
{
    const void *there = core_addr(c->pe, c->remote);

    if (!there || (c->pe == mpt_fast.me && c->remote == c->local))
        return;
    local_side(c, CORE_RACE_READ);
    enter(c->flow, there, c->n, CORE_RACE_WRITE | word(c->n) | pending(c->pe, c->nbi), c->where);
}

void shmemi_race_get(const struct shmemi_race_copy *c)
{
    const void *there = core_addr(c->pe, c->remote);

    if (!there || (c->pe == mpt_fast.me && c->remote == c->local))
        return;
    enter(c->flow, there, c->n, CORE_RACE_READ | word(c->n) | (c->nbi ? pending(c->pe, true) : 0), c->where);
    local_side(c, CORE_RACE_WRITE);
}

void shmemi_race_got(const void *remote, size_t n, int pe)
{
    const void *there = core_addr(pe, remote);

    if (there && word(n))
        core_race_acquire(there, n);
}

void shmemi_race_atomic(const struct shmemi_race_atomic *a)
{
    const void *there = core_addr(a->pe, a->object);
    unsigned how = CORE_RACE_ATOMIC | CORE_RACE_WORD | (a->changes ? CORE_RACE_WRITE : CORE_RACE_READ);

    if (a->tries)
        how |= CORE_RACE_TRY;
    if (!a->fetches || a->nbi)
        how |= pending(a->pe, a->nbi);
    if (a->fetch)
        core_race_own(a->fetch, a->width, CORE_RACE_WRITE | CORE_RACE_BUFFER | pending(a->pe, true), a->where);
    if (there)
        enter(a->flow, there, a->width, how | kind_of(a->width), a->where);
}

void shmemi_race_fetched(const struct shmemi_race_atomic *a)
{
    const void *there = core_addr(a->pe, a->object);

    if (there)
        core_race_acquire(there, a->width);
}

/* The data are complete for whoever has seen the signal; for others, with the next quiet. */
void shmemi_race_signal(const struct shmemi_race_copy *c, uint64_t *sig_addr)
{
    const void *there = core_addr(c->pe, c->remote), *signal = core_addr(c->pe, sig_addr);

    if (c->n > 0) {
        local_side(c, CORE_RACE_READ);
        if (there)
            enter(c->flow, there, c->n, CORE_RACE_WRITE | CORE_RACE_SIGNALLED | pending(c->pe, c->nbi), c->where);
        if (there && signal)
            core_race_signals(signal, there, c->n);
    }
    if (signal)
        core_race_access(signal, sizeof *sig_addr, CORE_RACE_WRITE | CORE_RACE_ATOMIC, c->where);
}

void shmemi_race_awaited(const void *ivar, size_t n)
{
    const void *there = core_addr(mpt_fast.me, ivar);

    if (there)
        core_race_acquire_awaited(there, n);
}

void shmemi_race_locked(long *lock)
{
    const void *word = core_addr(0, lock);

    if (word)
        core_race_acquire(word, sizeof *lock);
}

void shmemi_race_unlocks(long *lock, const char *where)
{
    const void *word = core_addr(0, lock);

    core_race_quiet(CORE_FLOW_DEFAULT);
    if (word)
        core_race_access(word, sizeof *lock, CORE_RACE_WRITE | CORE_RACE_ATOMIC, where);
}

struct shmemi_race_meeting shmemi_race_come(struct coll_team *t)
{
    struct shmemi_race_meeting m = {.team = t};

    m.key =
        ((uint64_t)(uint32_t)t->start << 42 ^ (uint64_t)(uint32_t)t->stride << 21 ^ (uint64_t)(uint32_t)t->size) | 1;
    m.number = core_race_come(m.key);
    return m;
}

void shmemi_race_met(struct shmemi_race_meeting m, int root)
{
    for (int i = 0; i < m.team->size; i++)
        if (i != m.team->rank && (root < 0 || root == i))
            core_race_learn(m.key, m.number, coll_team_pe(m.team, i));
}

void shmemi_race_buffer(const void *at, size_t n, bool written, const char *where)
{
    core_race_own(at, n, written ? CORE_RACE_WRITE : CORE_RACE_READ, where);
}
