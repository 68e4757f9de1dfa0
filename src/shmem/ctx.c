/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Communication contexts (1.6, 9.5) and sessions (9.9). A context is a team to
 * number PEs by and a flow, which fence and quiet are of. On one node operations
 * are complete when their call returns and nothing flows; the options promise us
 * things we need not use.
 */
#include <stdlib.h>

#include "core/base/site.h"
#include "shmem/check.h"

#define CTX_OPTIONS (SHMEM_CTX_SERIALIZED | SHMEM_CTX_PRIVATE | SHMEM_CTX_NOSTORE)

struct mpt_shmem_ctx mpt_shmem_ctx_default = {.state = &shmemi.ctx_default, .world = 1};

static shmem_ctx_t create(struct shmemi_team *team, long options)
{
    pthread_mutex_lock(&shmemi.contexts.lock);
    struct shmemi_ctx *c = shmemi.contexts.unused;
    if (c)
        shmemi.contexts.unused = c->next;
    else
        c = malloc(sizeof *c);
    if (c) {
        *c = (struct shmemi_ctx){.handle = {.state = c, .world = shmemi_is_world(team->coll)},
                                 .magic = SHMEMI_CTX_LIVE,
                                 .options = options,
                                 .team = team,
                                 .flow = &c->own,
                                 .creator = pthread_self(),
                                 .next = team->contexts};
        team->contexts = c;
    }
    pthread_mutex_unlock(&shmemi.contexts.lock);
    return c ? &c->handle : SHMEM_CTX_INVALID;
}

/* Take context c, or any if it is NULL, off its team's list. */
static struct shmemi_ctx *delist(struct shmemi_team *team, struct shmemi_ctx *c)
{
    pthread_mutex_lock(&shmemi.contexts.lock);
    struct shmemi_ctx **at = &team->contexts;
    while (c && *at && *at != c)
        at = &(*at)->next;
    c = *at;
    if (c)
        *at = c->next;
    pthread_mutex_unlock(&shmemi.contexts.lock);
    return c;
}

/* Of a context that no list holds. Waits for its operations, so without the
 * lock: they may need other threads' calls. */
static void retire(struct shmemi_ctx *c)
{
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_complete(c->flow, "shmem_ctx_destroy");
    core_quiet(c->flow);
    shmemi_race_quiet(c->flow);
    core_flow_finish(c->flow);
    c->magic = SHMEMI_DEAD;
    c->handle.world = 0;
    if (MPT_UNLIKELY(shmemi.checks)) { /* it does not serve again: its handle remains known */
        c->gone = core_site();
        return;
    }
    pthread_mutex_lock(&shmemi.contexts.lock);
    c->next = shmemi.contexts.unused;
    shmemi.contexts.unused = c;
    pthread_mutex_unlock(&shmemi.contexts.lock);
}

void shmemi_ctx_destroy_all(struct shmemi_team *team)
{
    struct shmemi_ctx *c;
    while ((c = delist(team, NULL)))
        retire(c);
}

static int create_ctx(struct shmemi_team *team, long options, shmem_ctx_t *ctx)
{
    *ctx = options & ~CTX_OPTIONS ? SHMEM_CTX_INVALID : create(team, options);
    return *ctx == SHMEM_CTX_INVALID ? -1 : 0;
}

int pshmem_ctx_create(long options, shmem_ctx_t *ctx)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(ctx, "ctx", where);
    return create_ctx(shmemi_team(SHMEM_TEAM_WORLD, where), options, ctx);
}
SHMEMI_ALIAS(shmem_ctx_create);

int pshmem_team_create_ctx(shmem_team_t team, long options, shmem_ctx_t *ctx)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(ctx, "ctx", where);
    *ctx = SHMEM_CTX_INVALID;
    if (team == SHMEM_TEAM_INVALID)
        return -1;
    return create_ctx(shmemi_team(team, where), options, ctx);
}
SHMEMI_ALIAS(shmem_team_create_ctx);

static void destroy(struct shmemi_ctx *c)
{
    if (delist(c->team, c))
        retire(c);
}

void pshmem_ctx_destroy(shmem_ctx_t ctx)
{
    const char *where = SHMEMI_WHERE;
    if (ctx == SHMEM_CTX_INVALID)
        return;
    if (ctx == SHMEM_CTX_DEFAULT)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: SHMEM_CTX_DEFAULT cannot be destroyed",
                           where);
    destroy(shmemi_ctx(ctx, where));
}
SHMEMI_ALIAS(shmem_ctx_destroy);

int pshmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t *team)
{
    const char *where = SHMEMI_WHERE;
    shmemi_not_null(team, "team", where);
    *team = SHMEM_TEAM_INVALID;
    if (ctx == SHMEM_CTX_INVALID)
        return -1;
    struct shmemi_team *t = shmemi_ctx(ctx, where)->team;
    *team = t == &shmemi.world ? SHMEM_TEAM_WORLD : t == &shmemi.shared ? SHMEM_TEAM_SHARED : &t->handle;
    return 0;
}
SHMEMI_ALIAS(shmem_ctx_get_team);

/* A session tells of many operations to come; ours need no preparation. On an
 * invalid context there is none. */
void pshmem_ctx_session_start(shmem_ctx_t ctx, long options, const shmem_ctx_session_config_t *config, long config_mask)
{
    const char *where = SHMEMI_WHERE;
    if (ctx == SHMEM_CTX_INVALID)
        return;
    struct shmemi_ctx *c = shmemi_ctx(ctx, where);
    if (options & ~SHMEM_CTX_SESSION_BATCH)
        shmemi_bad_value(options, "options", "0 or SHMEM_CTX_SESSION_BATCH", where);
    if (config_mask & ~SHMEM_CTX_SESSION_TOTAL_OPS)
        shmemi_bad_value(config_mask, "config_mask", "0 or SHMEM_CTX_SESSION_TOTAL_OPS", where);
    if (config_mask)
        shmemi_not_null(config, "config", where);
    c->in_session = true;
}
SHMEMI_ALIAS(shmem_ctx_session_start);

void pshmem_ctx_session_stop(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    shmemi_ctx(ctx, SHMEMI_WHERE)->in_session = false;
}
SHMEMI_ALIAS(shmem_ctx_session_stop);
