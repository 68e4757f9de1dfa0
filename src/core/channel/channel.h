/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the channel's own files share: messages that core sends to itself, on
 * ids above the users', for bodies that stayed at their sender.
 */
#ifndef CORE_CHANNEL_H
#define CORE_CHANNEL_H

#include "core/base/bias.h"
#include "core/core.h"

enum {
    CORE_CHANNEL_END = CORE_CHANNEL_MAX, /* far.c: a far body is no longer wanted */
    CORE_CHANNEL_PULL,                   /* pull.c: send me this piece of a far body */
    CORE_CHANNEL_PIECE,                  /* pull.c: here it is */
    CORE_CHANNEL_IDS
};

struct core_post {
    int pe;
    unsigned id;
    const void *head, *body;
    size_t head_n, n;
    const struct core_far *far; /* instead of a body, or NULL */
};

/* As core_send, without looking at the arguments: the caller has checked them. */
int core_channel_post(const struct core_post *p);
int core_channel_try(const struct core_post *p); /* -EAGAIN instead of waiting */

/* Who handles what; NULL: this PE has not opened that one. */
extern core_handler *core_channel_handlers[CORE_CHANNEL_IDS];
static inline bool core_channel_is_open(unsigned id)
{
    return id < CORE_CHANNEL_MAX && __atomic_load_n(&core_channel_handlers[id], __ATOMIC_ACQUIRE);
}

/* progress.c: get ready to take out what the `nodes` PEs of this node send, of
 * which this PE is the one at place `me` and the first `now` are known (0 or -ENOMEM);
 * begin, once there is a handler; no longer, forgetting what was not handled. */
int core_channel_listen(unsigned nodes, unsigned now, unsigned me);
void core_channel_deafen(void);
void core_channel_start(void);
/* Messages are kept whose channel was not open. */
bool core_channel_has_early(void);
struct core_peer;
/* Open jobs: a slot whose process has gone. All it sent is handled; then its rings are cleared, and nothing goes there
 * until somebody else stands in it (in core_progress). */
void core_channel_drain(unsigned place);
void core_channel_retire(unsigned place);
void core_channel_unsee(unsigned place); /* progress.c: nothing has been taken from it */
void core_recycle_attend(void);          /* recycle.c: forget those that were retired meanwhile */
void core_reach_forget(int pe);          /* reach.c: another process */
void core_channel_seen(const struct core_peer *p); /* a message of it was taken past core_progress */

/* far.c */
void core_far_on_end(const struct core_mail *m);
/* The bytes [offset, offset + n) of the body this PE sent under `token`. Ends
 * the job when there is no such body. */
const void *core_far_body(uint32_t token, uint64_t offset, uint64_t n, int asking_pe);

/* push.c: a body that came unasked is a far one with this token, no index of far.c's table; its `addr` is a number that
 * the sender gave it. */
#define CORE_TOKEN_PUSHED 0x000fffffu
static inline bool core_push_is(const struct core_far *far) { return far->token == CORE_TOKEN_PUSHED; }
int core_push_start(void); /* with the network */
void core_push_stop(void);
const void *core_push_here(const struct core_far *far); /* far.c's calls of the same names; NULL: it is coming */
void core_push_fetch(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n);
void core_push_end(const struct core_far *far);

/* pull.c: as core_fetch, by messages. */
void core_pull_start(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n);
void core_pull_on_ask(const struct core_mail *m);
void core_pull_on_piece(const struct core_mail *m);

#endif
