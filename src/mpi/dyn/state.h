/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of dyn: see mpi/state.h.
 */
#ifndef MPI_DYN_STATE_H
#define MPI_DYN_STATE_H

#include <mpi.h>
#include <stdbool.h>
#include <stdint.h>

#include "mpi/rt/state.h"

struct core_mail;
struct mpii_bridge_in;
struct mpii_bridge_body;
struct mpii_dyn_answered;
struct mpii_dyn_peer;
struct mpii_dyn_port;
struct mpii_dyn_published;
struct mpii_dyn_waiting;

/* Where a process of any job is. Plain data: it travels. `call` is the name of
 * a process's Unix socket, which all of its job can compute; processes of other
 * hosts need the TCP part. */
struct mpii_dyn_address {
    uint64_t job;    /* core_job_id() */
    uint64_t host;   /* equal where Unix sockets connect */
    uint64_t secret; /* who comes by TCP must know it */
    uint64_t call;   /* core_job_token() of the PE */
    int32_t pe;
    uint32_t ip;     /* network order; 0: not to be reached by TCP */
    uint16_t port;   /* network order */
    uint16_t pad[3];
};

/* Rendezvous bodies of this process that are out (bridge_p2p.c). */
struct mpii_bridge_bodies {
    struct mpii_bridge_body *at; /* by token - 1 */
    uint32_t n, free; /* free: token of a free one; 0: none */
};

/* Streams between jobs (bridge.c, bridge_read.c). */
struct mpii_bridges {
    int epoll_fd, unix_fd, tcp_fd; /* -1: not open */
    unsigned retrying;
    struct mpii_hook hook;
    uint64_t looked; /* when the sockets were looked at last */
    struct mpii_bridge_in *streams, *buried; /* reading ends, the latest first; closed ones (bridge_read.c) */
    unsigned strangers; /* among `streams` */
    uint64_t rest_until; /* 0: who knocks is let in */
    bool told;           /* the user, that there are no descriptors */
    struct mpii_bridge_bodies bodies;
    void (*on_rma)(const struct core_mail *mail); /* what comes for MPII_CHANNEL_RMA, with a rendezvous body done with
                                                     on return; NULL: nobody has windows */
};

struct mpii_dyn_state {
    bool open; /* `own` is valid */
    struct mpii_dyn_address own;
    struct mpii_dyn_peer *peers, **peers_last;
    struct mpii_dyn_peer **foreign; /* by number - core_size() */
    int n_foreign;
    struct {
        MPI_Comm comm;    /* MPI_COMM_NULL: nobody has spawned this job */
        uint64_t context; /* to know it again */
    } parent;
    struct mpii_dyn_port *ports;       /* of this process (port.c) ... */
    uint64_t n_ports;                  /* ... so many so far */
    struct mpii_dyn_waiting *offered;  /* to ports of others, not answered yet ... */
    uint64_t n_offered;                /* ... so many so far */
    struct mpii_dyn_answered *answers; /* to offers; whether the other side still waited is not known yet */
    struct mpii_dyn_published *published; /* names of services (port_names.c) */
    struct mpii_bridges bridges;
};

#endif
