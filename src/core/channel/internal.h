/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the channel's own files share: messages that core sends to itself, on
 * ids above the users', for bodies that stayed at their sender.
 */
#ifndef CORE_CHANNEL_INTERNAL_H
#define CORE_CHANNEL_INTERNAL_H

#include "core/wait/bias.h"
#include "core/channel/arrive.h"
#include "core/channel/channel.h"
#include "core/rma/rma.h"

struct core_post {
    int pe;
    unsigned id;
    const void *head, *body;
    size_t head_n, n;
    const struct core_rndv *rndv; /* instead of a body, or NULL */
};

/* As core_send, without looking at the arguments: the caller has checked them. */
int core_channel_post(const struct core_post *p);
int core_channel_try(const struct core_post *p); /* -EAGAIN instead of waiting */

static inline bool core_channel_is_open(unsigned id)
{
    /* model: publish.see */
    return id < CORE_CHANNEL_MAX && __atomic_load_n(&core_state.channel.handlers[id], __ATOMIC_ACQUIRE);
}

/* progress.c: get ready to take out what the `nodes` PEs of this node send, of
 * which this PE is number `me` and the first `now` are known (0 or -ENOMEM);
 * begin, once there is a handler; no longer, forgetting what was not handled. */
int core_channel_listen(unsigned nodes, unsigned now, unsigned me);
void core_channel_stop_listening(void);
void core_channel_start(void);
/* Messages are kept whose channel was not open. */
bool core_channel_has_early(void);
struct core_peer;
/* Open jobs: a slot whose process has gone. All it sent is handled; then its rings are cleared, and nothing goes there
 * until somebody else stands in it (in core_progress). */
void core_channel_drain(unsigned index);
void core_channel_retire(unsigned index);
void core_channel_unsee(unsigned index); /* progress.c: nothing has been taken from it */
void core_recycle_attend(void);          /* recycle.c: forget those that were retired meanwhile */
void core_channel_seen(const struct core_peer *p); /* a message of it was taken past core_progress */

/* rndv.c */
void core_rndv_on_end(const struct core_mail *m);
/* The bytes [offset, offset + n) of the body this PE sent under `token`. Ends
 * the job when there is no such body. */
const void *core_rndv_body(uint32_t token, uint64_t offset, uint64_t n, int asking_pe);

/* push.c: a body that came unasked is a rendezvous one with this token, no index of rndv.c's table; its `addr` is a
 * number that the sender gave it. */
#define CORE_TOKEN_PUSHED 0x000fffffu
static inline bool core_push_is(const struct core_rndv *rndv)
{
    return rndv->token == CORE_TOKEN_PUSHED;
}
int core_push_start(void); /* with the network */
void core_push_stop(void);
const void *core_push_here(const struct core_rndv *rndv); /* rndv.c's calls of the same names; NULL: it is coming */
void core_push_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n);
void core_push_end(const struct core_rndv *rndv);

/* pull.c: as core_fetch, by messages. */
void core_pull_start(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n);
void core_pull_on_ask(const struct core_mail *m);
void core_pull_on_piece(const struct core_mail *m);

#endif
