/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of trace: see mpi/state.h.
 */
#ifndef MPI_TRACE_STATE_H
#define MPI_TRACE_STATE_H

#include <stdint.h>

struct core_trace_record;
struct mpii_table;

struct mpii_trace_state {
    struct mpii_table *bodies; /* of the calls that have twins (traced/table.c); NULL: none has */
    uint64_t *sent, *received; /* messages to and from each process of the job; NULL: nothing is recorded */
};

struct mpii_trace_thread {
    struct core_trace_record *call; /* under way */
    uint8_t direct;                 /* enum mpii_trace_direct */
};

#endif
