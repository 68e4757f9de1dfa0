/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Teams (1.6, 9.4): handles, queries, and the two ways to split a team. Who is a
 * member and how members synchronise is coll's; here are the standard's rules.
 */
#include <stdlib.h>

#include "core/base/site.h"
#include "shmem/check.h"

struct mpt_shmem_team mpt_shmem_team_world = {&shmemi.world};
struct mpt_shmem_team mpt_shmem_team_shared = {&shmemi.shared};

static struct shmemi_team *take(void)
{
    pthread_mutex_lock(&shmemi.teams.lock);
    struct shmemi_team *t = shmemi.teams.unused;
    if (t)
        shmemi.teams.unused = t->next;
    pthread_mutex_unlock(&shmemi.teams.lock);
    if (!t && !(t = malloc(sizeof *t)))
        core_fatal("out of private memory for a team");
    *t = (struct shmemi_team){.handle.state = t, .coll = &t->own};
    return t;
}

static void put_back(struct shmemi_team *t)
{
    t->magic = SHMEMI_DEAD;
    if (MPT_UNLIKELY(shmemi.checks)) { /* it does not serve again: its handle remains known */
        t->gone = core_site();
        return;
    }
    pthread_mutex_lock(&shmemi.teams.lock);
    t->next = shmemi.teams.unused;
    shmemi.teams.unused = t;
    pthread_mutex_unlock(&shmemi.teams.lock);
}

static void enlist(struct shmemi_team *t)
{
    struct shmemi_team **end = &shmemi.teams.live;
    t->magic = SHMEMI_TEAM_LIVE;
    pthread_mutex_lock(&shmemi.teams.lock);
    while (*end)
        end = &(*end)->next;
    *end = t;
    pthread_mutex_unlock(&shmemi.teams.lock);
}

static void delist(struct shmemi_team *t)
{
    struct shmemi_team **at = &shmemi.teams.live;
    pthread_mutex_lock(&shmemi.teams.lock);
    while (*at && *at != t)
        at = &(*at)->next;
    if (*at)
        *at = t->next;
    t->next = NULL;
    pthread_mutex_unlock(&shmemi.teams.lock);
}

/* A range of PEs whose numbers rise by the same stride. */
struct range {
    int start, stride, size;
};

/* The PEs of this node, as launchers number them by block or cyclically; of
 * another pattern, the run of numbers that this PE is in. All its members get
 * the same answer. */
static struct range node_pes(void)
{
    int n = (int)core_node_size(), first = core_node_pe(0), even = 1, run = 0;
    struct range all = {first, n > 1 ? core_node_pe(1) - first : 1, n};
    for (int i = 1; i < n; i++) {
        int pe = core_node_pe((unsigned)i), before = core_node_pe((unsigned)i - 1);
        even &= pe - before == all.stride;
        if (pe <= mpt_fast.me && pe != before + 1)
            run = i; /* where the run of this PE begins */
    }
    if (even)
        return all;
    struct range r = {core_node_pe((unsigned)run), 1, 1};
    while (run + r.size < n && core_node_pe((unsigned)(run + r.size)) == r.start + r.size)
        r.size++;
    return r;
}

void shmemi_teams_init(void)
{
    struct range here = node_pes();
    shmemi.world = (struct shmemi_team){.magic = SHMEMI_TEAM_LIVE, .coll = COLL_WORLD};
    shmemi.shared = (struct shmemi_team){.magic = SHMEMI_TEAM_LIVE, .coll = &shmemi.shared.own};
    if (coll_team_create(COLL_WORLD, here.start, here.stride, here.size, &shmemi.shared.own) != 0)
        core_fatal("no room for SHMEM_TEAM_SHARED");
}

static void destroy(struct shmemi_team *t)
{
    shmemi_ctx_destroy_all(t);
    coll_team_destroy(t->coll);
    t->magic = SHMEMI_DEAD;
}

static void destroy_team(struct shmemi_team *t)
{
    delist(t);
    destroy(t);
    put_back(t);
}

void shmemi_teams_finish(void)
{
    while (shmemi.teams.live)
        destroy_team(shmemi.teams.live);
    destroy(&shmemi.shared);
    shmemi_ctx_destroy_all(&shmemi.world);
    shmemi.world.magic = SHMEMI_DEAD;
}

void pshmem_team_destroy(shmem_team_t team)
{
    const char *where = SHMEMI_WHERE;
    if (team == SHMEM_TEAM_INVALID)
        return;
    struct shmemi_team *t = shmemi_team(team, where);
    if (t == &shmemi.world || t == &shmemi.shared)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: SHMEM_TEAM_%s cannot be destroyed", where,
                           t == &shmemi.world ? "WORLD" : "SHARED");
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(t->coll, (struct shmemi_same){.call = SHMEMI_DESTROY}, where);
    destroy_team(t);
}
SHMEMI_ALIAS(shmem_team_destroy);

/* ---------------------------------------------------------------- queries -- */

int pshmem_team_my_pe(shmem_team_t team)
{
    return team == SHMEM_TEAM_INVALID ? -1 : shmemi_team(team, SHMEMI_WHERE)->coll->rank;
}
SHMEMI_ALIAS(shmem_team_my_pe);

int pshmem_team_n_pes(shmem_team_t team)
{
    return team == SHMEM_TEAM_INVALID ? -1 : shmemi_team(team, SHMEMI_WHERE)->coll->size;
}
SHMEMI_ALIAS(shmem_team_n_pes);

int pshmem_team_get_config(shmem_team_t team, long config_mask, shmem_team_config_t *config)
{
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    const struct shmemi_team *t = shmemi_team(team, SHMEMI_WHERE);
    if (config_mask & ~SHMEM_TEAM_NUM_CONTEXTS)
        return -1;
    if (config && (config_mask & SHMEM_TEAM_NUM_CONTEXTS))
        config->num_contexts = t->config.num_contexts;
    return 0;
}
SHMEMI_ALIAS(shmem_team_get_config);

int pshmem_team_translate_pe(shmem_team_t src_team, int src_pe, shmem_team_t dest_team)
{
    const char *where = SHMEMI_WHERE;
    if (src_team == SHMEM_TEAM_INVALID || dest_team == SHMEM_TEAM_INVALID)
        return -1;
    const struct coll_team *from = shmemi_team(src_team, where)->coll;
    const struct coll_team *to = shmemi_team(dest_team, where)->coll;
    if (src_pe < 0 || src_pe >= from->size)
        return -1;
    return coll_team_rank(to, coll_team_pe(from, src_pe));
}
SHMEMI_ALIAS(shmem_team_translate_pe);

/* -------------------------------------------------------------- splitting -- */

/* Members start + i*stride, i < size, all of them ranks of the parent. */
static bool valid_triplet(const struct coll_team *parent, int start, int stride, int size)
{
    long last = start + (long)stride * (size - 1);
    return size >= 1 && (stride != 0 || size == 1) && start >= 0 && start < parent->size && last >= 0 &&
           last < parent->size;
}

/* The part of a split that both ways share. Collective over the parent. */
static int split(struct shmemi_team *parent, int start, int stride, int size, const shmem_team_config_t *config,
                 long config_mask, shmem_team_t *new_team)
{
    struct coll_team *p = parent->coll;
    struct shmemi_team *t = take();
    if (stride == 0)
        stride = 1;
    if (config && (config_mask & SHMEM_TEAM_NUM_CONTEXTS))
        t->config = *config;
    struct shmemi_race_meeting meeting = {0};
    if (core_race_on())
        meeting = shmemi_race_come(p);
    int rc = coll_team_create(p, coll_team_pe(p, start), p->stride * stride, size, &t->own);
    if (core_race_on())
        shmemi_race_met(meeting, -1);
    if (MPT_UNLIKELY(shmemi.checks) && rc == 0 && t->own.rank >= 0)
        shmemi_agree_new(&t->own, p);
    if (rc != 0 || t->own.rank < 0) {
        put_back(t);
        return rc;
    }
    enlist(t);
    *new_team = &t->handle;
    return 0;
}

static void agree_on_split(const struct coll_team *p, int start, int stride, int size, const char *where)
{
    struct shmemi_same s = {
        .call = SHMEMI_SPLIT, .start = coll_team_pe(p, start), .stride = p->stride * stride, .size = size};
    shmemi_agree(p, s, where);
}

int pshmem_team_split_strided(shmem_team_t parent_team, int start, int stride, int size,
                              const shmem_team_config_t *config, long config_mask, shmem_team_t *new_team)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(new_team, "new_team", where);
    *new_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID)
        return -1;
    struct shmemi_team *parent = shmemi_team(parent_team, where);
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, parent->coll, 0, -1);
    if (!valid_triplet(parent->coll, start, stride, size))
        return -1;
    if (MPT_UNLIKELY(shmemi.checks))
        agree_on_split(parent->coll, start, stride, size, where);
    return split(parent, start, stride, size, config, config_mask, new_team);
}
SHMEMI_ALIAS(shmem_team_split_strided);

static int split_2d(struct shmemi_team *parent, int xrange, const shmem_team_config_t *xconfig, long xmask,
                    shmem_team_t *xteam, const shmem_team_config_t *yconfig, long ymask, shmem_team_t *yteam)
{
    int n = parent->coll->size, me = parent->coll->rank;
    if (xrange > n)
        xrange = n;
    int x = me % xrange, y = me / xrange;
    int width = n - y * xrange < xrange ? n - y * xrange : xrange;
    int height = (n - x + xrange - 1) / xrange;
    int rc = split(parent, y * xrange, 1, width, xconfig, xmask, xteam);
    if (rc != 0)
        return rc;
    if ((rc = split(parent, x, xrange, height, yconfig, ymask, yteam)) != 0) {
        destroy_team((*xteam)->state);
        *xteam = SHMEM_TEAM_INVALID;
    }
    return rc;
}

int pshmem_team_split_2d(shmem_team_t parent_team, int xrange, const shmem_team_config_t *xaxis_config, long xaxis_mask,
                         shmem_team_t *xaxis_team, const shmem_team_config_t *yaxis_config, long yaxis_mask,
                         shmem_team_t *yaxis_team)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(xaxis_team, "xaxis_team", where);
    shmemi_not_null(yaxis_team, "yaxis_team", where);
    *xaxis_team = *yaxis_team = SHMEM_TEAM_INVALID;
    if (parent_team == SHMEM_TEAM_INVALID || xrange < 1)
        return -1;
    struct shmemi_team *parent = shmemi_team(parent_team, where);
    SHMEMI_TRACE(t, where);
    if (MPT_UNLIKELY(core_trace_on()))
        shmemi_trace_together(&t, parent->coll, 0, -1);
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_agree(parent->coll, (struct shmemi_same){.call = SHMEMI_SPLIT_2D, .root = xrange}, where);
    return split_2d(parent, xrange, xaxis_config, xaxis_mask, xaxis_team, yaxis_config, yaxis_mask, yaxis_team);
}
SHMEMI_ALIAS(shmem_team_split_2d);
