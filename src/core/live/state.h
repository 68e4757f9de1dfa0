/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of live: see core/state.h.
 */
#ifndef CORE_LIVE_STATE_H
#define CORE_LIVE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* ----------------------------------------------- the lifeline (detector.c) -- */

/* Where a PE listens. Fits the card's life part. */
struct core_detector_card {
    uint64_t key; /* a PE that connects must know it */
    unsigned char addr[16];
    uint16_t family, port; /* port in network order */
};

struct core_detector_message {
    uint32_t kind;
    int32_t pe, status;
    uint32_t more; /* END: say where you wait; LEFT: that PE waits for the others, and is only about to leave */
    uint64_t key;  /* HELLO: of the PE that listens; LOOK: what the PEs that wait have put together */
    char why[104];
};

/* NEXT: connected by this process; PREV: by the one before it; then those that have
 * connected, but not yet said which PE they are. */
enum { CORE_DETECTOR_GUESTS = 32, CORE_DETECTOR_LINKS = 2 + CORE_DETECTOR_GUESTS };

struct core_detector_link {
    int fd; /* -1: none. NEXT and PREV stay open: other threads may be sending */
    int pe;
    int error;        /* 0: it was closed */
    bool gone, bye;   /* bye: its end means nothing */
    uint64_t gone_at;
    uint64_t until;   /* a guest may stay */
    size_t got;
    struct core_detector_message in;
};

struct core_detector {
    struct core_detector_link link[CORE_DETECTOR_LINKS];
    int listener;
    bool on, finished;
    unsigned users; /* PEs of this process that have started, and not finished */
    struct core_detector_card card;
    unsigned char *left; /* of each PE of another node what it said, as bits ... */
    uint32_t nleft;
    bool someone_leaves; /* read by any thread */
    uint64_t rest_until; /* nobody is let in before: there are no descriptors */
};

/* -------------------------------------- a PE that waits in loops (poller.c) -- */

struct core_poller_sample {
    uint64_t wall, cpu, user, sleeps, messages;
};

struct core_poller {
    struct core_poller_sample begun, last; /* of this window; at the last look */
    uint64_t excess, user;     /* ns beyond what tests may take; what they may take outside the kernel */
    uint64_t poll_ns;
    uint64_t close;            /* the last look at all of a sample */
    uint64_t still;            /* since when nothing but this was done, computing aside */
    unsigned windows;          /* that passed, one after the other */
    const void *thread;        /* whose row it is */
};

/* ---------------------------------------------- all that wait (vain.c) -- */

struct core_watch;

struct core_vain {
    struct core_watch *watch; /* of this node's PEs; NULL: not made yet */
    uint64_t look_at;         /* ms: the next look at them ... */
    uint64_t knot_at;         /* ... and for those that wait for each other, with MPT_CHECK */
    unsigned long last_ticks; /* this PE's processor time at the last look */
    /* All of it is the lifeline's thread's. */
    struct {
        uint64_t at, mark; /* of the next word; what the last one came back with */
        unsigned same;     /* words in a row that were alike */
        bool under_way;
    } words;
};

struct core_live_state {
    bool together;    /* this PE has started together with all others: they take part in what it waits for */
    bool end_is_mine; /* this PE is the first of its node that ends the job */
    void (*end_all)(int status); /* where no supervisor sees it: tell the launcher to end the job; NULL: one does */
    struct core_poller poller;
    struct core_vain vain;
    unsigned ended_looks; /* in a row at which a PE had ended that this one waits for (left.c) */
    struct {
        int fd;
        pid_t holder; /* a forked child shares the open file, whose owner it is not */
    } leash; /* leash.c */
    struct core_detector *lifeline; /* of a process with tasks: one of theirs; NULL: this PE's own */
    struct core_detector detector;
};

struct core_live_thread {
    uint32_t left;        /* how many PEs had left when this thread looked last ... */
    uint64_t left_since;  /* ... and since when it is so many */
    unsigned alone_looks; /* in a row at which all others had ended */
};

#endif
