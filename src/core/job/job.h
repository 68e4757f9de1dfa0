/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The job: how a PE gets into it and out of it, who is in it, who has left.
 *
 * Starts are counted: every face (and every shmem_init) may start the job, the
 * last finish ends it. Memory stays mapped until the process exits, so a peer
 * that is slower may still read it, and a new start may follow.
 */
#ifndef CORE_JOB_H
#define CORE_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpt/fast.h"

/* Join the job the launcher made, or start one: of $NPES PEs, else of
 * `npes_hint` PEs (0: one). With more than one PE and no launcher, this process
 * forks the PEs, supervises them and never returns; the PEs return from here.
 * Collective; when it returns every PE's memory may be accessed. On error a
 * message has been printed. */
int core_job_start(int npes_hint);

/* Was this process started as a PE, or with NPES? Then core_job_start makes it one. */
bool core_job_launched(void);

/* What a process finds in its environment that is to enter an open job (open.h):
 * "<version>:<descriptor>:<slot>". */
extern const char core_job_env_open[];
bool core_job_env_read(const char *text, int *fd, int *slot);
void core_job_env_write(char *text /* "NAME=..." */, size_t n, int fd, int slot);

/* Leave the job. Collective on the last call: returns when all PEs have
 * finished and all their stores are done. */
void core_job_finish(void);

/* The same for this process only, whenever it likes: messages wait for others until they
 * start, but their symmetric memory may be accessed after core_job_start only. Both kinds
 * are counted and may mix. With a network, or PMIx, a process's first start of either kind
 * waits for all others'; with a network, one that finished alone serves the others at its exit. */
int core_job_start_alone(void);
void core_job_finish_alone(void);

/* How many more collective starts than finishes; and is there a start of either kind? */
int core_job_depth(void);
bool core_job_running(void);
/* This process ends, and will wait for all others: should they wait, too, all is in vain. */
void core_job_tell_leaving(void);

/* End the job now, all PEs, with this exit status. Any PE, any thread. */
void core_job_abort(int status) __attribute__((noreturn));

/* To be called before the message when all PEs of a node notice the same: returns in the first; the others end with it,
 * silently. */
void core_job_be_first(void);

/* All PEs arrive before one leaves; orders memory. For start, finish and tests; programs' barriers are coll's. */
/* Where: the program's call, for reports. */
void core_job_barrier(const char *where);
void core_job_barrier_while(void (*step)(void), const char *where); /* step: now and then until all have arrived */

static inline int core_me(void)
{
    return mpt_fast.me;
}
static inline int core_size(void)
{
    return mpt_fast.npes;
}

/* PEs whose memory this PE loads and stores: those of its node, or only itself
 * when MPT_TRANSPORT=ofi. Their PE numbers need not follow one another; the
 * i-th of them, in rising order, is core_node_pe(i). */
unsigned core_node_size(void);
int core_node_pe(unsigned i);
bool core_on_node_slow(int pe);
static inline bool core_on_node(int pe)
{
    return MPT_LIKELY(mpt_idx(pe) < mpt_fast.node_n) || core_on_node_slow(pe);
}

/* Lowest PE of those that share memory with `pe`: equal for all PEs of one node. */
int core_node_of(int pe);

int core_leash_fd(void); /* ends with this job's launcher; -1: nothing does */

/* A number of this job, equal on all its PEs and (but for chance) no other job's. */
uint64_t core_job_id(void);
uint64_t core_job_token(uint64_t of); /* equal on all its PEs; nobody else can guess it */

/* Name of the host PE `pe` runs on. */
const char *core_host(int pe);

unsigned core_cores(void);      /* that the PEs of this node may use */
bool core_oversubscribed(void); /* by more PEs than these */

/* Has anybody / PE `pe` exited without finishing? Once a PE is seen to have left, its last stores are visible. */
bool core_anyone_left(void);
bool core_left_for_good(void); /* and it is some time ago: an exit with an error is the launcher's to report */
bool core_pe_left(int pe);

#endif
