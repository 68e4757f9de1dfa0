/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The fabric on sockets of TCP: one connection for each pair of PEs that talk, made
 * when the first of them has something to send. On it travel frames: messages of the
 * transport, writes into and reads of registered memory, and what was read. Bodies
 * go straight between the sockets and the memory they are for.
 *
 * What came is handled by one thread at a time, in the order of its arrival, so
 * everything below marked "in" needs no lock; what is sent, and the state of a
 * connection, is changed under core_state.net.lock.
 */
#ifndef CORE_NET_TCP_H
#define CORE_NET_TCP_H

#include <netinet/in.h>
#include <sys/socket.h>

#include "core/net/fabric.h"

union core_tcp_address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};
static inline socklen_t core_tcp_size_of(const union core_tcp_address *a)
{
    return a->any.sa_family == AF_INET ? sizeof a->v4 : sizeof a->v6;
}

/* ---------------------------------------------------------------- frames -- */

enum core_tcp_kind {
    TCP_MESSAGE, /* n bytes of a message follow */
    TCP_WRITE,   /* n bytes for addr of key follow; cookie: the op that wants to know */
    TCP_READ,    /* n bytes at addr of key are wanted by op cookie */
    TCP_DATA,    /* ... and follow here */
    TCP_KINDS
};

/* What stands before a body; before a message only the first word, the message has a seal of its own. What follows is
 * filled up to a multiple of 8. */
struct core_tcp_frame {
    uint32_t n;
    uint32_t kind;
    uint64_t cookie, key, addr;
    uint64_t seal; /* of the words before, under the receiver's key */
};
enum { TCP_SHORT = 8 }; /* bytes of a message's frame */

/* An op on its way out, in op->context. */
struct core_tcp_out {
    struct core_tcp_frame frame;
    const void *body;
    uint64_t sent; /* bytes of frame, body and filling */
};
_Static_assert(sizeof(struct core_tcp_out) <= sizeof((struct core_net_op *)0)->context, "it fits");
static inline struct core_tcp_out *core_tcp_out_of(struct core_net_op *op)
{
    return (struct core_tcp_out *)op->context;
}

/* ----------------------------------------------------------- connections -- */

/* What a descriptor that is ready belongs to. */
enum core_tcp_what { TCP_LISTENER, TCP_CONNECTION, TCP_GREETER };

enum core_tcp_state {
    TCP_NONE,
    TCP_CONNECTING, /* our greeter is at it */
    TCP_AGAIN,      /* it was turned away: theirs comes, or we try again at `when` */
    TCP_UP,
    TCP_BROKEN
};

struct core_tcp_connection {
    enum core_tcp_what what; /* first */
    enum core_tcp_state state; /* by core_tcp_become; without the lock it is read by core_tcp_is_up only */
    int fd, pe;
    int error;      /* why it is broken */
    int64_t when;   /* next try, ms */
    int64_t begun;  /* the first try */
    struct core_net_op *first, **last; /* to be sent */
    unsigned queued;
    uint64_t bytes;  /* of them */
    uint64_t turn;   /* of the last send that did not wait for others */
    bool listed, armed; /* in core_tcp.blocked, with something to be sent; EPOLLOUT is asked for */
    struct core_tcp_connection *next_blocked;
    /* in */
    uint64_t at;    /* bytes that came, modulo 8 */
    unsigned have;  /* bytes of frame that are there */
    unsigned pad;   /* bytes to be skipped */
    unsigned char *to;
    uint64_t left;  /* bytes of the body that are missing */
    struct core_tcp_frame frame;
    struct core_net_op *op; /* whose buffer or memory the body is for */
    struct core_pushed *body; /* whose head was handed on; while `to` is NULL its beginning lies in op, at: */
    const unsigned char *early;
    size_t early_n;
};

struct core_tcp_greeter;
struct core_tcp_entry;

/* All that this fabric knows: apart from core_state, as its types are known here only. */
struct core_tcp_all {
    int epoll, listener;
    enum core_tcp_what listening; /* TCP_LISTENER */
    bool deaf;                 /* the listener is not watched: as many wait as may */
    union core_tcp_address own;
    char iface[16];
    struct core_tcp_connection *peer; /* by PE */
    union core_tcp_address *address;  /* by PE */
    struct core_tcp_connection *blocked; /* atomic: progress looks whether there is one */
    struct core_tcp_greeter *greeters, *gone; /* to be freed */
    unsigned callers;          /* greeters of others */
    unsigned again;            /* connections in TCP_AGAIN */
    unsigned up;               /* connections; by core_tcp_count, as progress looks at it, and at: */
    unsigned meeting;          /* greeters, those to be freed, connections in TCP_AGAIN, deafness */
    struct core_tcp_connection *hot[2]; /* that had something last */
    unsigned looks;
    uint64_t turn;             /* calls of progress */
    unsigned asked;            /* calls of progress that found only quiet connections */
    bool inside;
    struct core_net_op *stage; /* a receive's buffer (tcp_receive.c); NULL: none yet, or the last one was kept */
    struct {
        struct core_tcp_entry *entry;
        uint32_t n, used; /* used: entries that were ever taken */
        uint32_t free;    /* number + 1, chained by n */
    } memory; /* tcp_memory.c */
};
extern struct core_tcp_all core_tcp;

/* What is written under the lock, and read without it. */
static inline void core_tcp_become(struct core_tcp_connection *c, enum core_tcp_state state)
{
    /* model: publish.set */
    __atomic_store_n(&c->state, state, __ATOMIC_RELEASE); /* the descriptor is there */
}
static inline bool core_tcp_is_up(const struct core_tcp_connection *c)
{
    /* model: publish.see */
    return __atomic_load_n(&c->state, __ATOMIC_ACQUIRE) == TCP_UP;
}
static inline void core_tcp_count(unsigned *n, int by)
{
    __atomic_store_n(n, *n + (unsigned)by, __ATOMIC_RELAXED);
}
static inline unsigned core_tcp_counted(const unsigned *n)
{
    return __atomic_load_n(n, __ATOMIC_RELAXED);
}

int64_t core_tcp_now(void); /* ms */

/* ---------------------------------------------------------- tcp_send.c ---- */
int core_tcp_send(struct core_net_op *op);
int core_tcp_write(struct core_net_op *op, const void *from, struct core_net_target to, size_t n, bool delivered);
int core_tcp_read(struct core_net_op *op, void *to, struct core_net_target from, size_t n);
bool core_tcp_busy(int pe);
bool core_tcp_sealed(const struct core_tcp_frame *f);
void core_tcp_answer(int pe, uint64_t cookie, const void *p, size_t n); /* lock held: TCP_DATA */
bool core_tcp_flush(struct core_tcp_connection *c); /* lock held; true: some bytes went */
bool core_tcp_flush_blocked(void);                 /* the same of all that wait for room */
void core_tcp_broken(struct core_tcp_connection *c, int error); /* lock held */

/* ------------------------------------------------------- tcp_receive.c ---- */
int core_tcp_receive(struct core_tcp_connection *c); /* what came on it; 0: nothing did */
void core_tcp_stage_end(void);

/* --------------------------------------------------------- tcp_greet.c ---- */
void core_tcp_connect(struct core_tcp_connection *c); /* lock held */
void core_tcp_accept(void);                          /* lock held */
void core_tcp_greet(struct core_tcp_greeter *g);      /* lock held: its socket is ready */
void core_tcp_greeters_look(
    void); /* lock held: now and then, one that takes too long goes, one that was turned away tries again */
void core_tcp_greeters_free(bool all);

/* -------------------------------------------------------- tcp_memory.c ---- */
int core_tcp_enroll(struct core_net_memory *m, void *p, size_t n, bool writable);
void core_tcp_release(struct core_net_memory *m);
void *core_tcp_memory_at(uint64_t key, uint64_t offset, uint64_t n, bool writable); /* NULL: it may not be; lock held */
void core_tcp_memory_end(void);

/* ------------------------------------------------------- tcp_address.c ---- */
int core_tcp_choose(bool one_host, union core_tcp_address *a, char *iface,
                    size_t n); /* a message has been printed when it fails */

/* ------------------------------------------------------ tcp_progress.c ---- */
int core_tcp_progress(void);
bool core_tcp_may_sleep(void);
void core_tcp_watch(int op, int fd, unsigned events, void *what);

#endif
