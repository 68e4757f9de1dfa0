/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What programs built with -fcheck ask before an access.
 */
#include "splitc/splitci.h"

void *sc_check_local(struct sc_global g, const char *file, int line)
{
    if (g.addr && g.proc != core_me())
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE, "%s:%d: PE %d: tolocal() of a pointer to processor %d",
                           file, line, core_me(), g.proc);
    return g.addr;
}

enum { NO_OBJECT = 1 << 16 };

long sc_check_index(long i, long n, const char *array, const char *file, int line)
{
    if (i < 0 || i >= n)
        core_finding_fatal(CORE_FINDING_ARGUMENT, SPLITCI_RULE, "%s:%d: PE %d: index %ld of %s, which has %ld elements",
                           file, line, core_me(), i, array, n);
    return i;
}

/* Global memory is the heap, the arena and the globals of a PE: what is far outside all of them is no object. Where the
 * arena has neither blocks nor stack, their places are not known; the first page is never one. */
struct sc_global sc_check_global(struct sc_global g, size_t n, const char *file, int line)
{
    uintptr_t a = (uintptr_t)g.addr;

    splitci_near(g, "an access", file, line);
    if (g.proc != core_me() && !core_segment_holds(g.addr, n) && a - sc_job.slice_lo >= sc_job.slice_len &&
        !splitci_constant(g.addr) && (mpt_malloc.n || a < NO_OBJECT))
        core_finding_fatal(
            CORE_FINDING_ARGUMENT, SPLITCI_RULE,
            "%s:%d: PE %d: an access through a global pointer to address %p of processor %d, which is not in "
            "memory that "
            "processors share",
            file, line, core_me(), g.addr, g.proc);
    return g;
}
