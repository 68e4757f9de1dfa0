/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of wait: see core/state.h.
 */
#ifndef CORE_WAIT_STATE_H
#define CORE_WAIT_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

enum { CORE_LOOKED_AT = 256 }; /* loops look at several addresses, one at each PE perhaps */

/* Sleeping on the bell and the network together (poll.c). */
struct core_poll {
    bool on;        /* started: sleeps go through core_poll_sleep */
    bool polling;   /* a thread of this PE polls */
    int own_pipe[2];
    int also;       /* a descriptor of a layer above */
    int *peer_pipe; /* by slice: -1 not opened yet; NULL: none was */
};

/* The bias towards one thread (bias.h), in a cache line of its own. */
struct core_bias {
    _Alignas(64) bool on;
    bool wanted;
    bool inside;
    void (*give_way)(void); /* the face's: turn the section into its lock (with core_bias_yield) */
};

struct core_wait_state {
    struct core_bias bias;
    _Alignas(64) unsigned tight;     /* pauses without any delay; 0 when oversubscribed */
    bool looks;         /* calls that only look count: cores are few, or other nodes want to be served */
    bool progress_due;  /* by core_progress_due and core_progress_needed */
    bool acted;         /* by that, since the poller took note */
    unsigned char acts_count; /* whatever this PE does but test in vain is to be told (core_acted), to these: */
    bool have_membarrier;
    bool threaded;      /* this PE is a task, and threads of its program wait, too */
    bool measures;      /* how long threads wait is wanted (waited_ns) */
    bool fence;         /* some PEs are tasks, which announce a sleep without a system call: see core_sleeps */
    uint32_t spin_us;   /* how long to spin now; threads may lose each other's changes */
    unsigned sleepers;  /* threads of this PE between TELL and the end of their wait; changed under the lock, read
                           without it */
    pthread_mutex_t sleepers_lock;
    pthread_mutex_t bias_ending;
    struct core_poll poll;
};

enum { CORE_ACTS_POLLER = 1, CORE_ACTS_LOOP = 2 }; /* poller.c; loop.c */

/* Addresses, for all threads: any answer is right (look.c). */
struct core_looks {
    uintptr_t at[CORE_LOOKED_AT];
};

/* Does this thread wait in a loop over tests? core_test_failed says now and then that the last of them was `where`. */
enum { CORE_POLLS_STEP = 1024 }; /* failed tests between two looks at the clock, at most */
struct core_polls {
    unsigned left, step; /* tests until the next look; from the last one */
    bool unjudged;       /* whether it waits for nobody else is not known: threads, an open job */
};

/* With MPT_CHECK, tests in vain since this thread has done something else (loop.c). */
enum { CORE_LOOP_CALLS = 2 }; /* told of one loop */
struct core_loop {
    uint64_t tests, from_ms, look_ms; /* look_ms: of the next look at which calls they are */
    unsigned asked;                   /* so many tests more say which they are */
    struct core_loop_call {
        const char *where; /* NULL: none */
        uintptr_t site;
        bool fresh; /* it has said so at this look */
        struct core_wire_blocked_thread *place;
    } calls[CORE_LOOP_CALLS];
};

struct core_fiber;
struct core_waiter;
struct core_wire_blocked_thread;

struct core_wait_thread {
    bool bias_mine;           /* the bias is this thread's */
    struct core_fiber *fiber; /* that this thread runs; NULL: none */
    unsigned announced;       /* of `sleepers`, this thread's */
    struct core_polls polls;
    struct core_loop loop;
    struct { /* blocked.c */
        struct core_wire_blocked_thread *place; /* of this thread's wait; NULL: none */
        const struct core_waiter *wait;
    } blocked;
    uint64_t waited_ns;       /* in waits that were not over at the first looks, if it is measured ... */
    uint64_t wait_began;      /* ... this one since then; 0: it is not */
    const struct core_waiter *waits; /* which that is */
    unsigned looks;           /* since the clock was looked at */
    uint64_t yielded;         /* when it last gave its core away after looks in vain */
};

#endif
