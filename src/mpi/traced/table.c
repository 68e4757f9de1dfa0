/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The table through which the libraries with MPI's names call the bodies is constant. When the recorder is on, the
 * entries of calls that are recorded are exchanged for their twins, once, at the start of MPI.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "mpi/traced/traced.h"

void mpii_traced_start(void)
{
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), at = (uintptr_t)&mpt_mpi_table, lo = at & ~(page - 1),
                    hi = (at + sizeof mpt_mpi_table + page - 1) & ~(page - 1);
    struct mpii_table *table = (struct mpii_table *)at, *bodies;

    if (!core_trace_on() || mpii_state.trace.bodies)
        return;
    bodies = malloc(sizeof *bodies);
    if (!bodies) {
        core_error("MPT_TRACE: calls of MPI are not recorded: no memory");
        return;
    }
    *bodies = mpt_mpi_table;
    mpii_state.trace.bodies = bodies;
    if (mprotect((void *)lo, hi - lo, PROT_READ | PROT_WRITE) != 0) {
        core_error("MPT_TRACE: calls of MPI are not recorded: %s", strerror(errno));
        return;
    }
    mpii_traced_fill(table);
    mprotect((void *)lo, hi - lo, PROT_READ);
}

/* ------------------------------------------------------------------- twins -- */

void mpii_traced_begin(struct core_trace_record *t, const char *name, const void *from, enum mpii_trace_direct direct)
{
    t->kind = CORE_TRACE_NONE;
    if (MPT_UNLIKELY(!core_trace_on())) /* in a child of the program */
        return;
    core_trace_begin(t, name, from);
    if (t->kind != CORE_TRACE_NONE)
        mpii_trace_call(t, direct);
}

int mpii_traced_end(struct core_trace_record *t, int result, bool in_vain)
{
    if (MPT_UNLIKELY(!core_trace_on()))
        return result;
    if (t->kind != CORE_TRACE_NONE) {
        mpii_trace_call(NULL, MPII_TRACE_NOTHING);
        t->result = (uint16_t)result;
    }
    if (in_vain)
        core_trace_end_in_vain(t);
    else
        core_trace_end(t);
    return result;
}
