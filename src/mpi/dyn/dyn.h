/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Dynamic processes (MPI-5.0, chapter 11): what its files share, in reading
 * order. Jobs stay what they are; processes of different jobs that have come to
 * know each other talk by bridges, one socket each way, opened when first needed.
 *
 *   dyn.c        the addresses of processes, and the numbers they have here
 *   bridge*.c    sockets between processes; messages of point-to-point over them
 *   port.c       ports, and how the roots of two groups meet at one
 *   dyn_meet.c   both groups become an intercommunicator
 *   spawn*.c     starting a job, and being one that was started
 */
#ifndef MPI_DYN_H
#define MPI_DYN_H

#include <limits.h>
#include <stdlib.h>

#include "mpi/comm/comm.h"
#include "mpi/p2p/p2p.h"

/* ---------------------------------------------------------------- dyn.c --
 * Where a process of any job is: struct mpii_dyn_address of state.h. */
struct mpii_dyn_peer; /* a process we have heard of, bridge.h */

/* From the first dynamic call on: listens, has an address. MPI_SUCCESS or MPI_ERR_OTHER. */
int mpii_dyn_open(void);
bool mpii_dyn_is_open(void);
const struct mpii_dyn_address *mpii_dyn_own(void);
/* The address as far as it is known of any process, by its number here, and back (-1: out of memory). */
struct mpii_dyn_address mpii_dyn_address_of(int proc);
int mpii_dyn_number_of(const struct mpii_dyn_address *a);
struct mpii_dyn_peer *mpii_dyn_peer_of(const struct mpii_dyn_address *a); /* NULL: out of memory */
struct mpii_dyn_peer *mpii_dyn_peer_at(int proc);                    /* proc >= core_size() */
struct mpii_dyn_peer *mpii_dyn_peer_next(struct mpii_dyn_peer *after);    /* NULL: the first */
static inline bool mpii_dyn_is_foreign(int proc)
{
    return MPT_UNLIKELY(proc >= core_size());
}
/* Does a communicator that lives have this process as a member? */
bool mpii_dyn_connected(int proc);
/* "process 2 of job 1f3e...", for messages. */
const char *mpii_dyn_name(const struct mpii_dyn_address *a, char *text, size_t n);
enum { DYN_NAME = 64 };

/* --------------------------------------------------------------- port.c --
 * An offer: the root of the side that connects says who its group is; the answer
 * is the same of the side that accepts. Then the first says that it has come: it
 * may have given up meanwhile. */
struct mpii_dyn_group {
    int n;
    struct mpii_dyn_address *all; /* malloc'ed, in rank order */
    uint64_t context;        /* of the intercommunicator; the accepting side makes it */
};
struct mpii_dyn_port;
struct mpii_dyn_port *mpii_dyn_port_new(void); /* NULL: out of memory */
void mpii_dyn_port_name(const struct mpii_dyn_port *p, char text[MPI_MAX_PORT_NAME]);
struct mpii_dyn_port *mpii_dyn_port_here(const char *name); /* NULL: not one of this process that is open */
void mpii_dyn_port_close(struct mpii_dyn_port *p);          /* refuses who still waits */
/* The next who connects: *theirs. `failed` (or NULL) is asked while waiting: it says why to give up. */
int mpii_dyn_port_accept(struct mpii_dyn_port *p, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                         int failed(void *arg), void *arg, const char *call);
/* MPI_ERR_PORT: nobody there, or refused, or (*late) nobody accepts within so many seconds; 0: waits for ever. */
int mpii_dyn_port_connect(const char *name, const struct mpii_dyn_group *own, struct mpii_dyn_group *theirs,
                          double seconds, bool *late, const char *call);
void mpii_dyn_port_on_offer(struct mpii_dyn_peer *from, uint64_t port, uint64_t offer, const void *data, size_t n);
void mpii_dyn_port_on_answer(struct mpii_dyn_peer *from, uint64_t offer, uint64_t context, const void *data, size_t n);
void mpii_dyn_port_on_settled(struct mpii_dyn_peer *from, uint64_t offer, bool come);
void mpii_dyn_port_on_gone(struct mpii_dyn_peer *peer);

/* --------------------------------------------------------- port_names.c -- */
void mpii_dyn_names_step(void); /* who has looked one up is forgotten */
void mpii_dyn_names_finish(void);

/* ----------------------------------------------------------- dyn_meet.c --
 * Collective over c. On its root, `greet` meets the other side: an error class
 * that it has raised, or MPI_SUCCESS and *theirs. Then all make the
 * intercommunicator; NULL: *err, raised. `first`: this side accepts. */
typedef int mpii_dyn_greet(void *arg, struct mpii_comm *c, const struct mpii_dyn_group *own,
                           struct mpii_dyn_group *theirs, const char *call);
struct mpii_comm *mpii_dyn_meet(struct mpii_comm *c, int root, bool first, mpii_dyn_greet *greet, void *arg, int *err,
                                const char *call);

/* -------------------------------------------------------- spawn_start.c -- */
struct mpii_spawn_app {
    int maxprocs;  /* what the call asks for */
    int n;         /* what is started: `soft` may want fewer */
    char *path, *wdir;
    char **argv;   /* with the program's name first */
    char **env;    /* more variables */
    char *tasks;   /* its PEs are tasks: as MPT_TASKS; NULL: not said */
};
/* Starts the launcher; its end of a socket, which tells by an int how the job ended. Or -1, errno. */
int mpii_spawn_start(const struct mpii_spawn_app *apps, int n, const char *port);
/* The launcher's status, -1: it runs, or has sent nothing (*over: it is gone). */
int mpii_spawn_status(int fd, bool *over);
/* -------------------------------------------------------- spawn_info.c --
 * A program of this name in one of the directories, separated by colons (NULL: none). */
bool mpii_spawn_find_on(const char *name, const char *dirs, char path[PATH_MAX]);
/* What info asks for; raises on c. */
int mpii_spawn_app_fill(struct mpii_spawn_app *app, struct mpii_comm *c, const char *command, char *argv[],
                        int maxprocs, MPI_Info info, const char *call);
void mpii_spawn_app_free(struct mpii_spawn_app *app);
#endif
