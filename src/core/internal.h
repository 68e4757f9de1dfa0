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

/* This process's view of its node's memory. A slice is a PE's part of it; slices
 * are in the order of PE numbers. mpt_fast covers a run of slices whose PE
 * numbers follow one another, this PE's among them: on most jobs all of them. */
struct core_segment {
    struct core_header *header;
    char *base;    /* the whole memfd, mapped                       */
    char *slices;  /* slice 0                                       */
    char *own;     /* this PE's slice                               */
    size_t length; /* bytes mapped                                  */
    unsigned idx;  /* own slice                                     */
    unsigned run_first, run_n; /* slices that mpt_fast covers       */
    const int *pes; /* PE of each slice; NULL: slice i is PE i      */
    bool shared;   /* other slices are used (not so with MPT_TRANSPORT=ofi) */
    bool open;     /* an open job (open.c)                          */
    int fd;        /* stays open (not in programs a PE starts): forked children ask it for holes */
    ino_t inode;   /* to know it again */
};
extern struct core_segment core_seg;

static inline struct core_ctrl *core_ctrl_of(unsigned slice)
{
    return core_wire_ctrl(core_seg.base, core_seg.header, slice);
}

/* Slice of a PE whose control page this process can see (that is: of its node,
 * whatever the transport), or UINT_MAX; and the PE of a slice. */
unsigned core_slice_of(int pe);
static inline int core_slice_pe(unsigned slice)
{
    return core_seg.pes ? core_seg.pes[slice] : (int)slice;
}

/* Wake the PE of a slice, if it sleeps; ring takes `sleeping` down first. */
void core_ring_slice(unsigned slice);
static inline void core_wake_slice(unsigned slice)
{
    __asm__ volatile("" : : : "memory"); /* as in mpt_notify */
    if (MPT_UNLIKELY(__atomic_load_n(&core_ctrl_of(slice)->bell.sleeping, __ATOMIC_RELAXED) != MPT_AWAKE))
        core_ring_slice(slice);
}
static inline void core_wake_node(void)
{
    for (unsigned i = 0; i < core_seg.header->used; i++)
        core_wake_slice(i);
}

/* The next one that wakes this PE rings, though nobody sleeps. */
void core_wait_ring_me(void);

/* Wake the other threads of this PE that sleep. */
void core_wake_threads(void);

/* How many PEs (slices) the memory in `fd` is for. 0, or a negative errno after a message. */
int core_segment_size(int fd, unsigned *nslices);

/* Map the node's memory and fill mpt_fast (all but node_n, which job.c sets when
 * calls may go through): attach, then stand at slice `idx` as PE `me`. In an open job
 * (open.c) a process may come to stand elsewhere later. */
int core_segment_map(const struct core_place *place);
int core_segment_attach(const struct core_place *place);
int core_segment_stand(unsigned idx, int me);

/* Move the executable's .data/.bss into this PE's slice (globals.c). */
int core_globals_share(void);

/* Where this PE's slice holds the n bytes at p (symmetric, or a place in the slice
 * itself); NULL: outside. */
char *core_own_place(const void *p, size_t n);

/* arena.c: manage [base, base + n), or nothing. 0 or -ENOMEM. */
int core_arena_init(void *base, size_t n);
/* For malloc.c. NULL or false also while another call is under way: the bookkeeping itself calls malloc. */
void *core_arena_try(size_t n, size_t align);
bool core_arena_resize(void *p, size_t n);     /* where it lies */
void core_arena_drop(void *p);                 /* as core_arena_free, but its pages stay as they are */
void core_arena_clear(void *p, size_t n);      /* the whole pages inside go back to the system: they read as zero */
void core_arena_freeze(void **base, size_t *high); /* nobody allocates until thawed; all blocks end below base + high */
void core_arena_thaw(void);
/* globals.c: the n shared bytes at lo, at `offset` of the memfd, become private with what they hold now. 0 or -errno. */
int core_unshare(uintptr_t lo, size_t n, off_t offset);

/* Start of the channel area in the slice of `receiver` (a PE of this node). */
void *core_chan_area(int receiver);

void core_wait_init(void);
bool core_wait_slept(const struct core_waiter *w); /* in the last pause */
void core_wait_retune(void); /* the number of processes changed, perhaps */

void core_ask_for_short_slice(void); /* job.c: of the scheduler, for this process */

/* channel.c, in open jobs: know the peers that came since; this process now stands in
 * another slot, where nothing has been sent or received. 0 or -ENOMEM. */
void core_channel_grow(void);
int core_channel_restart(void);
/* The same of pipes (poll.c). */
void core_poll_restart(void);

unsigned core_process_threads(void); /* of this process; 0: not known */

/* vain.c, where no supervisor looks whether all PEs wait in vain. On one node each PE in a wait, now and then. */
void core_vain_look(const char *where);

bool core_pe_finished(int pe); /* left by core_job_finish; known of this node's PEs only */
bool core_pe_ended(int pe);    /* and its process is no more, or in exit */

/* Forked PEs and their supervisor (self.c): returns the PE number in the
 * children, never in the parent; negative errno when it fails. */
int core_self_start(int npes, int *fd);

/* poller.c: does this PE wait in a loop over tests? core_test_failed says now and then that the last of them was `where`. */
struct core_polls {
    unsigned left, step; /* tests until the next look; from the last one */
    bool unjudged;       /* whether it waits for nobody else is not known: threads, an open job */
};
extern _Thread_local struct core_polls core_polls __attribute__((tls_model("initial-exec")));
void core_poller_look(const char *where);

/* Ends the job when a PE asked for that, or when nobody is left who could end
 * this PE's wait. Called by waits now and then. */
void core_job_check(const char *where);
void core_job_check_loop(const char *where); /* of calls that wait for nothing, or nobody knows */

/* In the waits of a barrier of all PEs: what its caller wants done meanwhile. */
void core_job_barrier_step(void);

/* In a barrier of all PEs: one that left will never come; nor one that has finished and ended. */
void core_job_look_for_left(const struct core_waiter *w);
void core_job_look_for_ended(const struct core_waiter *w);

/* ---------------------------------------------------------------- network -- */

/* Cards exchanged, transport open and connected: net.c. Nothing to do when all
 * PEs share memory. */
int core_net_start(const struct core_place *place);
void core_net_stop(void); /* at the last finish, after the barrier */

/* The card of PE pe; NULL while there is no network. */
const struct core_card *core_card_of(int pe);

/* The PEs of other nodes by a thin TCP connection each way round a ring, by
 * which one learns that a process or host is gone: life.c. Prepare fills the
 * card's life part. */
int core_life_prepare(struct core_card *own);
int core_life_start(void);                    /* also when a program starts again */
void core_life_say_end(int status, const char *why); /* this PE ends the job: tell the ring */
void core_life_say_left(void);                /* exits without finishing */
void core_life_say_leaving(void);             /* exits, and waits for the others */
void core_life_stop(void);                    /* finished in order */
bool core_life_left(int pe);                  /* a PE of another node said that it left */
uint32_t core_life_left_count(void);
bool core_life_someone_leaves(void);          /* the same, or waits for the others in exit */

/* Sleeping on bell and network together: poll.c. Sleep until the network has
 * something, `rung` is no longer the bell's count, or ns nanoseconds are over. */
enum core_slept {
    CORE_SLEPT_NOT, /* another thread of this PE is at it: sleep on the futex */
    CORE_SLEPT,     /* something happened */
    CORE_SLEPT_OUT  /* nothing, the time is over */
};
int core_poll_start(void);
extern bool core_poll_on; /* started: sleeps go through core_poll_sleep */
enum core_slept core_poll_sleep(uint32_t rung, uint64_t ns);
void core_poll_ring(unsigned slice); /* after its bell's count was raised */

#endif
