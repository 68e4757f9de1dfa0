/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The barrier, in the three ways a team on one node may synchronise (for the
 * others see sync_net.c):
 *   spread     dissemination: log2(P) hand-overs, each to a different PE's line
 *   central    one counter; the last to arrive releases all. With more PEs than
 *              cores this costs one scheduling of each PE, not log2(P)
 *   transient  central in the caller's words, which are zero again afterwards
 *
 * Flags are stored with release and read with acquire: what a PE stored before
 * the barrier is visible to whoever has completed it.
 */
#include "coll/blocked.h"
#include "coll/meet.h"
#include "core/check/fatal.h"
#include "core/wait/wake_set.h"

/* ---- spread ---- */

static int ahead(const struct coll_team *t, int round)
{
    int to = t->rank + (1 << round);
    return to < t->size ? to : to - t->size;
}

static void dissemination_send(const struct coll_team *t, uint64_t epoch, int round)
{
    int to = ahead(t, round);
    /* model: spread.send */
    __atomic_store_n(&coll_sync_of(t, to)->line[epoch & 1][round].flag, epoch, __ATOMIC_RELEASE);
    coll_wake(t, to);
}

static bool dissemination_poll(struct coll_call *c)
{
    struct coll_team *t = c->team;
    while (1 << c->round < t->size) {
        /* model: spread.poll */
        if (__atomic_load_n(&t->sync->line[c->epoch & 1][c->round].flag, __ATOMIC_ACQUIRE) != c->epoch)
            return false;
        c->round++;
        if (1 << c->round < t->size)
            dissemination_send(t, c->epoch, c->round);
    }
    return true;
}

/* ---- central ---- */

static int pe_of(const void *team, int rank)
{
    return coll_team_pe(team, rank);
}

/* NULL: one by one. */
static const struct core_wake_set *others_of(struct coll_team *t)
{
    if (MPT_UNLIKELY(!t->others_made)) {
        t->others = core_wake_set_make(t->size, pe_of, t);
        t->others_made = true;
    }
    return t->others;
}

static void central_release(struct coll_call *c, struct coll_sync *root)
{
    struct coll_team *t = c->team;
    root->count = 0;
    if (c->last)
        c->last(c);
    /* model: central.release */
    __atomic_store_n(&root->released, c->epoch, __ATOMIC_RELEASE);
    if (others_of(t)) {
        core_wake_set(t->others);
        return;
    }
    if (coll_many(t)) {
        coll_wake(t, 0); /* each of the released wakes two more */
        return;
    }
    for (int r = 0; r < t->size; r++)
        coll_wake(t, r);
}

static void central_start(struct coll_call *c, coll_last *last)
{
    struct coll_team *t = c->team;
    struct coll_sync *root = coll_sync_of(t, 0);
    c->last = last;
    /* acq_rel: the last to arrive has seen all others' stores, and passes them on */
    /* model: central.arrive */
    if (__atomic_add_fetch(&root->count, 1, __ATOMIC_ACQ_REL) != (uint64_t)t->size)
        return;
    if (last && t->rank != 0 && coll_many(t))
        coll_wake(t, 0);
    else
        central_release(c, root);
}

static void wake_children(const struct coll_team *t)
{
    for (int r = 2 * t->rank + 1; r <= 2 * t->rank + 2 && r < t->size; r++)
        coll_wake(t, r);
}

static bool central_poll(struct coll_call *c)
{
    struct coll_team *t = c->team;
    struct coll_sync *root = coll_sync_of(t, 0);
    /* Acquire: what all did before they arrived. Nobody arrives again before the release. */
    /* model: central.all_here */
    if (coll_many(t) && c->last && t->rank == 0 && __atomic_load_n(&root->count, __ATOMIC_ACQUIRE) == (uint64_t)t->size)
        central_release(c, root);
    /* model: central.poll */
    if (__atomic_load_n(&root->released, __ATOMIC_ACQUIRE) < c->epoch)
        return false;
    if (coll_many(t) && !others_of(t))
        wake_children(t);
    return true;
}

/* ---- transient ---- */

static void transient_release(struct coll_team *t, struct coll_words *root)
{
    root->count = 0;
    for (int r = 0; r < t->size; r++) {
        /* model: transient.release */
        __atomic_store_n(&coll_words_of(t, r)->release, 1, __ATOMIC_RELEASE);
        coll_wake(t, r);
    }
}

static void transient_start(struct coll_team *t)
{
    struct coll_words *root = coll_words_of(t, 0);
    /* model: transient.arrive */
    if (__atomic_add_fetch(&root->count, 1, __ATOMIC_ACQ_REL) != (uint64_t)t->size)
        return;
    if (t->rank != 0 && coll_many(t))
        coll_wake(t, 0);
    else
        transient_release(t, root);
}

/* Nobody can release this PE again before it has arrived again. */
static bool transient_poll(struct coll_team *t)
{
    /* Acquire: what all did before they arrived. */
    /* model: transient.all_here */
    if (coll_many(t) && t->rank == 0 && __atomic_load_n(&t->words->count, __ATOMIC_ACQUIRE) == (uint64_t)t->size)
        transient_release(t, t->words);
    /* model: transient.poll */
    if (!__atomic_load_n(&t->words->release, __ATOMIC_ACQUIRE))
        return false;
    t->words->release = 0;
    return true;
}

/* ---- all ways ---- */

void coll_sync_start(struct coll_call *c, coll_last *last)
{
    struct coll_team *t = c->team;
    c->epoch = ++t->epoch;
    c->round = 0;
    c->piggyback = NULL;
    if (t->way == COLL_ON_TRANSIENT) {
        transient_start(t);
        return;
    }
    if (t->way == COLL_ON_NET_TRANSIENT) {
        coll_net_words_start(c);
        return;
    }
    __atomic_store_n(&t->sync->arrived, c->epoch, __ATOMIC_RELEASE);
    if (t->way == COLL_ON_NET)
        coll_net_start(c);
    else if (t->way == COLL_ON_CENTRAL)
        central_start(c, last);
    else if (t->size > 1)
        dissemination_send(t, c->epoch, 0);
}

void coll_sync_start_with(struct coll_call *c, const struct coll_piggyback *piggyback)
{
    coll_sync_start(c, NULL);
    c->piggyback = piggyback; /* looked at by polls only */
}

bool coll_sync_poll(struct coll_call *c)
{
    if (MPT_LIKELY(c->team->way == COLL_ON_DISSEMINATION))
        return dissemination_poll(c);
    switch (c->team->way) {
    case COLL_ON_CENTRAL:
        return central_poll(c);
    case COLL_ON_TRANSIENT:
        return transient_poll(c->team);
    case COLL_ON_NET:
        return coll_net_poll(c);
    default:
        return coll_net_words_poll(c);
    }
}

void coll_publish(struct coll_call *c, const void *data, size_t n)
{
    core_copy(c->team->sync->slot[(c->team->epoch + 1) & 1], data, n);
}

static void meet(const char *where)
{
    static void *const nothing = NULL;
    static const bool none = false;
    static const struct core_meet_hooks quiet = {.look = coll_look_who_left}, busy = {.progress = core_progress,
                                                                                      .under_way = &nothing,
                                                                                      .news = &none,
                                                                                      .look = coll_look_who_left};

    core_meet(CORE_MEET_SHMEM, core_progress_due() ? &busy : &quiet, where);
}

void coll_barrier(struct coll_team *t, const char *where)
{
    struct coll_call c; /* not cleared: that would take a good part of the time */

    if (t->meets) {
        meet(where);
        return;
    }
    c.team = t;
    coll_sync_start(&c, NULL);
    if (coll_sync_poll(&c))
        return;
    struct core_blocked_by by;
    struct core_waiter w;
    core_wait_begin(&w, where);
    if (MPT_UNLIKELY(core_params.check))
        core_wait_by(&w, coll_blocked_barrier(&by, t));
    do {
        core_wait_pause(&w);
        if (MPT_UNLIKELY(core_wait_is_slow(&w)) && core_anyone_left())
            coll_check_members(t, &w);
    } while (!coll_sync_poll(&c));
    core_wait_end(&w);
}

bool coll_barrier_step(struct coll_call *c)
{
    if (c->phase++ == 0)
        coll_sync_start(c, NULL);
    return coll_sync_poll(c);
}

void coll_is_left_by(int pe, const char *where)
{
    core_job_be_first();
    core_finding_fatal(CORE_FINDING_CALL_STATE, NULL, "waits in %s for PE %d%s%s, which has exited without finalizing",
                       where, pe, core_has_network() ? " on host " : "", core_has_network() ? core_host(pe) : "");
}

/* A member that left without arriving will never arrive. In a transient team and
 * on another node nothing tells whether it had arrived: then a long sleep must
 * have passed. */
void coll_check_members(struct coll_team *t, const struct core_waiter *w)
{
    for (int r = 0; r < t->size && core_left_for_good(); r++) {
        int pe = coll_team_pe(t, r);
        if (!core_pe_left(pe))
            continue;
        bool late = t->slot < 0 || !core_on_node(pe)
                        ? core_wait_is_long(w)
                        : __atomic_load_n(&coll_sync_of(t, r)->arrived, __ATOMIC_ACQUIRE) < t->epoch;
        if (!late)
            continue;
        coll_is_left_by(pe, core_wait_where(w));
    }
}
