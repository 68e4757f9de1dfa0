/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of channel: see core/state.h.
 */
#ifndef CORE_CHANNEL_STATE_H
#define CORE_CHANNEL_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

/* Channels: of users, then core's own, for bodies that stayed at their sender. */
enum {
    CORE_CHANNEL_MAX = 16,
    CORE_CHANNEL_END = CORE_CHANNEL_MAX, /* rndv.c: a rendezvous body is no longer wanted */
    CORE_CHANNEL_PULL,                   /* pull.c: send me this piece of a rendezvous body */
    CORE_CHANNEL_PIECE,                  /* pull.c: here it is */
    CORE_CHANNEL_CLOCK,                  /* job/clocks.c: what time is it at PE 0? */
    CORE_CHANNEL_IDS
};

struct core_mail;
struct core_peer;
struct core_queued;
struct core_body;
struct core_pull_slot;
struct core_push_peer;

/* Messages that wait to be handled. `first` is looked at by threads that do not hold what guards the rest. */
struct core_queue {
    struct core_queued *first, **last;
};

struct core_peers {
    unsigned n;     /* PEs of this node; 0: no channel is open */
    unsigned first; /* number among them of mpt_fast's first PE */
    bool draining;  /* a thread is taking messages out: it owns all `in` */
    struct core_peer *at;
};

/* What takes messages out of the rings (progress.c). */
struct core_inbox {
    bool open;      /* the rest is valid */
    bool missed;    /* another thread wanted to drain meanwhile */
    bool opened;    /* a channel was: some of `early` may be its */
    unsigned nodes; /* PEs of this node that are known */
    unsigned hot;   /* sender of the last message */
    unsigned hot_calls;
    unsigned char *seen; /* messages taken from each, laid out as the mail bytes */
    const unsigned char *mail;
    struct core_queue stash; /* taken from rings while a handler ran */
    struct core_queue early; /* of channels that were not open ... */
    unsigned early_n[CORE_CHANNEL_IDS]; /* ... so many of each */
};

/* Messages of other nodes. */
struct core_from_network {
    pthread_mutex_t lock;
    struct core_queue queue;
};

/* Rendezvous bodies of this PE that are out (rndv.c). */
enum { CORE_BODY_INDEX_BITS = 20, CORE_BODY_NONE = (1 << CORE_BODY_INDEX_BITS) - 1 };
struct core_bodies {
    pthread_mutex_t lock;
    struct core_body *entry;
    uint32_t n, free; /* free: CORE_BODY_NONE: none is */
};

/* Bodies that this PE gets in pieces (pull.c). */
struct core_pulls {
    pthread_mutex_t lock;
    struct core_pull_slot *slot;
    uint32_t n, free; /* free: numbers from 1 on, 0: none */
};

/* Bodies that came before they were asked for (push.c). */
struct core_pushes {
    pthread_mutex_t lock;
    struct core_push_peer *peer;
    uint64_t budget;
};

struct core_channel_state {
    struct core_peers peers;
    struct core_inbox inbox;
    void (*handlers[CORE_CHANNEL_IDS])(const struct core_mail *mail); /* NULL: this PE has not opened that one */
    struct core_from_network network;
    struct core_bodies bodies;
    struct core_pulls pulls;
    struct core_pushes pushes;
    pthread_mutex_t open_lock;
    void (*face_forgets)(int slot); /* recycle.c */
};

struct core_channel_thread {
    unsigned polled; /* calls that may be a program's loop; every so often one makes progress */
    bool in_drain; /* this thread is taking messages out: what calls core_progress() is a handler */
};

#endif
