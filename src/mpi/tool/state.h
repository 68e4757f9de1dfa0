/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of tool: see mpi/state.h.
 */
#ifndef MPI_TOOL_STATE_H
#define MPI_TOOL_STATE_H

#include <stdint.h>

struct mpii_cvar_handle;
struct mpii_pvar_session;

/* What happened. Each chapter counts its own, with the lock held; MPI_T offers them as
 * performance variables (tool_pvar.c names them). */
struct mpii_counters {
    uint64_t sends, send_bytes; /* messages, those of collectives too; packed bytes */
    uint64_t receives, receive_bytes; /* matched ones */
    uint64_t unexpected; /* messages that no receive was waiting for */
    uint64_t rndv; /* messages fetched from the sender's memory */
    uint64_t waits; /* for requests that were not done yet */
    uint64_t collectives; /* made: blocking and nonblocking calls, and persistent ones once */
    uint64_t accesses, access_bytes; /* one-sided, of this process */
    uint64_t errors; /* raised */
};

struct mpii_tool_state {
    int starts; /* of the tool interface, not finished */
    struct mpii_cvar_handle *cvar_handles;
    struct mpii_pvar_session *pvar_sessions;
};

#endif
