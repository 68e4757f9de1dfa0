/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory ordering (1.6, 9.12), of one context's operations each. Stores of one
 * PE to its node reach memory in order on x86-64; what fences are needed, and
 * why, is with core_fence and core_quiet. A context that is invalid has nothing
 * to order. Programs that look at memory themselves call these in their loops.
 */
#include "shmem/check.h"

void pshmem_fence(void)
{
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    t.role = CORE_TRACE_SYNC;
    shmemi_ready(where);
    core_fence(CORE_FLOW_DEFAULT);
    shmemi_race_fence(CORE_FLOW_DEFAULT);
    core_looked();
}
SHMEMI_ALIAS(shmem_fence);

static void quiet(struct core_flow *flow, const char *where)
{
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_complete(flow, where);
    core_quiet(flow);
}

void pshmem_quiet(void)
{
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    t.role = CORE_TRACE_SYNC;
    shmemi_ready(where);
    quiet(CORE_FLOW_DEFAULT, where);
    shmemi_race_quiet(CORE_FLOW_DEFAULT);
    core_looked();
}
SHMEMI_ALIAS(shmem_quiet);

void pshmem_ctx_fence(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    t.role = CORE_TRACE_SYNC;
    struct core_flow *flow = shmemi_ctx(ctx, where)->flow;
    core_fence(flow);
    shmemi_race_fence(flow);
    core_looked();
}
SHMEMI_ALIAS(shmem_ctx_fence);

void pshmem_ctx_quiet(shmem_ctx_t ctx)
{
    if (ctx == SHMEM_CTX_INVALID)
        return;
    const char *where = SHMEMI_WHERE;
    SHMEMI_TRACE(t, where);
    t.role = CORE_TRACE_SYNC;
    struct core_flow *flow = shmemi_ctx(ctx, where)->flow;
    quiet(flow, where);
    shmemi_race_quiet(flow);
    core_looked();
}
SHMEMI_ALIAS(shmem_ctx_quiet);

static void pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes, const char *where)
{
    SHMEMI_TRACE(t, where);
    t.role = CORE_TRACE_SYNC;
    const struct shmemi_ctx *c = shmemi_ctx(ctx, where);
    int n = c->team->coll->size;
    if (npes == 0)
        return;
    shmemi_not_null(target_pes, "target_pes", where);
    for (size_t i = 0; i < npes; i++)
        if ((unsigned)target_pes[i] >= (unsigned)n)
            shmemi_bad_pe(target_pes[i], n, "context's team", "target_pes[]", where);
    for (size_t i = 0; core_race_on() && i < npes; i++)
        core_race_quiet_at(c->flow, coll_team_pe(c->team->coll, target_pes[i]));
    quiet(c->flow, where); /* complete at more PEs than these is complete at these */
    core_looked();
}

void pshmem_ctx_pe_quiet(shmem_ctx_t ctx, const int *target_pes, size_t npes)
{
    if (ctx != SHMEM_CTX_INVALID)
        pe_quiet(ctx, target_pes, npes, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_ctx_pe_quiet);

void pshmem_pe_quiet(const int *target_pes, size_t npes)
{
    pe_quiet(SHMEM_CTX_DEFAULT, target_pes, npes, SHMEMI_WHERE);
}
SHMEMI_ALIAS(shmem_pe_quiet);
