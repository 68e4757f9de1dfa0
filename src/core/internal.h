/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What core's own files share and no other layer may see.
 */
#ifndef CORE_INTERNAL_H
#define CORE_INTERNAL_H

#include <pthread.h>

#include "core/core.h"
#include "core/job/backend.h"
#include "core/mem/wire.h"
#include "core/state.h"

static struct core_segment *const core_seg = &core_state.mem.segment;

static inline struct core_ctrl *core_ctrl_of(unsigned slice)
{
    return core_wire_ctrl(core_seg->base, core_seg->header, slice);
}

/* What inline calls may reach: nothing where each call must come to the library, or accesses are checked or recorded.
 */
static inline unsigned core_reach_n(void)
{
    return core_state.rma.later || core_state.wait.fence || core_params.check || core_state.trace.on || core_guard_on()
               ? 0
               : core_seg->run_n;
}

/* The board of tasks of the process whose first PE has this slice. */
static inline struct core_task_board *core_board_of(unsigned slice)
{
    return core_wire_board(core_seg->slices - CORE_HEADER_SIZE, core_seg->header, slice);
}

/* Slice of a PE whose control page this process can see (that is: of its node,
 * whatever the transport), or UINT_MAX; and the PE of a slice. */
unsigned core_slice_of(int pe);
static inline int core_slice_pe(unsigned slice)
{
    return core_seg->pes ? core_seg->pes[slice] : (int)slice;
}

/* Wake the PE of a slice, if it sleeps; the doorbell takes `sleeping` down first. */
void core_ring_bell(unsigned slice);
static inline void core_wake_slice(unsigned slice)
{
    if (MPT_UNLIKELY(core_sleeps(&core_ctrl_of(slice)->bell)))
        core_ring_bell(slice);
}
static inline void core_wake_node(void)
{
    for (unsigned i = 0; i < core_seg->header->used; i++)
        core_wake_slice(i);
}

/* The next one that wakes this PE rings, though nobody sleeps. */
void core_ring_bell_next(void);

/* Wake the other threads of this PE that sleep. */
void core_wake_threads(void);

/* How many PEs (slices) the memory in `fd` is for. 0, or a negative errno after a message. */
int core_segment_size(int fd, unsigned *nslices);

/* Map a job whole, for all PEs of this process (core/task). NULL after a message. */
char *core_segment_map_whole(int fd, const struct core_header *h, unsigned first);

/* Map the node's memory and fill mpt_fast (all but node_n, which job.c sets when
 * calls may go through): attach, then stand at slice `idx` as PE `me`. In an open job
 * (open.c) a process may come to stand elsewhere later. */
int core_segment_map(const struct core_location *location);
int core_segment_attach(const struct core_location *location);
int core_segment_stand(unsigned idx, int me);

/* Move the executable's .data/.bss into this PE's slice (globals.c). */
int core_globals_share(void);

/* Where this PE's slice holds the n bytes at p (symmetric, or an address in the slice
 * itself); NULL: outside. */
char *core_own_address(const void *p, size_t n);

/* arena.c: manage [base, base + n), or nothing. 0 or -ENOMEM. */
int core_arena_init(void *base, size_t n);
/* For malloc.c. NULL or false also while another call is under way: the bookkeeping itself calls malloc. */
void *core_arena_try(size_t n, size_t align);
bool core_arena_resize(void *p, size_t n);     /* where it lies */
void core_arena_drop(void *p);                 /* as core_arena_free, but its pages stay as they are */
bool core_arena_clear(void *p, size_t n); /* the whole pages inside go back to the system; true: they read as zero */
void core_arena_freeze(void **base, size_t *high); /* nobody allocates until thawed; all blocks end below base + high */
void core_arena_thaw(void);
/* globals.c: the n shared bytes at lo, at `offset` of the memfd, become private with what they hold now. 0 or -errno.
 */
int core_unshare(uintptr_t lo, size_t n, off_t offset);

/* Start of the channel area in the slice of `receiver` (a PE of this node). */
void *core_chan_area(int receiver);

void core_wait_init(void);
bool core_wait_slept(const struct core_waiter *w); /* in the last pause */
void core_wait_retune(void); /* the number of processes changed, perhaps */
void core_wait_measure(void); /* from now on: how long this thread has waited, in waits that were not over at once */
uint64_t core_waited_ns(void);

void core_ask_for_short_time_slice(void); /* job.c: of the scheduler, for this process */

/* channel.c, in open jobs: know the peers that came since; this process now stands in
 * another slot, where nothing has been sent or received. 0 or -ENOMEM. */
void core_channel_grow(void);
int core_channel_restart(void);
void core_slot_set_gone(struct core_ctrl *c, enum core_pe_state how); /* slots.c: its process, by any that finds out */
/* Changes with each message that goes or comes by the rings of this node. */
uint64_t core_channel_traffic(void);
/* As core_channel_restart, of pipes (poll.c). */
void core_poll_restart(void);

void core_cma_forget(int pe); /* cma.c: another process */
unsigned core_process_threads(void); /* of this process; 0: not known */

/* vain.c, where no supervisor looks whether all PEs wait in vain. On one node each PE in a wait, now and then. */
void core_vain_look(const char *where);

bool core_pe_finished(int pe); /* left by core_job_finish; known of this node's PEs only */
bool core_pe_ended(int pe); /* and its process is no more, or in exit */

/* Forked PEs and their supervisor (singleton.c): returns the PE number in the
 * children, never in the parent; negative errno when it fails. */
int core_singleton_start(int npes, int *fd);

/* look.c: from now on core_acted is told of what this PE does, inline accesses included, or no longer; then it is known
 * to wait in no loop. */
void core_acts_watch(void);
void core_acts_unwatch(void);

/* poller.c: what core_test_failed says now and then, `where` of the last test. */
void core_poller_look(const char *where);

/* Ends the job when a PE asked for that, or when nobody is left who could end
 * this PE's wait. Called by waits now and then. */
void core_job_check(const char *where);
void core_job_check_loop(const char *where); /* of calls that wait for nothing, or nobody knows */

/* end.c: is this PE the first of its node that ends the job? It says how and why, then. */
bool core_end_claim(struct core_header *h);

/* In the waits of a barrier of all PEs: what its caller wants done meanwhile. */
void core_job_barrier_step(void);

/* In a barrier of all PEs: one that left will never come; nor one that has finished and ended. */
void core_job_look_for_left(const struct core_waiter *w);
void core_job_look_for_ended(const struct core_waiter *w);

/* ---------------------------------------------------------------- network -- */

/* Cards exchanged, transport open and connected: net.c. Nothing to do when all
 * PEs share memory. */
int core_net_start(const struct core_location *location);
void core_net_stop(void); /* at the last finish, after the barrier */

/* The PEs of other nodes by a thin TCP connection each way, to the next and the one before, by
 * which one learns that a process or host is gone: detector.c. Prepare fills the
 * card's life part. */
int core_detector_prepare(struct core_card *own);
int core_detector_start(void); /* also when a program starts again */
void core_detector_say_end(int status, const char *why); /* this PE ends the job: tell the others */
void core_detector_say_left(void); /* exits without finishing */
void core_detector_say_leaving(void); /* exits, and waits for the others */
void core_detector_stop(void); /* finished in order */
bool core_detector_left(int pe); /* a PE of another node said that it left */
uint32_t core_detector_left_count(void);
bool core_detector_someone_leaves(void); /* the same, or waits for the others in exit */

/* Sleeping on bell and network together: poll.c. Sleep until the network has
 * something, `rung` is no longer the bell's count, or ns nanoseconds are over. */
enum core_slept {
    CORE_SLEPT_NOT, /* another thread of this PE is at it: sleep on the futex */
    CORE_SLEPT, /* something happened */
    CORE_SLEPT_OUT /* nothing, the time is over */
};
int core_poll_start(void);
enum core_slept core_poll_sleep(uint32_t rung, uint64_t ns);
void core_poll_ring(unsigned slice); /* after its bell's count was raised */

#endif
