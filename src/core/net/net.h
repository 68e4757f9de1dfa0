/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the network transport share, above the fabric that moves the
 * bytes (fabric.h). Two methods carry data: RMA straight from and to registered
 * memory, and messages, which the target's CPU executes inside its progress (small
 * puts, signals, strided blocks, the channel; atomics, unless the adapters of all
 * PEs carry them out). One lock for all.
 *
 * How an operation is known to be done: gets and fetching atomics by their data;
 * a message, when it asks for it, by a reply; everything else by the next quiet,
 * which sends each target that was written to one message that only asks for a
 * reply: it arrives after the writes and messages before it.
 */
#ifndef CORE_NET_NET_H
#define CORE_NET_NET_H

#include <pthread.h>
#include <sys/socket.h>

#include "core/base/siphash.h"
#include "core/channel/arrive.h"
#include "core/internal.h"
#include "core/rma/transport.h"

enum {
    NET_PUSH_HEAD = 1536, /* what may come before a pushed body */
    NET_MSG_MAX = (64 << 10) + NET_PUSH_HEAD, /* bytes of a buffer for messages; memory is used as far as touched */
    NET_PUSH_LONG = 256 << 10, /* bytes of a body whose head is handed on before it, where the fabric does that */
    NET_MSG_USUAL = 8192 + 128, /* the same without a pushed body */
    NET_SEALED = 64,      /* bytes of a body that the seal is of: all that says what to do, and where */
    NET_TAIL_LEAST = 1024, /* bytes for which leaving them where they are pays */
    NET_PUT_MESSAGE = 4096 /* puts up to this size go by message where the network is software */
};

/* ---------------------------------------------------------- operations -- */

/* What a completion of the fabric, or a reply, means for an op. */
enum core_net_kind {
    NET_FREE,
    NET_RECEIVE, /* a buffer for messages, or one that came */
    NET_MESSAGE, /* being sent; its buffer is in use until then */
    NET_RMA,     /* of a flow: done when the fabric says so */
    NET_REPLY,   /* of a flow: done when the target's reply comes */
    NET_KINDS
};

struct core_net_op {
    uint64_t context[8]; /* first: the fabric's own */
    enum core_net_kind kind;
    int pe;
    uint32_t number, uses; /* how peers name it: core_net_op_cookie */
    const char *what; /* the call, for messages about errors */
    struct core_flow *flow;
    struct core_net_op *next;
    /* of an op that awaits a reply: where its value or data go */
    void *to;
    unsigned width;          /* of an atomic's value; 0: none wanted */
    struct core_strides strides;
    size_t n;                /* bytes of data */
    unsigned char *data;     /* NET_MSG_MAX bytes; NULL in an op without buffer */
    const void *tail; /* of a message being sent: more bytes, which are the caller's until the fabric has taken it */
    size_t tail_n;
    void *tail_copy; /* what of them the fabric has not taken at once, when it is much */
    unsigned holds; /* of a received buffer: things that lie in it, less one */
    uint64_t value, cond, old; /* an adapter's atomic: operands, and the result that nobody wants */
};

/* -------------------------------------------------------------- messages -- */

enum core_net_message {
    NET_M_FLUSH, /* nothing but its reply */
    NET_M_ANSWER, /* value for op `cookie` */
    NET_M_PUT, /* data to `address` */
    NET_M_AMO, /* operands follow */
    NET_M_SIGNAL, /* data to `address`, then the atomic that follows */
    NET_M_SCATTER, /* blocks to `address` with a stride */
    NET_M_GATHER, /* blocks from `address` with a stride, wanted by op `cookie` */
    NET_M_BLOCKS, /* ... and here they are */
    NET_M_CHANNEL,
    NET_M_GRANT, /* `address` bytes may be pushed again */
    NET_M_KINDS
};

/* An address in symmetric memory, in all PEs alike: the region in the top bits, then the offset. */
typedef uint64_t core_net_address;

struct core_net_head {
    uint64_t seal; /* seal.c: of what follows */
    uint8_t kind; /* enum core_net_message */
    uint8_t op, width; /* of the atomic; channel: id, flags */
    uint8_t unused;
    int32_t from;
    uint64_t cookie; /* the sender's op that waits for the reply, 0: none; channel: the message's number */
    core_net_address address; /* channel: bytes of its head */
};

/* An address at a peer, as RMA and adapters' atomics name it. */
struct core_net_target {
    uint64_t addr, key;
};

/* -------------------------------------------------------- choose.c ---- */
int core_net_choose(bool one_host); /* core_state.net.fabric; a message has been printed when it fails */
/* How unlikely it is that other PEs reach this address: lower is better. */
unsigned core_net_penalty(const char *iface, const struct sockaddr *a, bool one_host);

/* -------------------------------------------------------- memory.c ---- */
int core_net_register_regions(void);
void core_net_release_regions(void);
core_net_address core_net_address_of(const void *p); /* own symmetric or collective memory */
void *core_net_address_here(core_net_address address, size_t n, int from); /* checked: the sender may err */
static inline enum core_net_region_id core_net_address_region(core_net_address address)
{
    return (enum core_net_region_id)(address >> 62);
}
static inline uint64_t core_net_address_offset(core_net_address address)
{
    return address & (UINT64_MAX >> 2);
}

int core_net_register(const void *p, size_t n, struct core_rndv *rndv, void **registration);
void core_net_unpin(void *registration);
void core_net_fetch(struct core_flow *f, void *to, const struct core_rndv *rndv, size_t offset, size_t n);

/* ---------------------------------------------------------- op.c ---- */
struct core_net_op *core_net_op_new(enum core_net_kind kind, const char *what, int pe,
                                    struct core_flow *f); /* counts in the flow */
struct core_net_op *core_net_message_new(const char *what, int pe);
void core_net_op_free(struct core_net_op *op);
void core_net_op_of_flow(struct core_net_op *op, struct core_flow *f); /* counts as begun */
void core_net_op_done(struct core_net_op *op); /* counts in its flow, frees it */
void core_net_op_undo(struct core_net_op *op); /* was not begun after all; frees it */
void core_net_ops_release(void);
/* How a message names an op that waits for its answer, 0: NULL; and that op, when it is one of this PE's that waits
 * for one of `from`, else NULL. With the lock. */
static inline uint64_t core_net_op_cookie(const struct core_net_op *op)
{
    return op ? (uint64_t)op->uses << 32 | op->number : 0;
}
struct core_net_op *core_net_op_waiting(uint64_t cookie, int from);
struct core_net_op *core_net_op_of_peer(int pe); /* any that waits for an answer of it, NULL: none */

/* A turn at the fabric: holds the lock; gives it away while the fabric has no room.
 *     core_net_turn_begin(&t, "put", pe);
 *     do rc = core_state.net.fabric->...; while (core_net_turn_again(&t, rc));     an error ends the job
 *     core_net_turn_end(&t); */
struct core_net_turn {
    const char *what;
    int pe;
    bool locked, waiting;
    struct core_waiter w;
};
bool core_net_lock(void);
void core_net_unlock(bool locked);
void core_net_turn_begin(struct core_net_turn *t, const char *what, int pe);
bool core_net_turn_again(struct core_net_turn *t, int rc);
void core_net_turn_until_few(struct core_net_turn *t, const struct core_flow *f,
                             uint64_t few); /* operations under way */
void core_net_turn_end(struct core_net_turn *t);
/* Until no operation of the flow is under way; the turn goes on. */
void core_net_turn_until_idle(struct core_net_turn *t, struct core_flow *f);
void core_net_fail(const char *what, int pe, int error, const char *more) __attribute__((noreturn, cold));

/* --------------------------------------------------------- message.c ---- */
/* The head of a message about to be built in op->data; its length so far is
 * op->n; core_net_message_add appends. */
struct core_net_head *core_net_message_begin(struct core_net_op *op, enum core_net_message kind,
                                             core_net_address address);
void *core_net_message_room(struct core_net_op *op, size_t n);
void core_net_message_add(struct core_net_op *op, const void *p, size_t n);
void core_net_message_tail(struct core_net_op *op, const void *p,
                           size_t n); /* as the last; may leave them where they are */
/* Lock held. 0 or -EAGAIN (the op stays the caller's), or another error. */
int core_net_message_try(struct core_net_op *op);
void core_net_message_send(struct core_net_turn *t, struct core_net_op *op); /* until it is taken */
void core_net_message_later(struct core_net_op *op); /* now or at a later progress */
void core_net_send_deferred(void);
struct core_net_op *core_net_receive_new(void); /* with the lock */
int core_net_channel_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                          const struct core_rndv *rndv);

/* The message as far as it goes without a body; far: NULL or where the body is. Then its body is added and it is sent,
 * under the same lock. */
struct core_net_op *core_net_channel_message(int pe, unsigned id, const void *head, size_t head_n,
                                             const struct core_rndv *rndv);
int core_net_channel_go(struct core_net_op *op, bool locked);

/* -------------------------------------------------------- seal.c ---- */
int core_net_secrets_make(void); /* a message has been printed when it fails */
uint64_t core_net_memory_key(void); /* a new one; where we choose keys */
void core_net_seal(struct core_net_op *op); /* a message that is complete */
bool core_net_sealed(const void *message, size_t n); /* n bytes that came: are they of this job? */
void core_net_drop(const char *what); /* count it, and say so the first time */

/* -------------------------------------------------------- push.c ---- */
size_t core_net_push_most(void);
int core_net_push(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_rndv *rndv);
void core_net_grant(int pe, uint64_t n);
void core_net_land(void *landing);

/* ------------------------------------------------------ target.c ---- */
/* A message of n bytes came; no lock held. op: it lies in that receive's buffer, and true: the buffer is kept, or where
 * the message is not its beginning, a part of it. NULL: it lies, at a multiple of 8, where it will soon be overwritten.
 */
bool core_net_handle(const void *message, size_t n, struct core_net_op *op);
/* Of a message of n bytes the first `have` came: a pushed body of which more is to come? Then its head is handed on,
 * *body_at says where in the message the body begins; NULL: it is something else, or the head is not there yet. */
struct core_pushed *core_net_handle_head(const void *message, size_t have, size_t n, size_t *body_at);
void core_net_answer(int pe, uint64_t cookie, uint64_t value); /* to the op that waits for it; 0: nobody does */

/* -------------------------------------------------------- flow.c ---- */
/* How a message of the flow that pe will execute will be known to be done: by the
 * reply to an op, whose cookie goes into the message; NULL: at the next
 * quiet. Then, when it is on its way, core_net_flow_sent. */
struct core_net_op *core_net_flow_message(struct core_flow *f, const char *what, int pe);
void core_net_flow_sent(struct core_flow *f, int pe, const struct core_net_op *reply);
void core_net_flow_touch(struct core_flow *f, int pe); /* a write that the next quiet must ask for */
bool core_net_flow_asks(struct core_flow *f, int pe); /* few operations: this one is asked for on its own */
bool core_net_flow_fenced(const struct core_flow *f); /* writes must not pass the flow's messages */
void core_net_flow_atomic(struct core_flow *f); /* an adapter's atomic has begun: a fence waits for it */
bool core_net_flow_fenced_atomics(const struct core_flow *f); /* atomics must not pass anything of the flow */
void core_net_fence(struct core_flow *f);
bool core_net_idle(struct core_flow *f);
bool core_net_idle_locked(struct core_flow *f);
bool core_net_all_idle(void);
void core_net_finish(struct core_flow *f);
void core_net_flows_release(void);

/* ------------------------------------------- rma.c, amo.c, ... ---- */
void core_net_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_net_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void core_net_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n);
struct core_net_target core_net_target_at(int pe, const void *remote);
/* Begins writes to t->pe that count in `own`; the target is asked at f's next
 * quiet, where the provider keeps order; else they complete when it has them. */
void core_net_write(struct core_net_turn *t, struct core_flow *f, struct core_flow *own, void *remote,
                    const void *local, size_t n);
void core_net_read(struct core_net_turn *t, struct core_flow *f, void *to, uint64_t addr, uint64_t key, size_t n);
void core_net_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
void core_net_atomic_nbi(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a,
                         void *fetch);
void core_net_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                         enum core_amo_op op, uint64_t value);
void core_net_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s);
void core_net_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s);

bool core_net_strides_fit(const struct core_strides *s); /* what came: can it be? */
void *core_net_blocks_here(core_net_address address, const struct core_strides *s,
                           int from); /* the first block; all are checked */

/* --------------------------------------------------- progress.c ---- */
int core_net_progress(void);
int core_net_wait_fd(void);
bool core_net_may_sleep(void);

/* ------------------------------------------------------- pump.c ---- */
int core_net_pump_start(void); /* the progress thread, if wanted */
void core_net_pump_stop(void);
bool core_net_pump_soon(
    void); /* it will call the fabric's flush in some 100 us; false: there is no such thread. Lock held */

#endif
