/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: standard sends that only the library's buffers let end (MPI-5.0, 3.5). See ahead.c.
 */
#ifndef MPI_AHEAD_H
#define MPI_AHEAD_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi.h"

struct mpii_p2p_message;
struct mpii_p2p_mail;
struct mpii_p2p_recv;
struct mpii_request;

/* After the channels are open; does nothing without MPT_CHECK, or where not all processes share memory. */
void mpii_ahead_init(void);
/* The program's next message to its process; blocks: its call may not return before the receive has begun. */
void mpii_ahead_sends(const struct mpii_p2p_message *m, bool blocks);
/* A receive begins: its place in the order of this process's calls, 0: none. */
uint32_t mpii_ahead_posts(void);
/* A message of the program's has come: its number among those of its process, 0: none. */
uint32_t mpii_ahead_comes(int from);
/* The program has request r of the MPI_Isend (or the persistent send) that was begun last; waits for several of its
 * requests. */
void mpii_ahead_isends(const struct mpii_p2p_message *m, const struct mpii_request *r);
void mpii_ahead_waits(int count, const MPI_Request requests[]);

/* A collective in which all members have said at which of their events they came to it. A nonblocking one blocks where
 * the program waits for its request; it was begun at the event that mpii_ahead_begins gives. */
struct mpii_ahead_meeting {
    const void *request; /* NULL: it is blocking */
    const char *call;
    uintptr_t site;
    uint32_t event; /* own, by mpii_ahead_posts; 0: none */
    int n;
    const int *procs;
    const uint32_t *events;
};
void mpii_ahead_met(const struct mpii_ahead_meeting *m);
uint32_t mpii_ahead_begins(const void *request);
/* It meets a receive. */
void mpii_ahead_meets(const struct mpii_p2p_mail *m, const struct mpii_p2p_recv *v);

#endif
