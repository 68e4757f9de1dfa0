/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is said when an argument is wrong: call, argument, value and what would
 * have been right; core adds the PE. Then the job ends.
 */
#include "shmem/check.h"

#include <string.h>

#include "core/base/site.h"

void shmemi_not_ready(const char *where)
{
    core_finding_fatal(CORE_FINDING_CALL_STATE, "OpenSHMEM 1.6, 9.1",
                       "%s: called before shmem_init or after shmem_finalize", where);
}

void shmemi_bad_pe(int pe, int n, const char *of, const char *arg, const char *where)
{
    if (n == 1)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%d: this %s has PE 0 only", where, arg,
                           pe, of);
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%d: this %s has PEs 0 to %d", where, arg, pe,
                       of, n - 1);
}

/* A private context is its thread's. */
static void check_thread(const struct shmemi_ctx *c, const char *where)
{
    if ((c->options & SHMEM_CTX_PRIVATE) && !pthread_equal(c->creator, pthread_self()))
        core_finding_of_call(CORE_FINDING_THREAD, "OpenSHMEM 1.6, 9.5",
                             "%s: ctx was created with SHMEM_CTX_PRIVATE by another thread", where);
}

int shmemi_pe_slow(shmem_ctx_t ctx, int pe, const char *where)
{
    const struct shmemi_ctx *c = shmemi_ctx(ctx, where);
    const struct coll_team *t = c->team->coll;
    if (shmemi.checks)
        check_thread(c, where);
    if ((unsigned)pe >= (unsigned)t->size)
        shmemi_bad_pe(pe, t->size, shmemi_is_world(t) ? "job" : "context's team", "pe", where);
    return coll_team_pe(t, pe);
}

void shmemi_found_at(const void *p, size_t n, const char *arg, const char *where)
{
    if (!shmemi_block_is_last(p, n))
        shmemi_block_used(p, n, arg, where);
    if (MPT_LIKELY(!shmemi_pending_any()))
        return;
    /* What is read may say that puts are complete. */
    if (arg[0] != 'd' || strstr(where, "fetch") || strstr(where, "swap"))
        shmemi_pending_forget();
}

void shmemi_bad_address(const void *p, size_t n, const char *arg, const char *where)
{
    shmemi_ready(where);
    uintptr_t heap = mpt_fast.heap_lo, data = mpt_fast.data_lo;
    const char *lies =
        core_segment_holds(p, 1) ? "it begins in symmetric memory but reaches beyond" : "it lies neither in";
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                       "%s: %s=%p (%zu bytes) is not a symmetric address: %s the symmetric heap [%#lx, %#lx) %s the "
                       "program's global variables [%#lx, %#lx)",
                       where, arg, p, n, lies, (unsigned long)heap, (unsigned long)(heap + mpt_fast.heap_len),
                       core_segment_holds(p, 1) ? "or" : "nor in", (unsigned long)data,
                       (unsigned long)(data + mpt_fast.data_len));
}

void shmemi_bad_alignment(const void *p, size_t n, const char *arg, const char *where)
{
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%p is not aligned to its %zu bytes", where,
                       arg, p, n);
}

void shmemi_bad_null(const char *arg, const char *where)
{
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=NULL: an address is needed here", where, arg);
}

void shmemi_guard(const void *p, size_t n, const char *arg, const char *where)
{
    const char *bad = core_guard_bad(p, n);

    if (!bad)
        return;
    core_guard_describe(bad);
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                       "%s: %s=%p has %zu bytes of memory, but the call needs %zu", where, arg, p,
                       (size_t)(bad - (const char *)p), n);
}

void shmemi_look_at(const void *p, size_t n, const char *arg, const char *where)
{
    if (shmemi.checks)
        shmemi_found_at(p, n, arg, where);
    if (shmemi.guards)
        shmemi_guard(p, n, arg, where);
}

void shmemi_bad_size(size_t n, size_t size, const char *where)
{
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where),
                       "%s: %zu elements of %zu bytes are more than an address space holds", where, n, size);
}

void shmemi_bad_value(long value, const char *arg, const char *expected, const char *where)
{
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%ld: expected %s", where, arg, value,
                       expected);
}

/* Ends the job if the handle was a good one: structs of destroyed teams and contexts are kept. */
static void find_gone(uintptr_t gone, const char *arg, const char *where)
{
    struct core_finding f;

    core_finding_begin(&f, CORE_FINDING_FREED, shmemi_rule(where), "%s: %s was destroyed before", where, arg);
    core_finding_at(&f, mpt_fast.me, core_site(), "%s", where);
    core_finding_at(&f, mpt_fast.me, gone, "it was destroyed");
    core_finding_end(&f);
    core_finding_stop();
}

void shmemi_bad_handle(const void *handle, const char *arg, const char *where)
{
    bool team = arg[0] == 't';

    if (!handle)
        core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s is SHMEM_%s_INVALID", where, arg,
                           team ? "TEAM" : "CTX");
    if (shmemi.checks && team && ((shmem_team_t)handle)->state)
        find_gone(((shmem_team_t)handle)->state->gone, arg, where);
    if (shmemi.checks && !team && ((shmem_ctx_t)handle)->state)
        find_gone(((shmem_ctx_t)handle)->state->gone, arg, where);
    core_finding_fatal(CORE_FINDING_ARGUMENT, shmemi_rule(where), "%s: %s=%p is no valid handle (destroyed already?)",
                       where, arg, handle);
}
