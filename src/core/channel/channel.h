/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages between PEs of the job, wherever they are: handlers run inside
 * core_progress() of the receiver. Messages of one sender to one receiver arrive
 * in order. A small body travels with its message; a large one stays where it is,
 * and the receiver copies it once, when it knows where to:
 *
 *     sender                                receiver
 *     core_send_rndv(pe, id, head, body, s)  handler(mail): mail->body NULL: keep mail->far
 *     ... body unchanged ...                core_fetch(flow, to, &far, offset, n), any pieces, any time
 *     core_sending_done(s) false            flow idle: all is there
 *                         true              core_fetch_end(&far): once, also when nothing is wanted
 */
#ifndef CORE_CHANNEL_H
#define CORE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/rma/rma.h"
#include "core/wait/look.h"
#include "mpt/fast.h"

enum { CORE_SEND_MAX = 1024 };

/* A body that is still at its sender. Plain data: may be copied and kept. */
struct core_rndv {
    int pe; /* where it is */
    uint32_t token; /* the sender's: which sending */
    uint64_t addr, key, n;
};

struct core_mail {
    int from;
    const void *head; /* aligned to 8 bytes, as is body */
    size_t head_n;
    const void *body; /* NULL and n > 0: fetch it from `far` */
    size_t n;
    struct core_rndv rndv;
};

/* What `mail` points to is valid only during the call. A handler may send, but
 * must not wait. */
typedef void core_handler(const struct core_mail *mail);

/* Same id on every PE. What came for it earlier was kept and is handled first, before
 * the call returns (of one thread). -EBUSY if taken. */
int core_channel_open(unsigned id, core_handler *handler);

/* head_n <= CORE_SEND_MAX, head_n + n <= core_send_most(pe). Waits, making progress, while the receiver takes
 * no more. -EINVAL on a bad pe, id or size; -EPIPE: in an open job, it is gone. */
int core_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* What head and body may have together to this PE: CORE_SEND_MAX, over a network more (CORE_SEND_RNDV_MAX at most). */
enum { CORE_SEND_RNDV_MAX = 8192 + 64 };
size_t core_send_most(int pe);

/* As core_send, but -EAGAIN instead of waiting. */
int core_send_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n);

/* A body of any size (head_n <= CORE_SEND_MAX - sizeof(struct core_rndv)): it must
 * not change until core_sending_done(s), which a small one is at once. */
struct core_sending {
    uint32_t state; /* the engine's */
    uint32_t token;
    void *registration; /* what the transport registered */
    void (*ended)(struct core_sending *s); /* NULL, or called when a body that was out is done */
};
int core_send_rndv(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                   struct core_sending *s);
/* As core_send_rndv, but -EAGAIN instead of waiting. `ended` (or NULL) is called when
 * the body may change, unless that is so on return; by any thread, inside
 * core_progress or the fetch of a body of this PE's own; it must not wait. */
int core_send_rndv_try(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                       struct core_sending *s, void (*ended)(struct core_sending *s));
static inline bool core_sending_done(const struct core_sending *s)
{
    /* model: rndv.ended */
    return __atomic_load_n(&s->state, __ATOMIC_ACQUIRE) == 0;
}

/* The receiver of a body that is out is dead (live/dead.h): the body may change. `ended` is not called. */
void core_sending_drop(struct core_sending *s);

bool core_rndv_loads(int pe, const void *body, size_t n); /* would a body there be one that `pe` can load? */

/* Copy bytes [offset, offset + n) of a rendezvous body to `to`: done when the flow is
 * idle (core_flow_idle, core_flow_finish). When the body lies in memory that no transport can read, pieces of it
 * come by messages; the caller sees no difference. */
void core_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n);
/* No more of it is wanted and all fetches of it are done: the sender may go on. */
void core_fetch_end(const struct core_rndv *rndv);
bool core_fetch_end_try(const struct core_rndv *rndv); /* false: not said yet, as that would wait */
/* Where this process can load the body, until core_fetch_end; NULL: only core_fetch brings it. */
const void *core_rndv_here(const struct core_rndv *rndv);

/* Run the handlers of what has arrived. Called by every wait. Returns the number of messages handled. */
int core_progress(void);

/* To be said by calls that programs repeat until a value changes (gets, atomics): a PE that polls its own node's
 * memory must serve other nodes meanwhile; one may change the value. Every so often it makes progress. */
void core_polled_later(void);
static inline void core_polled(void)
{
    core_acted();
    if (MPT_UNLIKELY(core_state.rma.later))
        core_polled_later();
}

#endif
