/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The checks of arguments, always on: each is a predictable branch, the message
 * is made out of line (check.c). `where` is the call the user wrote.
 */
#ifndef SHMEM_CHECK_H
#define SHMEM_CHECK_H

#include "core/check/fatal.h"
#include "shmem/found.h"
#include "shmem/race.h"
#include "shmem/trace.h"
#include "shmem/shmemi.h"

/* The section of the standard that has the call, for findings (rule.c). */
const char *shmemi_rule(const char *where) __attribute__((cold));

void shmemi_not_ready(const char *where) __attribute__((cold));
int shmemi_pe_slow(shmem_ctx_t ctx, int pe, const char *where) __attribute__((cold));
void shmemi_bad_pe(int pe, int n, const char *of, const char *arg, const char *where) __attribute__((cold, noreturn));
void shmemi_bad_address(const void *p, size_t n, const char *arg, const char *where) __attribute__((cold, noreturn));
void shmemi_bad_alignment(const void *p, size_t n, const char *arg, const char *where) __attribute__((cold, noreturn));
void shmemi_bad_null(const char *arg, const char *where) __attribute__((cold, noreturn));
/* An object that is symmetric: is it a block in use (found.h), and all of it? */
void shmemi_look_at(const void *p, size_t n, const char *arg, const char *where);
/* With valgrind or AddressSanitizer: is all of it memory of the program? */
void shmemi_guard(const void *p, size_t n, const char *arg, const char *where) __attribute__((cold));
void shmemi_bad_size(size_t n, size_t size, const char *where) __attribute__((cold, noreturn));
void shmemi_bad_value(long value, const char *arg, const char *expected, const char *where)
    __attribute__((cold, noreturn));
void shmemi_bad_handle(const void *handle, const char *arg, const char *where) __attribute__((cold, noreturn));

/* The job runs. */
static inline void shmemi_ready(const char *where)
{
    if (MPT_UNLIKELY(mpt_fast.node_n == 0))
        shmemi_not_ready(where);
}

/* The n bytes at `at`, which lie in PE pe's memory as seen by this process, were
 * changed: wake the PE if it waits for that. */
static inline void shmemi_changed(const void *at, size_t n, int pe)
{
    core_changed(pe, at, n);
}

/* The program read PE pe's object, perhaps in a loop. */
static inline void shmemi_looked(const void *object, int pe)
{
    if (core_looks())
        mpt_looked((uintptr_t)object, pe);
}

/* What ctx, whose handle has been checked, has under way. */
static inline struct core_flow *shmemi_flow(shmem_ctx_t ctx)
{
    return MPT_LIKELY(ctx == SHMEM_CTX_DEFAULT) ? CORE_FLOW_DEFAULT : ctx->state->flow;
}

/* Before a barrier, which is itself an ordering of this node's memory: complete
 * what the default context has under way on the network. */
static inline void shmemi_complete(const char *where)
{
    if (MPT_UNLIKELY(shmemi.checks))
        shmemi_pending_complete(CORE_FLOW_DEFAULT, where);
    if (MPT_UNLIKELY(core_completes_later()))
        core_quiet(CORE_FLOW_DEFAULT);
}

/* Number in the job of PE `pe` of ctx. */
static inline int shmemi_pe(shmem_ctx_t ctx, int pe, const char *where)
{
    shmemi_ready(where);
    core_polled();
    if (MPT_LIKELY(ctx == SHMEM_CTX_DEFAULT) && MPT_LIKELY((unsigned)pe < (unsigned)mpt_fast.npes))
        return pe;
    return shmemi_pe_slow(ctx, pe, where);
}

static inline size_t shmemi_bytes(size_t n, size_t size, const char *where)
{
    size_t bytes;
    if (MPT_UNLIKELY(__builtin_mul_overflow(n, size, &bytes)))
        shmemi_bad_size(n, size, where);
    return bytes;
}

static inline void shmemi_symmetric(const void *p, size_t n, const char *arg, const char *where)
{
    if (MPT_UNLIKELY(!core_segment_holds(p, n)))
        shmemi_bad_address(p, n, arg, where);
    if (MPT_UNLIKELY(shmemi.looks))
        shmemi_look_at(p, n, arg, where);
}

/* The n bytes at p of the program's own memory. */
static inline void shmemi_local(const void *p, size_t n, const char *arg, const char *where)
{
    if (MPT_UNLIKELY(!p))
        shmemi_bad_null(arg, where);
    if (MPT_UNLIKELY(shmemi.guards))
        shmemi_guard(p, n, arg, where);
}

static inline void shmemi_not_null(const void *p, const char *arg, const char *where)
{
    if (MPT_UNLIKELY(!p))
        shmemi_bad_null(arg, where);
}

static inline void shmemi_cmp(int cmp, const char *where)
{
    if (MPT_UNLIKELY((unsigned)cmp > SHMEM_CMP_LE))
        shmemi_bad_value(cmp, "cmp", "one of SHMEM_CMP_EQ, NE, GT, GE, LT, LE", where);
}

static inline struct shmemi_team *shmemi_team(shmem_team_t team, const char *where)
{
    shmemi_ready(where);
    if (MPT_UNLIKELY(!team) || MPT_UNLIKELY(!team->state) || MPT_UNLIKELY(team->state->magic != SHMEMI_TEAM_LIVE))
        shmemi_bad_handle(team, "team", where);
    return team->state;
}

static inline struct shmemi_ctx *shmemi_ctx(shmem_ctx_t ctx, const char *where)
{
    shmemi_ready(where);
    if (MPT_UNLIKELY(!ctx) || MPT_UNLIKELY(!ctx->state) || MPT_UNLIKELY(ctx->state->magic != SHMEMI_CTX_LIVE))
        shmemi_bad_handle(ctx, "ctx", where);
    return ctx->state;
}

#endif
