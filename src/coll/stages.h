/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives of much data on several nodes as tables: when a stage is ready,
 * its work is done and the next one is looked at. Work may set c->phase back.
 */
#ifndef COLL_STAGES_H
#define COLL_STAGES_H

#include "coll/internal.h"

struct coll_stage {
    bool (*ready)(struct coll_call *c);
    void (*work)(struct coll_call *c);
};

static inline bool coll_stages_step(struct coll_call *c, const struct coll_stage *stages, int n)
{
    while (c->phase < n) {
        const struct coll_stage *s = &stages[c->phase];
        if (!s->ready(c))
            return false;
        if (s->work)
            s->work(c);
        c->phase++;
    }
    return true;
}
#define COLL_STAGES_STEP(c, stages) coll_stages_step(c, stages, (int)(sizeof(stages) / sizeof *(stages)))

static inline bool coll_at_once(struct coll_call *c)
{
    (void)c;
    return true;
}
static inline bool coll_moved(struct coll_call *c)
{
    return core_flow_idle(&c->flow);
}
static inline void coll_meet(struct coll_call *c)
{
    coll_sync_start(c, NULL);
}

/* n bytes of private memory that live as long as the call. */
char *coll_buffer(struct coll_call *c, size_t n);

static inline int coll_leader_pe(const struct coll_call *c, int group)
{
    return coll_team_pe(c->team, coll_leader(c->team->groups, group));
}
static inline bool coll_is_leader(const struct coll_call *c)
{
    return c->team->rank == coll_own_leader(c->team);
}
static inline int coll_own_size(const struct coll_team *t)
{
    return coll_group_size(t->groups, t->groups->own);
}
static inline size_t coll_element(const struct coll_call *c)
{
    return c->nelems ? c->n / c->nelems : 1;
}

/* Start of part i when n things are cut into parts as equal as possible. */
static inline size_t coll_cut(size_t n, int parts, int i)
{
    size_t p = (size_t)parts, k = (size_t)i, more = n % p;
    return n / p * k + (k < more ? k : more);
}

#endif
