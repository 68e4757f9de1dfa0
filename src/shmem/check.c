/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is said when an argument is wrong: call, argument, value and what would
 * have been right; core adds the PE. Then the job ends.
 */
#include "shmem/check.h"

void shmemi_not_ready(const char *where)
{
    core_fatal("%s: called before shmem_init or after shmem_finalize", where);
}

void shmemi_bad_pe(int pe, int n, const char *of, const char *arg, const char *where)
{
    if (n == 1)
        core_fatal("%s: %s=%d: this %s has PE 0 only", where, arg, pe, of);
    core_fatal("%s: %s=%d: this %s has PEs 0 to %d", where, arg, pe, of, n - 1);
}

int shmemi_pe_slow(shmem_ctx_t ctx, int pe, const char *where)
{
    const struct coll_team *t = shmemi_ctx(ctx, where)->team->coll;
    if ((unsigned)pe >= (unsigned)t->size)
        shmemi_bad_pe(pe, t->size, shmemi_is_world(t) ? "job" : "context's team", "pe", where);
    return coll_team_pe(t, pe);
}

void shmemi_bad_address(const void *p, size_t n, const char *arg, const char *where)
{
    shmemi_ready(where);
    uintptr_t heap = mpt_fast.heap_lo, data = mpt_fast.data_lo;
    const char *lies =
        core_segment_holds(p, 1) ? "it begins in symmetric memory but reaches beyond" : "it lies neither in";
    core_fatal("%s: %s=%p (%zu bytes) is not a symmetric address: %s the symmetric heap [%#lx, %#lx) %s the "
               "program's global variables [%#lx, %#lx)",
               where, arg, p, n, lies, (unsigned long)heap, (unsigned long)(heap + mpt_fast.heap_len),
               core_segment_holds(p, 1) ? "or" : "nor in", (unsigned long)data,
               (unsigned long)(data + mpt_fast.data_len));
}

void shmemi_bad_null(const char *arg, const char *where)
{
    core_fatal("%s: %s=NULL: an address is needed here", where, arg);
}

void shmemi_bad_size(size_t n, size_t size, const char *where)
{
    core_fatal("%s: %zu elements of %zu bytes are more than an address space holds", where, n, size);
}

void shmemi_bad_value(long value, const char *arg, const char *expected, const char *where)
{
    core_fatal("%s: %s=%ld: expected %s", where, arg, value, expected);
}

void shmemi_bad_handle(const void *handle, const char *arg, const char *where)
{
    if (!handle)
        core_fatal("%s: %s is SHMEM_%s_INVALID", where, arg, arg[0] == 't' ? "TEAM" : "CTX");
    core_fatal("%s: %s=%p is no valid handle (destroyed already?)", where, arg, handle);
}
