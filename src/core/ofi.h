/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the libfabric transport share. One endpoint per PE, one
 * completion queue, one lock. Two ways carry data: RMA straight from and to
 * registered memory, and messages, which the target's CPU executes inside its
 * progress (small puts, signals, strided blocks, the channel; atomics, unless the
 * adapters of all PEs carry them out).
 *
 * How an operation is known to be done: gets and fetching atomics by their data;
 * a message, when it asks for it, by a reply; everything else by the next quiet,
 * which sends each target that was written to one message that only asks for a
 * reply: it arrives after the writes and messages before it.
 */
#ifndef CORE_OFI_H
#define CORE_OFI_H

#include <pthread.h>
#include <rdma/fabric.h>
#include <rdma/fi_atomic.h>
#include <rdma/fi_cm.h>
#include <rdma/fi_domain.h>
#include <rdma/fi_endpoint.h>
#include <rdma/fi_eq.h>
#include <rdma/fi_errno.h>
#include <rdma/fi_rma.h>

#include "core/internal.h"
#include "core/siphash.h"
#include "core/transport.h"

enum {
    OFI_PUSH_HEAD = 1536, /* what may come before a pushed body */
    OFI_MSG_MAX = (64 << 10) + OFI_PUSH_HEAD, /* bytes of a message, all included; memory is used as far as touched */
    OFI_MSG_USUAL = 8192 + 128, /* the same without a pushed body */
    OFI_RECVS = 64,       /* receive buffers posted */
    OFI_RECVS_MOST = 4096, /* ... when strangers hold some */
    OFI_EVENTS = 16,      /* completions read at once */
    OFI_PUT_MESSAGE = 4096 /* puts up to this size go by message where the network is software */
};

/* ---------------------------------------------------------- operations -- */

/* What a completion of libfabric, or a reply, means for an op. */
enum ofi_kind {
    OFI_FREE,
    OFI_RECEIVE, /* a buffer for messages */
    OFI_MESSAGE, /* being sent; its buffer is in use until then */
    OFI_RMA,     /* of a flow: done when libfabric says so */
    OFI_REPLY,   /* of a flow: done when the target's reply comes */
    OFI_KINDS
};

struct ofi_op {
    struct fi_context2 context; /* first: providers may keep something here */
    enum ofi_kind kind;
    int pe;
    uint32_t number, uses; /* how peers name it: ofi_op_cookie */
    const char *what; /* the call, for messages about errors */
    struct core_flow *flow;
    struct ofi_op *next;
    /* of an op that awaits a reply: where its value or data go */
    void *to;
    unsigned width;          /* of an atomic's value; 0: none wanted */
    struct core_strides strides;
    size_t n;                /* bytes of data */
    unsigned char *data;     /* OFI_MSG_MAX bytes; NULL in an op without buffer */
    uint64_t value, cond, old; /* an adapter's atomic: operands, and the result that nobody wants */
};

/* -------------------------------------------------------------- messages -- */

enum ofi_message {
    OFI_M_FLUSH,      /* nothing but its reply */
    OFI_M_ANSWER,     /* value for op `cookie` */
    OFI_M_PUT,        /* data to `place` */
    OFI_M_AMO,        /* operands follow */
    OFI_M_SIGNAL,     /* data to `place`, then the atomic that follows */
    OFI_M_SCATTER,    /* blocks to `place` with a stride */
    OFI_M_GATHER,     /* blocks from `place` with a stride, wanted by op `cookie` */
    OFI_M_BLOCKS,     /* ... and here they are */
    OFI_M_CHANNEL,
    OFI_M_GRANT,      /* `place` bytes may be pushed again */
    OFI_M_KINDS
};

/* A place in symmetric memory: the region in the top bits, then the offset. */
typedef uint64_t ofi_place;

struct ofi_head {
    uint64_t seal;     /* ofi_seal.c: of what follows */
    uint8_t kind;      /* enum ofi_message */
    uint8_t op, width; /* of the atomic; channel: id, flags */
    uint8_t unused;
    int32_t from;
    uint64_t cookie; /* the sender's op that waits for the reply, 0: none; channel: the message's number */
    ofi_place place; /* channel: bytes of its head */
};

/* ------------------------------------------------------------- the state -- */

enum ofi_region_id { OFI_HEAP, OFI_DATA, OFI_COLL, OFI_FACE, OFI_REGIONS };

struct ofi_region {
    char *base;
    size_t len;
    struct fid_mr *mr;
};

struct ofi_peer {
    fi_addr_t addr;
    uint64_t key[OFI_REGIONS], base[OFI_REGIONS];
    struct core_siphash_key seal_key; /* of what is sent to it */
    bool seal_keyed;
    uint64_t sent;        /* channel messages to it */
    uint64_t came;        /* ... and from it, handed on */
    struct ofi_op *early; /* those that overtook others, by number */
};

/* A place at a peer, as RMA and adapters' atomics name it. */
struct ofi_target {
    uint64_t addr, key;
};

struct ofi_dirty;

/* Why a PE does without its adapter's atomics; peers read it in its card. */
enum ofi_native {
    OFI_NATIVE,
    OFI_NATIVE_UNWANTED,
    OFI_NATIVE_SHARED,
    OFI_NATIVE_EMULATED,
    OFI_NATIVE_LACKING,
    OFI_NATIVE_REASONS
};

struct ofi_state {
    pthread_mutex_t lock;
    struct fi_info *info;
    struct fid_fabric *fabric;
    struct fid_domain *domain;
    struct fid_ep *ep;
    struct fid_cq *cq;
    struct fid_av *av;
    int fd;             /* becomes readable with the CQ; -1: the provider has none */
    bool virtual_addr;  /* remote addresses are the target's, not offsets */
    bool own_keys;      /* we choose the keys */
    bool ordered;       /* messages come after earlier writes, writes after writes */
    enum ofi_native native; /* this PE's; of the job: core_atomics_native */
    size_t inject_max;  /* bytes that need no buffer until done */
    size_t put_message; /* puts up to this size go by message */
    size_t rma_max;     /* bytes of one RMA operation */
    struct core_siphash_key seal_key;   /* of what is sent to this PE; its card has it */
    bool seal_keyed;                    /* by a checksum, else the key is shown */
    struct core_siphash_key memory_key; /* makes the keys of registered memory; nobody else has it */
    uint64_t next_key;
    uint64_t dropped; /* of what came */
    struct ofi_region region[OFI_REGIONS];
    struct ofi_peer *peer;
    struct ofi_op *newest;        /* receive that was posted last */
    unsigned receives;            /* that were made */
    uint64_t received, seen;      /* completed; at the last look */
    int64_t looked_ns;
    unsigned idle;                /* times that nothing was there */
    bool probing;                 /* the newest receive was cancelled, and has not come back */
    struct ofi_op *free_ops, *free_messages;
    struct ofi_dirty *dirty;        /* of all flows */
    uint64_t begun, done;           /* of all flows */
    struct ofi_op *deferred, **deferred_end; /* replies that found no room */
    struct fi_cq_msg_entry events[OFI_EVENTS]; /* read but not yet handled: [at, n) */
    int at, n;
    uint64_t progresses; /* calls of progress */
    bool taking, missed; /* a thread handles events; another one wanted to */
};
extern struct ofi_state ofi;

/* -------------------------------------------------------- ofi_load.c ---- */
struct ofi_lib {
    int (*getinfo)(uint32_t version, const char *node, const char *service, uint64_t flags,
                   const struct fi_info *hints, struct fi_info **info);
    void (*freeinfo)(struct fi_info *info);
    struct fi_info *(*dupinfo)(const struct fi_info *info);
    int (*fabric)(struct fi_fabric_attr *attr, struct fid_fabric **fabric, void *context);
    const char *(*strerror)(int errnum);
    uint32_t (*version)(void);
};
extern struct ofi_lib ofi_lib;
int ofi_load(void); /* a message has been printed when it fails */
void ofi_signals_keep(void); /* around what may load libraries */
void ofi_signals_restore(void);

/* ------------------------------------------------------ ofi_choose.c ---- */
/* The provider and interface to use; *info to be freed. A message has been
 * printed when there is none. */
int ofi_choose(bool one_host, struct fi_info **info);
/* *info becomes the same network's with atomics; -ENODATA: it has none, *info stays. */
int ofi_choose_atomics(bool one_host, struct fi_info **info);
/* Is it, or does it contain, this core or utility provider (tcp;ofi_rxm has both)? A
 * beginning of its name will do. */
bool ofi_provider_has(const char *provider, const char *part);

/* ---------------------------------------------------------- ofi_mr.c ---- */
int ofi_register(void *p, size_t n, uint64_t access, struct fid_mr **mr);
int ofi_register_regions(void);
void ofi_release_regions(void);
ofi_place ofi_place_of(const void *p);   /* own symmetric or collective memory */
void *ofi_place_here(ofi_place place, size_t n, int from); /* checked: the sender may err */
static inline enum ofi_region_id ofi_place_region(ofi_place place) { return (enum ofi_region_id)(place >> 62); }
static inline uint64_t ofi_place_offset(ofi_place place) { return place & (UINT64_MAX >> 2); }

int ofi_pin(const void *p, size_t n, struct core_far *far, void **pin);
void ofi_unpin(void *pin);
void ofi_fetch(struct core_flow *f, void *to, const struct core_far *far, size_t offset, size_t n);

/* ---------------------------------------------------------- ofi_op.c ---- */
struct ofi_op *ofi_op_new(enum ofi_kind kind, const char *what, int pe, struct core_flow *f); /* counts in the flow */
struct ofi_op *ofi_message_new(const char *what, int pe);
void ofi_op_free(struct ofi_op *op);
void ofi_op_of_flow(struct ofi_op *op, struct core_flow *f); /* counts as begun */
void ofi_op_done(struct ofi_op *op); /* counts in its flow, frees it */
void ofi_op_undo(struct ofi_op *op); /* was not begun after all; frees it */
void ofi_ops_release(void);
/* How a message names an op that waits for its answer, 0: NULL; and that op, when it is one of this PE's that waits
 * for one of `from`, else NULL. With the lock. */
static inline uint64_t ofi_op_cookie(const struct ofi_op *op) { return op ? (uint64_t)op->uses << 32 | op->number : 0; }
struct ofi_op *ofi_op_waiting(uint64_t cookie, int from);

/* A turn at libfabric: holds the lock; gives it away while libfabric has no room.
 *     ofi_turn_begin(&t, "put", pe);
 *     do rc = fi_...; while (ofi_turn_again(&t, rc));     an error ends the job
 *     ofi_turn_end(&t); */
struct ofi_turn {
    const char *what;
    int pe;
    bool locked, waiting;
    struct core_waiter w;
};
bool ofi_lock(void);
void ofi_unlock(bool locked);
void ofi_turn_begin(struct ofi_turn *t, const char *what, int pe);
bool ofi_turn_again(struct ofi_turn *t, ssize_t rc);
void ofi_turn_until_few(struct ofi_turn *t, const struct core_flow *f, uint64_t few); /* operations under way */
void ofi_turn_end(struct ofi_turn *t);
/* Until no operation of the flow is under way; the turn goes on. */
void ofi_turn_until_idle(struct ofi_turn *t, struct core_flow *f);
void ofi_fail(const char *what, int pe, int error, const char *more) __attribute__((noreturn, cold));

/* --------------------------------------------------------- ofi_msg.c ---- */
/* The head of a message about to be built in op->data; its length so far is
 * op->n; ofi_message_add appends. */
struct ofi_head *ofi_message_begin(struct ofi_op *op, enum ofi_message kind, ofi_place place);
void *ofi_message_room(struct ofi_op *op, size_t n);
void ofi_message_add(struct ofi_op *op, const void *p, size_t n);
/* Lock held. 0 or -EAGAIN (the op stays the caller's), or another error. */
int ofi_message_try(struct ofi_op *op);
void ofi_message_send(struct ofi_turn *t, struct ofi_op *op); /* until it is taken */
void ofi_message_later(struct ofi_op *op);                    /* now or at a later progress */
void ofi_send_deferred(void);
int ofi_post_receives(void);
struct ofi_op *ofi_receive_new(void);
void ofi_post_receive(struct ofi_op *op);
void ofi_look_after_receives(void); /* now and then while nothing comes; lock held */
int ofi_channel_send(int pe, unsigned id, const void *head, size_t head_n, const void *body, size_t n,
                     const struct core_far *far);

/* The message as far as it goes without a body; far: NULL or the body's place. Then its body is added and it is sent,
 * under the same lock. */
struct ofi_op *ofi_channel_message(int pe, unsigned id, const void *head, size_t head_n, const struct core_far *far);
int ofi_channel_go(struct ofi_op *op, bool locked);

/* -------------------------------------------------------- ofi_seal.c ---- */
int ofi_secrets_make(void); /* a message has been printed when it fails */
uint64_t ofi_memory_key(void); /* a new one; where we choose keys */
void ofi_seal(struct ofi_op *op); /* a message that is complete */
bool ofi_sealed(const struct ofi_op *op, size_t n); /* n bytes that came: are they of this job? */
void ofi_drop(const char *what); /* count it, and say so the first time */

/* -------------------------------------------------------- ofi_push.c ---- */
void ofi_push_limit_raise(void); /* around the first look for providers */
void ofi_push_limit_known(void);
size_t ofi_push_most(void);
int ofi_push(int pe, unsigned id, const void *head, size_t head_n, const void *body, const struct core_far *far);
void ofi_grant(int pe, uint64_t n);
void ofi_land(void *landing);

/* ------------------------------------------------------ ofi_target.c ---- */
bool ofi_handle(struct ofi_op *op, size_t n); /* a message came; no lock held. True: its buffer is kept */

/* -------------------------------------------------------- ofi_flow.c ---- */
/* How a message of the flow that pe will execute will be known to be done: by the
 * reply to an op, whose cookie goes into the message; NULL: at the next
 * quiet. Then, when it is on its way, ofi_flow_sent. */
struct ofi_op *ofi_flow_message(struct core_flow *f, const char *what, int pe);
void ofi_flow_sent(struct core_flow *f, int pe, const struct ofi_op *reply);
void ofi_flow_touch(struct core_flow *f, int pe);  /* a write that the next quiet must ask for */
bool ofi_flow_asks(struct core_flow *f, int pe);   /* few operations: this one is asked for on its own */
bool ofi_flow_fenced(const struct core_flow *f);   /* writes must not pass the flow's messages */
void ofi_flow_atomic(struct core_flow *f);         /* an adapter's atomic has begun: a fence waits for it */
bool ofi_flow_fenced_atomics(const struct core_flow *f); /* atomics must not pass anything of the flow */
void ofi_fence(struct core_flow *f);
bool ofi_idle(struct core_flow *f);
bool ofi_idle_locked(struct core_flow *f);
bool ofi_all_idle(void);
void ofi_finish(struct core_flow *f);
void ofi_flows_release(void);

/* ------------------------------------------- ofi_rma.c, ofi_amo.c, ... ---- */
void ofi_put(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void ofi_put_nbi(struct core_flow *f, int pe, void *remote, const void *local, size_t n);
void ofi_get_nbi(struct core_flow *f, int pe, void *local, const void *remote, size_t n);
struct ofi_target ofi_target_at(int pe, const void *remote);
/* Begins writes to t->pe that count in `own`; the target is asked at f's next
 * quiet, where the provider keeps order; else they complete when it has them. */
void ofi_write(struct ofi_turn *t, struct core_flow *f, struct core_flow *own, void *remote, const void *local, size_t n);
void ofi_read(struct ofi_turn *t, struct core_flow *f, void *to, uint64_t addr, uint64_t key, size_t n);
void ofi_amo_nbi(struct core_flow *f, int pe, void *remote, struct core_amo a, void *fetch);
void ofi_put_signal(struct core_flow *f, int pe, void *remote, const void *local, size_t n, uint64_t *signal,
                    enum core_amo_op op, uint64_t value);
void ofi_put_strided(struct core_flow *f, int pe, void *remote, const void *local, struct core_strides s);
void ofi_get_strided(struct core_flow *f, int pe, void *local, const void *remote, struct core_strides s);

bool ofi_strides_fit(const struct core_strides *s); /* what came: can it be? */
void *ofi_blocks_here(ofi_place place, const struct core_strides *s, int from); /* the first block; all are checked */

/* ----------------------------------------------------- ofi_native.c ---- */
int ofi_native_choose(bool one_host);  /* after ofi_choose: may change ofi.info */
int ofi_native_check(void);            /* the endpoint is open */
/* All PEs, or none: PE pe's card says this. An error after a message when it must be. */
int ofi_native_meet(int pe, enum ofi_native theirs);
void ofi_atomic_nbi(struct core_flow *f, struct core_flow *own, int pe, void *remote, struct core_amo a, void *fetch);

/* --------------------------------------------------- ofi_progress.c ---- */
int ofi_progress(void);
int ofi_wait_fd(void);
bool ofi_may_sleep(void);

/* ------------------------------------------------------- ofi_pump.c ---- */
int ofi_pump_start(void); /* the progress thread, if wanted */
void ofi_pump_stop(void);

#endif
