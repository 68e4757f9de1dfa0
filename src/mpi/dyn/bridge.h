/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Bridges: streams of frames between processes of different jobs. A process that has
 * something to say opens a stream; what comes back takes another one. So each
 * stream has one direction, and both may be opened at once without harm.
 */
#ifndef MPI_BRIDGE_H
#define MPI_BRIDGE_H

#include "mpi/dyn/dyn.h"

enum mpii_bridge_kind {
    BRIDGE_HELLO,   /* body: struct mpii_bridge_hello; first of every stream */
    BRIDGE_MESSAGE, /* a message of `channel` */
    BRIDGE_RNDV,     /* the same with a body that the sender wants to be told the end of: `token` */
    BRIDGE_END,     /* of that body */
    BRIDGE_OFFER,   /* port.c; head: port and number of the offer, body: addresses */
    BRIDGE_ANSWER,  /* head: the offer's number and context, body: addresses; none: refused */
    BRIDGE_SETTLED, /* head: the offer's number, and 1: the answer has come, or 0: nobody waits for it any more */
    BRIDGE_BYE,     /* the sender is in MPI_Finalize: no more of it comes */
    BRIDGE_KINDS
};

struct mpii_bridge_frame {
    uint32_t kind, channel, head_n, token;
    uint64_t n;
};

#define BRIDGE_MAGIC 0x3367426254504dull
struct mpii_bridge_hello {
    uint64_t magic;
    struct mpii_dyn_address from, to;
};

/* What waits to be written: frame, head and small bodies in `data`, a large body where its sender has it. */
struct mpii_bridge_chunk {
    struct mpii_bridge_chunk *next;
    size_t n, at;
    const char *body;
    size_t body_n;
    char data[];
};

struct mpii_bridge_out {
    int fd;       /* -1: not open */
    bool up;      /* connected */
    bool hung_up; /* the peer has closed its end */
    bool patient; /* a refusal is no answer: the peer may be about to listen */
    uint64_t give_up, retry; /* ns of the clock */
    struct mpii_bridge_chunk *first, **last;
    size_t queued; /* bytes of data */
};

struct mpii_bridge_in;

struct mpii_dyn_peer {
    struct mpii_dyn_peer *next;
    struct mpii_dyn_address at;
    int number;    /* of the process, here */
    bool bye_said; /* it will hear no more of us */
    bool bye_heard;
    bool gone;     /* it cannot be reached any more */
    struct mpii_bridge_out out;
    struct mpii_bridge_in *in;
};

/* --------------------------------------------------------------- bridge.c -- */
int mpii_bridge_open(struct mpii_dyn_address *own); /* listen; fills the TCP part. 0 or negative errno */
void mpii_bridge_close(void);
struct mpii_bridge_post {
    enum mpii_bridge_kind kind;
    unsigned channel;
    const void *head;
    size_t head_n;
    const void *body;
    size_t n;
    bool by_reference; /* the body stays until its end is told */
    uint32_t token;
};
/* Queued, and begun. 0, -EPIPE (gone), -ENOMEM. */
int mpii_bridge_post(struct mpii_dyn_peer *p, const struct mpii_bridge_post *post);
bool mpii_bridge_full(const struct mpii_dyn_peer *p); /* enough is queued */
bool mpii_bridge_idle(const struct mpii_dyn_peer *p); /* all is written, or it is gone */
void mpii_bridge_lost(struct mpii_dyn_peer *p, const char *why); /* its stream broke */
/* Events of `fd` are those of `what`. `known`: they were watched before. */
enum mpii_bridge_tag { BRIDGE_UNIX, BRIDGE_TCP, BRIDGE_OUT, BRIDGE_IN, BRIDGE_NAMES, BRIDGE_TAGS = 8 };
void mpii_bridge_watch(int fd, uint32_t events, enum mpii_bridge_tag tag, void *what, bool known);
/* Closing alone would not end the events while a child that is about to exec has the socket too. */
void mpii_bridge_close_socket(int fd);
void mpii_bridge_listen_to(bool who_knocks); /* false: new streams wait in the system's queue */

/* ----------------------------------------------------------- bridge_net.c -- */
int mpii_bridge_listen_unix(const struct mpii_dyn_address *own); /* a descriptor, or a negative errno after a message */
int mpii_bridge_listen_tcp(struct mpii_dyn_address *own); /* the same; -ENOENT: not wanted. Fills ip and port */
/* Begin to connect: a descriptor (*err 0, or EINPROGRESS), or -1 and *err. */
int mpii_bridge_connect(const struct mpii_dyn_address *to, int *err);
bool mpii_bridge_is_ours(int fd); /* a Unix socket whose other end is of this user; or one of TCP */

/* ---------------------------------------------------------- bridge_read.c -- */
void mpii_bridge_accept(int listener, bool tcp); /* all who knock, and what they have said so far */
void mpii_bridge_read(struct mpii_bridge_in *in);
void mpii_bridge_in_close(struct mpii_bridge_in *in); /* NULL is fine; its memory goes in mpii_bridge_in_free_closed */
void mpii_bridge_in_free_closed(void);
void mpii_bridge_in_close_all(void);
void mpii_bridge_in_step(uint64_t now); /* now and then: those who have said nothing for too long */

/* ----------------------------------------------------------- bridge_p2p.c -- */
/* A message to a process of another job, as core_send_try and core_send_rndv_try; the end of a body that one of them
 * has sent. */
int mpii_bridge_send(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n);
int mpii_bridge_rndv(int proc, enum mpii_channel channel, const void *head, size_t head_n, const void *body, size_t n,
                     struct core_sending *s, void (*ended)(struct core_sending *s));
void mpii_bridge_end(const struct core_rndv *rndv);
extern const struct mpii_p2p_foreign mpii_bridge_messages; /* those three, for point-to-point */
void mpii_bridge_deliver(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head, void *body);
/* BRIDGE_RNDV: `body` is malloc'ed and the callee's. */
void mpii_bridge_deliver_rndv(struct mpii_dyn_peer *from, const struct mpii_bridge_frame *f, const void *head,
                              void *body);
void mpii_bridge_on_end(struct mpii_dyn_peer *from, uint32_t token);
void mpii_bridge_forget(struct mpii_dyn_peer *peer); /* it is gone: bodies that it had are over */
#endif
