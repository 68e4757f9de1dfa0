/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of point-to-point share: what travels between processes, sends
 * and receives as parts of a request, and the queues of what could not be said
 * at once. All of it is called with the lock held, handlers included.
 */
#ifndef MPI_P2P_H
#define MPI_P2P_H

#include <string.h>

#include "mpi/mpii.h"
#include "mpi/p2p/match.h"
#include "mpi/type/type.h"

/* --------------------------------------------------------- what travels --
 * A message's head. A body that fits goes with it, else stays with the sender
 * (core_send_far). The short head is that of messages whose sender needs to hear
 * nothing more, so that 40 bytes of data share its cache line. */
struct mpii_p2p_head {
    uint64_t context;
    int32_t tag, source;
    uint64_t id; /* the sender's request, for P2P_TAKEN and P2P_CANCEL */
    uint8_t none[2]; /* makes P2P_LAID and P2P_OFFER differ */
};
enum { P2P_SHORT = 16, P2P_LONG = 24, P2P_LAID = 25, P2P_OFFER = 26, P2P_EAGER = CORE_SEND_MAX - P2P_LONG };
/* LAID: LONG, and the body is a struct mpii_p2p_laid; OFFER: the body tells of an offer (offer.c). */
enum mpii_p2p_form { P2P_PLAIN, P2P_IS_LAID, P2P_IS_OFFER }; /* of a body that is far off */

/* What else processes tell each other, on MPII_CHANNEL_CONTROL. */
enum mpii_p2p_kind {
    P2P_TAKEN,     /* the message `id`, a synchronous send's, was matched */
    P2P_CANCEL,    /* take the message `id` of context `arg` back */
    P2P_CANCELLED, /* `arg`: was it? */
    P2P_PART_GO,   /* partition_move.c: these three */
    P2P_PART_DATA,
    P2P_PART_MEET,
    P2P_NOTHING, /* ft.c: connects to a process of another job */
    P2P_REVOKE, /* ft.c: the communicator of context `id` */
    P2P_AGREE,  /* ft_agree.c: agreement number `arg` of context `id` */
    P2P_KINDS
};
struct mpii_p2p_control {
    uint32_t kind, part;
    uint64_t id, arg;
};

/* A message on its way to a receive. */
struct mpii_p2p_mail {
    int from; /* process */
    int source, tag;
    uint64_t id;
    size_t n;
    const void *data;           /* NULL and n > 0: it is far off */
    const struct core_far *far;
    uint8_t form;               /* ... in this form */
};

/* A message that no receive has matched. */
struct mpii_p2p_arrived {
    struct match_node node;
    struct mpii_p2p_context *context;
    struct mpii_p2p_arrived *next; /* free ones */
    struct core_far far;
    struct mpii_p2p_mail mail;
    size_t room; /* bytes of data */
    _Alignas(16) unsigned char data[];
};

struct mpii_p2p_context {
    struct match_queue q;
    uint64_t key;
    struct mpii_p2p_context *next; /* with the same hash */
};

/* ------------------------------------------------------------- match.c -- */
struct mpii_p2p_context *mpii_p2p_context_make(uint64_t key);
static inline struct mpii_p2p_context *mpii_p2p_context_of(struct mpii_comm *c, enum mpii_lane lane)
{
    struct mpii_p2p_context **lanes = c->match;

    return MPT_LIKELY(lanes && lanes[lane]) ? lanes[lane] : NULL;
}
struct mpii_p2p_context *mpii_p2p_context_open(struct mpii_comm *c, enum mpii_lane lane); /* the same, made when there is none */
void mpii_p2p_arrived_free(struct mpii_p2p_arrived *a);
int mpii_p2p_channels_open(void);
/* A message of another job, of MPII_CHANNEL_MESSAGE or CONTROL. */
void mpii_p2p_arrived_over_bridge(enum mpii_channel channel, const struct core_mail *mail);

/* The inbox: what came while another thread had the lock. */
extern bool mpii_p2p_inbox_news;
void mpii_p2p_inbox_handle(void); /* with the lock held */

/* ------------------------------------------------------- match_wire.c --
 * To process `proc`: 0, -EAGAIN or another negative errno. */
int mpii_p2p_wire_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n);
int mpii_p2p_wire_far(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                      struct core_sending *s, void (*ended)(struct core_sending *s));
int mpii_p2p_wire_push(int proc, const void *head, size_t head_n, const void *body, size_t n); /* a message, as core_push_try */
/* Of processes of other jobs (bridge_p2p.c): the same, and the end of a body that one of them has sent. */
int mpii_bridge_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n);
int mpii_bridge_far(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                    struct core_sending *s, void (*ended)(struct core_sending *s));
void mpii_bridge_end(const struct core_far *far);
/* Where this process can load a far body; one of another job came with its message. */
static inline const void *mpii_p2p_far_here(const struct core_far *far)
{
    return MPT_LIKELY(far->pe < core_size()) ? core_far_here(far) : (const void *)(uintptr_t)far->addr;
}
/* Said now or as soon as there is room; in order. */
void mpii_p2p_say(int proc, const struct mpii_p2p_control *c);
void mpii_p2p_say_more(int proc, const struct mpii_p2p_control *c, uint32_t more); /* four bytes are its body */
void mpii_p2p_fetch_end(const struct core_far *far);
bool mpii_p2p_words_wait(void);
/* Told that a body is no longer wanted, by any thread; runs done(s) with the lock held, now or later. */
void mpii_p2p_on_ended(struct core_sending *s, void (*done)(struct core_sending *s));

/* Sends wait in line for a process that takes no more: nobody may overtake them. */
struct mpii_p2p_line {
    unsigned waiting, stamp;
};
extern unsigned mpii_p2p_waiting; /* in all lines */
struct mpii_p2p_line *mpii_p2p_line_of(int proc);
static inline bool mpii_p2p_must_wait(int proc)
{
    return MPT_UNLIKELY(mpii_p2p_waiting != 0) && mpii_p2p_line_of(proc)->waiting > 0;
}

/* ------------------------------------------------- send.c, send_block.c -- */
enum { P2P_DIRECT = MPII_READY + 1 }; /* a mode: from the memory given, without another copy */

/* Memory that peers can read, for a body that outlives its call. */
struct mpii_p2p_block {
    struct core_sending sending;
    struct mpii_p2p_block *next;
    unsigned size_class;
    bool in_arena;
    void *data;
};
struct mpii_p2p_block *mpii_p2p_block_get(size_t n); /* NULL, errno: EAGAIN (enough is out) or ENOMEM */
struct mpii_p2p_block *mpii_p2p_block_need(size_t n); /* however much is out: the receiver may have to see this message first (3.5) */
void mpii_p2p_block_free(struct mpii_p2p_block *b);
void mpii_p2p_blocks_finish(void);

struct mpii_p2p_send {
    struct mpii_request *next; /* in line, or of the open offers */
    const void *buf;
    MPI_Count count;
    struct mpii_type *type;
    struct mpii_p2p_block *block; /* packed form, the copy of a buffered message, or what an open offer is told by */
    size_t n;
    int dest, proc, mode;
    uint8_t lane;
    bool in_line, out; /* out: the peer knows of it, and will tell that it is taken */
    bool laid; /* block holds a struct mpii_p2p_laid */
    uint8_t fate; /* error class with which it will end; 0 */
    struct core_sending sending;
};
_Static_assert(sizeof(struct mpii_p2p_send) <= sizeof((struct mpii_request *)0)->own, "fits");
static inline struct mpii_p2p_send *mpii_p2p_send_in(struct mpii_request *r) { return (struct mpii_p2p_send *)(void *)r->own; }

extern const struct mpii_request_ops mpii_p2p_send_ops;
struct mpii_request *mpii_p2p_send_new(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                                       enum mpii_lane lane, int mode);
void mpii_p2p_send_start(struct mpii_request *r);
void mpii_p2p_send_fail(struct mpii_request *r, int error); /* not done: it will be, as soon as nobody reads it any more */
/* 0: all of it is done. 1: it takes a request. */
enum mpii_p2p_patience {
    P2P_AT_ONCE,
    P2P_MAY_WAIT, /* a microsecond or two, not in handlers */
    P2P_MAY_LAST, /* until a request is waited for: 1 rather than a copy, where that can be offered */
};
int mpii_p2p_send_at_once(const void *buf, MPI_Count count, struct mpii_type *t, int dest, int tag, struct mpii_comm *c,
                          enum mpii_lane lane, enum mpii_p2p_patience patience);
int mpii_p2p_push_far(struct mpii_request *r, const struct mpii_p2p_head *h);
void mpii_p2p_on_sending_ended(struct core_sending *s);
extern struct mpii_request *mpii_p2p_sent; /* the request of all sends that were done at once */
/* A standard send of n bytes is done before its receiver has them. 0: none is, not even an empty one. */
static inline bool mpii_p2p_may_buffer(size_t n)
{
    return core_params.mpi_buffer_max > 0 && n <= core_params.mpi_buffer_max;
}
extern size_t mpii_p2p_unbuffered;  /* what has so many bytes or more does not leave with its head at once */
extern unsigned mpii_p2p_not_quick; /* sends in line, and one if some short ones are not to be buffered */
/* A message of something that all members of its communicator do together: one of them dead is the end of it. (Not of the
 * leaders of two groups that meet, with a tag of the user's.) */
static inline bool mpii_p2p_is_together(const struct mpii_request *r, enum mpii_lane lane, int tag)
{
    return r->internal && !r->then && lane != MPII_LANE_USER && (lane != MPII_LANE_SETUP || tag & MPII_SETUP_TAG);
}
extern unsigned mpii_p2p_buffers_out; /* copies of buffered messages that no receiver has fetched */

/* -------------------------------------------- strided.c, recv_strided.c --
 * A body that is not dense, for a process of this node: told by what is in memory that the receiver loads. */
struct mpii_p2p_laid {
    struct mpii_regular layout; /* levels 0: a pipe */
    int64_t first; /* where the first block is, from here on */
    _Alignas(64) uint64_t packed; /* pipe: bytes of `data` that are there, told by the sender */
    _Alignas(64) unsigned char data[];
};
bool mpii_p2p_may_lay(const struct mpii_p2p_send *s);
int mpii_p2p_push_laid(struct mpii_request *r, const struct mpii_p2p_head *h);
/* The same at the receiver: packed bytes from v->fetched on that are there; all of them in the end. */
void mpii_p2p_take_laid(struct mpii_request *r, const struct mpii_p2p_laid *l);

/* ---------------------------------------------------------------- offer.c --
 * Waits a microsecond or two. 0: sent, and the (dense) buffer is the user's again; 1: not so. */
int mpii_p2p_send_offer(const void *buf, const struct mpii_p2p_head *h, int proc, size_t n);
/* The same for a send's request (dense), which lasts until the offer is taken or, in a wait or test, copied. */
bool mpii_p2p_may_hold(const void *buf, size_t n, int proc);
int mpii_p2p_offer_hold(struct mpii_request *r, const struct mpii_p2p_head *h); /* 0, a negative errno, or 1: not to be offered */
extern unsigned mpii_p2p_offers_open;
bool mpii_p2p_offer_end(struct mpii_request *r, int error); /* its receiver is dead. False: it is no open offer */
bool mpii_p2p_is_offer(const struct mpii_request *r);
void mpii_p2p_offers_reclaim(void); /* blocks of copies that receivers have taken */
/* What a message of P2P_OFFER tells: its length, and `far` for the others below. */
size_t mpii_p2p_offer_read(const struct core_mail *mail, struct core_far *far);
/* All of it, for the receive; or nobody wants it. False: not now, its sender is copying it. */
bool mpii_p2p_offer_take(struct mpii_request *r, const struct core_far *far);
bool mpii_p2p_offer_drop(const struct core_far *far);

/* ---------------------------------------------------- recv.c, recv_far.c -- */
struct mpii_p2p_recv {
    struct match_node node; /* source and tag as asked for */
    struct mpii_p2p_context *context; /* posted; NULL: matched */
    void *buf;
    MPI_Count count;
    struct mpii_type *type;
    struct core_far far;
    struct core_flow flow;
    struct mpii_task task;
    unsigned char *bounce;
    size_t fetched;
    uint8_t form; /* enum mpii_p2p_form */
};
_Static_assert(sizeof(struct mpii_p2p_recv) <= sizeof((struct mpii_request *)0)->own, "fits");
static inline struct mpii_p2p_recv *mpii_p2p_recv_in(struct mpii_request *r) { return (struct mpii_p2p_recv *)(void *)r->own; }
static inline struct mpii_request *mpii_p2p_request_of(void *own)
{
    return (struct mpii_request *)(void *)((char *)own - offsetof(struct mpii_request, own));
}

extern const struct mpii_request_ops mpii_p2p_recv_ops;
struct mpii_request *mpii_p2p_recv_new(void *buf, MPI_Count count, struct mpii_type *t, int source, int tag, struct mpii_comm *c);
void mpii_p2p_recv_start(struct mpii_request *r, enum mpii_lane lane);
void mpii_p2p_recv_from(struct mpii_request *r, const struct mpii_p2p_mail *m); /* a message for it */
void mpii_p2p_recv_arrived(struct mpii_request *r, struct mpii_p2p_arrived *a); /* one that was held; consumes it */
void mpii_p2p_recv_nothing(struct mpii_request *r); /* from MPI_PROC_NULL */
void mpii_p2p_recv_fail(struct mpii_request *r, int error); /* unless it is matched: then it will be done */
void mpii_p2p_fetch_start(struct mpii_request *r);
extern unsigned mpii_p2p_fetching; /* fetches under way */

/* ------------------------------------------------------------ request.c -- */
static inline struct mpii_request *mpii_p2p_request_in(MPI_Request handle) /* mpii_request_of, without a call */
{
    return (uintptr_t)handle < MPII_PREDEFINED_MAX ? NULL : (struct mpii_request *)mpii_object_of(handle, MPII_REQUEST);
}
struct mpii_request *mpii_p2p_request_new(const struct mpii_request_ops *ops, struct mpii_comm *c); /* `own` is not cleared */
void mpii_p2p_request_free(struct mpii_request *r);
static inline void mpii_p2p_type_hold(struct mpii_type *t)
{
    if (MPT_UNLIKELY(!t->basic))
        mpii_type_hold(t);
}
static inline void mpii_p2p_type_release(struct mpii_type *t)
{
    if (MPT_UNLIKELY(!t->basic))
        mpii_type_release(t);
}

/* --------------------------------------------------------------- wait.c -- */
/* A request of the user's array: its object, NULL for MPI_REQUEST_NULL; raises MPI_ERR_REQUEST. */
int mpii_p2p_request_check(MPI_Request handle, struct mpii_request **r, const char *call);
int mpii_p2p_request_needed(MPI_Request *handle, struct mpii_request **r, const char *call); /* not MPI_REQUEST_NULL */
void mpii_p2p_status_empty(MPI_Status *status);
static inline bool mpii_p2p_is_active(const struct mpii_request *r) { return r && r->active; }
/* Of a request that is done: fill the status, give the request back (or make it inactive); the error class. */
int mpii_p2p_report(struct mpii_request *r, MPI_Request *handle, MPI_Status *status);
int mpii_p2p_status_of(struct mpii_request *r, MPI_Status *status); /* only the first part */
/* The same, with the error raised. */
int mpii_p2p_report_raise(struct mpii_request *r, MPI_Request *handle, MPI_Status *status, const char *call);
/* Of an internal request: wait, then raise its error as the call's. */
int mpii_p2p_request_finish(struct mpii_request *r, MPI_Status *status, const char *call);
void mpii_p2p_wait(struct mpii_request *r, const char *call);
/* What a wait is for, with MPT_CHECK=1: the first of the requests that is not done; else only the call. */
enum { P2P_WHERE = 112 };
const char *mpii_p2p_where(char text[P2P_WHERE], const char *call, int count, const MPI_Request requests[]);
const char *mpii_p2p_where_message(char text[P2P_WHERE], const char *call, const char *what, int rank, int tag, const struct mpii_comm *c);
int mpii_p2p_raise(struct mpii_comm *c, const struct mpii_request *r, int error, const char *call);

/* Of arrays of requests. */
struct mpii_p2p_several {
    int error; /* the first */
    struct mpii_comm *comm; /* on which it is raised; held */
};
void mpii_p2p_several_add(struct mpii_p2p_several *s, struct mpii_request *r, MPI_Request *handle, MPI_Status statuses[], int i);
void mpii_p2p_several_none(struct mpii_p2p_several *s, MPI_Status statuses[], int i);
int mpii_p2p_several_end(struct mpii_p2p_several *s, const char *call);
int mpii_p2p_check_array(int count, const MPI_Request requests[], const char *call);
int mpii_p2p_find_done(int count, const MPI_Request requests[], bool *any_active); /* MPI_UNDEFINED: none */
int mpii_p2p_report_all(int count, MPI_Request requests[], MPI_Status statuses[], const char *call);
int mpii_p2p_report_some(int count, MPI_Request requests[], int *outcount, int indices[], MPI_Status statuses[], const char *call);

/* Packed bytes of (count, t); the largest there is when that does not fit. */
static inline MPI_Count mpii_p2p_bytes(MPI_Count count, const struct mpii_type *t)
{
    MPI_Count n;

    return MPT_LIKELY(!__builtin_mul_overflow(count, t->size, &n)) ? n : INT64_MAX;
}

#endif
