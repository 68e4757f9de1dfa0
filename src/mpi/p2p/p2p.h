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
#include "mpi/p2p/label.h"
#include "mpi/p2p/ahead.h"
#include "mpi/p2p/match.h"
#include "mpi/p2p/protocol.h"
#include "mpi/request/request.h"
#include "mpi/type/type.h"

/* --------------------------------------------------------- what travels --
 * A message's head. A body that fits goes with it, else stays with the sender
 * (core_send_rndv). The short head is that of messages whose sender needs to hear
 * nothing more, so that 40 bytes of data share its cache line. */
struct mpii_p2p_head {
    uint64_t context;
    int32_t tag, source;
    uint64_t id; /* the sender's request, for P2P_TAKEN and P2P_CANCEL */
    struct mpii_p2p_label label; /* P2P_LABELLED */
    uint8_t none[2]; /* makes P2P_LAID and P2P_OFFER differ */
};
enum { MPII_CHECK_TAGS = 1 << 22 }; /* of MPII_LANE_COLL, below it: with --check, of how calls are compared */
enum { P2P_SHORT = 16, P2P_LONG = 24, P2P_LAID = 25, P2P_OFFER = 26, P2P_EAGER = CORE_SEND_MAX - P2P_LONG };
/* With --check: so many bytes, and as many more as LAID and OFFER have. */
enum { P2P_LABELLED = P2P_LONG + sizeof(struct mpii_p2p_label) };
_Static_assert(offsetof(struct mpii_p2p_head, label) == P2P_LONG &&
                   offsetof(struct mpii_p2p_head, none) == P2P_LABELLED,
               "a label lies behind the long head");
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
    P2P_NOTHING, /* revoke.c: connects to a process of another job */
    P2P_REVOKE, /* revoke.c: the communicator of context `id` */
    P2P_AGREE,  /* agree.c: agreement number `arg` of context `id` */
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
    const struct core_rndv *rndv;
    uint8_t form;               /* ... in this form */
    const struct mpii_p2p_label *label; /* NULL: it has none */
    uint32_t number;            /* with MPT_CHECK: ahead.h */
    uint64_t traced;            /* with MPT_TRACE: its number at its sender */
};

/* A message that no receive has matched. */
struct mpii_p2p_arrived {
    struct match_node node;
    struct mpii_p2p_context *context;
    struct mpii_p2p_arrived *next; /* free ones */
    struct core_rndv rndv;
    struct mpii_p2p_mail mail;
    size_t room; /* bytes of data */
    struct mpii_p2p_label label;
    bool told;   /* a probe has found it */
    _Alignas(16) unsigned char data[];
};

struct mpii_p2p_context {
    struct match_queue q;
    uint64_t key;
    struct mpii_p2p_context *next; /* with the same hash */
};

/* ----------------------------------------------------- match_context.c -- */
struct mpii_p2p_context *mpii_p2p_context_find(uint64_t key); /* NULL: there is none */
struct mpii_p2p_context *mpii_p2p_context_make(uint64_t key); /* the same, made when there is none */
static inline struct mpii_p2p_context *mpii_p2p_context_of(struct mpii_comm *c, enum mpii_lane lane)
{
    struct mpii_p2p_context **lanes = c->match;

    return MPT_LIKELY(lanes && lanes[lane]) ? lanes[lane] : NULL;
}
/* The same, made when there is none. */
struct mpii_p2p_context *mpii_p2p_context_open(struct mpii_comm *c, enum mpii_lane lane);

/* -------------------------------------------------------- unexpected.c -- */
/* The oldest message that fits; from any source perhaps the oldest of another one. */
struct match_node *mpii_p2p_find_any(const struct match_queue *q, struct match_node *oldest, int tag);
static inline struct match_node *mpii_p2p_find(struct match_queue *q, int source, int tag)
{
    struct match_node *n = match_find(q, source, tag);

    return n && source == MPI_ANY_SOURCE && core_adversary_on() ? mpii_p2p_find_any(q, n, tag) : n;
}
void mpii_p2p_unexpected_hold(struct mpii_p2p_context *c, const struct mpii_p2p_mail *m);
/* Nobody will receive it: `n` is in one. */
void mpii_p2p_unexpected_drop(struct mpii_p2p_context *c, struct match_node *n);
void mpii_p2p_arrived_free(struct mpii_p2p_arrived *a);
/* Is there a message that nobody has received? */
bool mpii_p2p_has_arrived(struct mpii_comm *c, enum mpii_lane lane, int source, int tag);

/* -------------------------------------------------- match.c, control.c -- */
int mpii_p2p_channels_open(void);
/* The race checker: what this process does next comes after what that one has done by now. */
static inline void mpii_p2p_heard(int proc)
{
    if (MPT_UNLIKELY(core_race_on()) && proc < core_size())
        core_race_told(proc, UINT32_MAX);
}
void mpii_p2p_on_control_mail(const struct core_mail *mail); /* handler of MPII_CHANNEL_CONTROL */
/* A message of another job, of MPII_CHANNEL_MESSAGE or CONTROL. */
void mpii_p2p_arrived_over_bridge(enum mpii_channel channel, const struct core_mail *mail);

/* ------------------------------------------------------------ the wire --
 * The one place from which messages go to process `proc`: 0, -EAGAIN or another negative errno. Whatever
 * connects to other jobs says how they get there (dyn/bridge_p2p.c). */
struct mpii_p2p_foreign {
    int (*send)(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n);
    int (*rndv)(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                struct core_sending *s, void (*ended)(struct core_sending *s));
    void (*end)(const struct core_rndv *rndv); /* of a body that has come so */
};
/* For the race checker. */
static inline void mpii_p2p_mails(int proc, enum mpii_channel channel)
{
    if (MPT_LIKELY(!core_race_on()) || proc >= core_size())
        return;
    if (channel == MPII_CHANNEL_MESSAGE)
        core_race_mails(proc);
    else
        core_race_tell();
}
static inline void mpii_p2p_mailed(int err, int proc, enum mpii_channel channel)
{
    if (MPT_UNLIKELY(core_race_on()) && proc < core_size() && channel == MPII_CHANNEL_MESSAGE && err == 0)
        core_race_mailed(proc);
}
static inline int mpii_p2p_count_sent(int err, enum mpii_channel channel, size_t n)
{
    if (channel == MPII_CHANNEL_MESSAGE && err == 0) {
        mpii_state.counters.sends++;
        mpii_state.counters.send_bytes += n;
    }
    return err;
}

static inline int mpii_p2p_wire_send(int proc, enum mpii_channel channel, const void *head, size_t head_n,
                                     const void *body, size_t n)
{
    mpii_p2p_mails(proc, channel);
    int err = MPT_LIKELY(proc < core_size()) ? core_send_try(proc, channel, head, head_n, body, n)
                                             : mpii_state.p2p.foreign->send(proc, channel, head, head_n, body, n);

    mpii_p2p_mailed(err, proc, channel);
    return mpii_p2p_count_sent(err, channel, n);
}

/* As core_send_rndv_try. */
static inline int mpii_p2p_wire_rndv(int proc, enum mpii_channel channel, const void *head, size_t head_n,
                                     const void *body, size_t n, struct core_sending *s,
                                     void (*ended)(struct core_sending *s))
{
    mpii_p2p_mails(proc, channel);
    int err = MPT_LIKELY(proc < core_size())
                  ? core_send_rndv_try(proc, channel, head, head_n, body, n, s, ended)
                  : mpii_state.p2p.foreign->rndv(proc, channel, head, head_n, body, n, s, ended);

    mpii_p2p_mailed(err, proc, channel);
    return mpii_p2p_count_sent(err, channel, n);
}

/* As core_push_try. */
static inline int mpii_p2p_wire_push(int proc, const void *head, size_t head_n, const void *body, size_t n)
{
    mpii_p2p_mails(proc, MPII_CHANNEL_MESSAGE);
    int err = core_push_try(proc, MPII_CHANNEL_MESSAGE, head, head_n, body, n);

    mpii_p2p_mailed(err, proc, MPII_CHANNEL_MESSAGE);
    return mpii_p2p_count_sent(err, MPII_CHANNEL_MESSAGE, n);
}

/* Bytes of a head, which has `plain` without a label. */
static inline size_t mpii_p2p_head_bytes(const struct mpii_p2p_message *m, size_t plain)
{
    return MPT_LIKELY(!m->label) ? plain : P2P_LABELLED + (plain > P2P_LONG ? plain - P2P_LONG : 0);
}
/* The head of a message, which has `plain` bytes without a label; asked: the request that is told when it is matched,
 * or NULL. Returns its bytes. */
static inline size_t mpii_p2p_head_fill(struct mpii_p2p_head *h, const struct mpii_p2p_message *m,
                                        const struct mpii_request *asked, size_t plain)
{
    h->context = m->comm->context + m->lane;
    h->tag = m->tag;
    h->source = m->comm->rank;
    h->id = (uintptr_t)asked;
    if (MPT_UNLIKELY(m->label != NULL))
        h->label = *m->label;
    return mpii_p2p_head_bytes(m, plain);
}
/* The most bytes of a synchronous message that travels with its head. */
static inline size_t mpii_p2p_eager_sync_most(const struct mpii_p2p_message *m)
{
    return CORE_SEND_MAX - mpii_p2p_head_bytes(m, P2P_LONG);
}

/* ------------------------------------------------------- match_wire.c -- */
/* Where this process can load a rendezvous body; one of another job came with its message. */
static inline const void *mpii_p2p_rndv_here(const struct core_rndv *rndv)
{
    return MPT_LIKELY(rndv->pe < core_size()) ? core_rndv_here(rndv) : (const void *)(uintptr_t)rndv->addr;
}
/* Said now or as soon as there is room; in order. */
void mpii_p2p_say(int proc, const struct mpii_p2p_control *c);
void mpii_p2p_say_more(int proc, const struct mpii_p2p_control *c, uint32_t more); /* four bytes are its body */
void mpii_p2p_fetch_end(const struct core_rndv *rndv);
bool mpii_p2p_words_wait(void);

/* Sends to a process that takes no more are queued: nobody may overtake them. */
struct mpii_p2p_peer_queue {
    unsigned waiting, stamp;
};
struct mpii_p2p_peer_queue *mpii_p2p_peer_queue_of(int proc);
static inline bool mpii_p2p_must_wait(int proc)
{
    return MPT_UNLIKELY(mpii_state.p2p.waiting != 0) && mpii_p2p_peer_queue_of(proc)->waiting > 0;
}

/* --------------------------------------------------------- send_block.c --
 * Memory that peers can read, for a body that outlives its call. */
struct mpii_p2p_block {
    struct core_sending sending;
    struct mpii_p2p_block *next;
    unsigned size_class;
    bool in_arena;
    void *data;
};
struct mpii_p2p_block *mpii_p2p_block_get(size_t n); /* NULL: enough is out, or there is no memory */
struct mpii_p2p_block *
mpii_p2p_block_need(size_t n); /* however much is out: the receiver may have to see this message first (3.5) */
void mpii_p2p_block_free(struct mpii_p2p_block *b);
void mpii_p2p_blocks_finish(void);

/* ------------------------------------------------------------- send.c --
 * protocol.h has what it decides. */
struct mpii_p2p_send {
    struct mpii_p2p_message m;
    struct mpii_request *next; /* in the queue, or of the open offers */
    struct mpii_p2p_block *block; /* packed form, the copy of a buffered message, or what an open offer is told by */
    bool queued, out; /* out: the peer knows of it, and will tell that it is taken */
    bool laid; /* block holds a struct mpii_p2p_laid */
    uint8_t fate; /* error class with which it will end; 0 */
    struct core_sending sending;
    struct mpii_p2p_label label; /* where m.label is not NULL */
};
_Static_assert(sizeof(struct mpii_p2p_send) <= sizeof((struct mpii_request *)0)->own, "fits");
static inline struct mpii_p2p_send *mpii_p2p_send_in(struct mpii_request *r)
{
    return (struct mpii_p2p_send *)(void *)r->own;
}
/* Begins to send. *r is its request, mpii_state.request.sent if all of it is done, NULL if there is no memory for one:
 * false. */
bool mpii_p2p_send(const struct mpii_p2p_message *m, struct mpii_request **r);
bool mpii_p2p_send_at_once(const struct mpii_p2p_message *m); /* false: it takes a request, and nothing was done */
struct mpii_request *mpii_p2p_send_new(const struct mpii_p2p_message *m); /* not started; NULL: no memory */
void mpii_p2p_send_start(struct mpii_request *r);
/* One more try of a request's, by the first protocol that serves, and what follows from its outcome. */
enum mpii_p2p_outcome mpii_p2p_send_try(struct mpii_request *r);
void mpii_p2p_send_settle(struct mpii_request *r, enum mpii_p2p_outcome outcome);
static inline void mpii_p2p_leave_block(struct mpii_p2p_send *s)
{
    if (MPT_UNLIKELY(s->block != NULL))
        mpii_p2p_block_free(s->block);
    s->block = NULL;
    s->laid = false;
}

/* -------------------------------------------------------- send_request.c -- */
extern const struct mpii_request_ops mpii_p2p_send_ops;
void mpii_p2p_enqueue(struct mpii_request *r);
/* The error of its communicator or receiver that keeps it from being sent. */
int mpii_p2p_send_hindered(const struct mpii_request *r);
void mpii_p2p_send_fail(struct mpii_request *r,
                        int error); /* not done: it will be, as soon as nobody reads it any more */
/* A standard send of n bytes is done before its receiver has them. 0: none is, not even an empty one. */
static inline bool mpii_p2p_may_buffer(size_t n)
{
    return core_params.mpi_buffer_max > 0 && n <= core_params.mpi_buffer_max;
}
/* A message of something that all members of its communicator do together: one of them dead is the end of it. (Not of
 * the leaders of two groups that meet, with a tag of the user's.) */
static inline bool mpii_p2p_is_together(const struct mpii_request *r, enum mpii_lane lane, int tag)
{
    return r->internal && !r->then && lane != MPII_LANE_USER && (lane != MPII_LANE_SETUP || tag & MPII_SETUP_TAG);
}

/* -------------------------------------------- strided.c --
 * A body that is not dense, for a process of this node: told by what is in memory that the receiver loads. */
struct mpii_p2p_laid {
    struct mpii_regular layout; /* levels 0: a pipe */
    int64_t first; /* where the first block is, from here on */
    _Alignas(64) uint64_t packed; /* pipe: bytes of `data` that are there, told by the sender */
    _Alignas(64) unsigned char data[];
};
/* The same at the receiver: packed bytes from v->fetched on that are there; all of them in the end. */
void mpii_p2p_take_laid(struct mpii_request *r, const struct mpii_p2p_laid *l);

/* ---------------------------------------------------------------- offer.c --
 * Offers that a request holds, until they are taken or, in a wait or test, copied. */
bool mpii_p2p_offer_end(struct mpii_request *r, int error); /* its receiver is dead. False: it is no open offer */
bool mpii_p2p_is_offer(const struct mpii_request *r);
void mpii_p2p_offers_reclaim(void); /* blocks of copies that receivers have taken */
/* What a message of P2P_OFFER tells: its length, and `far` for the others below. */
size_t mpii_p2p_offer_read(const struct core_mail *mail, struct core_rndv *rndv);
/* All of it, for the receive; or nobody wants it. False: not now, its sender is copying it. */
bool mpii_p2p_offer_take(struct mpii_request *r, const struct core_rndv *rndv);
bool mpii_p2p_offer_drop(const struct core_rndv *rndv);

/* ---------------------------------------------------- recv.c, recv_rndv.c -- */
struct mpii_p2p_recv {
    struct match_node node; /* source and tag as asked for */
    struct mpii_p2p_context *context; /* posted; NULL: matched */
    void *buf;
    MPI_Count count;
    struct mpii_type *type;
    struct core_rndv rndv;
    struct core_flow flow;
    struct mpii_hook hook;
    unsigned char *bounce;
    size_t fetched;
    uint8_t form; /* enum mpii_p2p_form */
    bool blocks;    /* with MPT_CHECK: its call waits for it; ... */
    uint32_t event; /* ... ahead.h */
    struct mpii_p2p_asker asker; /* label.h */
    const void *watched; /* with MPT_CHECK: the owner of its buffer's watch, if not its request; NULL: no other */
};
_Static_assert(sizeof(struct mpii_p2p_recv) <= sizeof((struct mpii_request *)0)->own, "fits");
static inline struct mpii_p2p_recv *mpii_p2p_recv_in(struct mpii_request *r)
{
    return (struct mpii_p2p_recv *)(void *)r->own;
}
static inline struct mpii_request *mpii_p2p_request_of(void *own)
{
    return (struct mpii_request *)(void *)((char *)own - offsetof(struct mpii_request, own));
}

extern const struct mpii_request_ops mpii_p2p_recv_ops;
struct mpii_request *mpii_p2p_recv_new(void *buf, MPI_Count count, struct mpii_type *t, int source, int tag,
                                       struct mpii_comm *c);
void mpii_p2p_recv_start(struct mpii_request *r, enum mpii_lane lane);
void mpii_p2p_recv_from(struct mpii_request *r, const struct mpii_p2p_mail *m); /* a message for it */
void mpii_p2p_recv_arrived(struct mpii_request *r, struct mpii_p2p_arrived *a); /* one that was held; consumes it */
void mpii_p2p_recv_nothing(struct mpii_request *r); /* from MPI_PROC_NULL */
void mpii_p2p_recv_fail(struct mpii_request *r, int error); /* unless it is matched: then it will be done */
void mpii_p2p_fetch_start(struct mpii_request *r);

/* ---------------------------------------------------------------- where.c -- */
/* What a wait for a message is for, with MPT_CHECK=1; else only the call. */
const char *mpii_p2p_where(char text[MPII_WHERE], const char *call, const char *what, int rank, int tag,
                           const struct mpii_comm *c);
/* Who can send what is received from `source`, MPI_ANY_SOURCE too. */
void mpii_p2p_awaited(struct core_wire_blocked_thread *b, const struct mpii_comm *c, int source);
/* "from rank 1, tag 9, MPI_COMM_WORLD, 4 MPI_INT"; t NULL: a probe. */
void mpii_p2p_say_call(char text[MPII_AWAIT_TEXT], const char *way, const struct mpii_comm *c, int rank, int tag,
                       MPI_Count count, const struct mpii_type *t);
/* What has come and nearly fits a receive in the context of this key; "" if nothing. */
void mpii_p2p_say_miss(char text[MPII_AWAIT_TEXT], const struct mpii_comm *c, uint64_t key, int source, int tag);
/* For core_wait_by, of a probe; it lasts as long as the wait. */
struct mpii_p2p_probing {
    const char *call;
    const struct mpii_comm *comm;
    int source, tag;
    struct core_blocked_by by;
};
const struct core_blocked_by *mpii_p2p_probe_by(struct mpii_p2p_probing *p);

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

/* Packed bytes of (count, t); the largest there is when that does not fit. */
static inline MPI_Count mpii_p2p_bytes(MPI_Count count, const struct mpii_type *t)
{
    MPI_Count n;

    return MPT_LIKELY(!__builtin_mul_overflow(count, t->size, &n)) ? n : INT64_MAX;
}

/* A message of standard mode that the user waits for, unless its fields are changed. */
static inline struct mpii_p2p_message mpii_p2p_message_of(const void *buf, MPI_Count count, struct mpii_type *t,
                                                          int dest, int tag, struct mpii_comm *c)
{
    return (struct mpii_p2p_message){
        .buf = buf,
        .count = count,
        .type = t,
        .comm = c,
        .n = (size_t)mpii_p2p_bytes(count, t),
        .dest = dest,
        .proc = dest == MPI_PROC_NULL ? -1 : c->procs[dest],
        .tag = tag,
        .lane = MPII_LANE_USER,
        .mode = MPII_STANDARD,
    };
}

#endif
