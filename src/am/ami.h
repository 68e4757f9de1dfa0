/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the active messages share, in reading order: how a message looks,
 * what is known of each peer, and the functions under their files' names.
 *
 * Room for replies. Each PE has at most AMI_WINDOW requests at a peer that are not
 * done; a request is done when its handler has returned and its reply, if any, is in
 * the ring. Every message says how many requests of its receiver are done so far, and
 * who has answered none for long says it by an ACK. A reply that finds the ring full
 * is parked in memory of its own and sent by a later step. So a reply never waits; and
 * as a request that is parked here still counts at its sender, at most AMI_WINDOW
 * replies are parked for each peer, however much all flood each other.
 */
#ifndef AM_AMI_H
#define AM_AMI_H

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#define AM_NO_MACROS
#include "am.h"
#include "am/am_core.h"
#include "coll/coll.h"
#include "core/channel/fastpath.h"
#include "core/check/fatal.h"
#include "core/core.h"

enum { AMI_CHANNEL = 7, AMI_WINDOW = 128, AMI_PORTION = AMI_WINDOW / 2 };

enum ami_kind {
    AMI_SHORT,  /* words */
    AMI_DF,     /* two words and a double */
    AMI_V,      /* words */
    AMI_MEDIUM, /* words, then bytes */
    AMI_STORED, /* address, bytes, argument: they are there already */
    AMI_DATA,   /* in the head address and argument; the body is to go there */
    AMI_GET,    /* address, bytes; address and argument of the reply, which is DATA */
    AMI_LOST,   /* status: the message to this handler came back */
    AMI_USERS,  /* kinds below run handlers of the program, or report about them */
    AMI_ACK = AMI_USERS,
    AMI_ASK,    /* number: tell when so many of my requests are done */
    AMI_STEP,   /* to oneself: something waits for a step */
    AMI_KINDS
};

struct ami_head {
    uint64_t handler; /* module.c */
    uint32_t done;    /* requests of the receiver */
    uint8_t kind, words, reply, spare;
};
_Static_assert(sizeof(struct ami_head) == sizeof(struct core_fast_head), "a short message's head");

struct ami_data_head {
    struct ami_head head;
    uint64_t addr, arg;
};

enum {
    AMI_MEDIUM_MAX = CORE_SEND_MAX - sizeof(struct ami_head) - AM_WORDS_MAX * sizeof(am_word),
    AMI_DATA_MAX = CORE_SEND_MAX - sizeof(struct ami_data_head)
};

/* A message to be sent. */
struct ami_msg {
    struct ami_data_head h;
    size_t head_n;
    const void *body;
    size_t n;
    bool owned; /* free the body, malloc'ed, when it has been sent */
};

struct ami_peer {
    uint32_t sent, acked; /* requests to it; of them done */
    uint32_t done, told;  /* requests of it; as it was told */
    uint32_t asked;       /* it wants to know when so many are done */
    bool ack_due;
    struct {
        uint64_t out[2], in[2]; /* requests, replies */
    } traced; /* with --trace: messages so far */
    struct ami_parked *first, **last; /* replies to it, in order */
};

/* The message whose handler runs. */
struct ami_context {
    struct ami_context *up;
    vnn_t src;
    bool reply, replied;
    unsigned words;
    size_t n;
    am_handler handler;
};

/* A module of the process, the program or a library (module.c). */
struct ami_module {
    uintptr_t lo, n; /* its code */
    uintptr_t base;
    uint64_t tag;
};

/* What am_request_prepare began (prepare.c). */
struct ami_prepared {
    bool open;
    vnn_t dest;
    int bytes, words;
    struct core_peer *fast; /* NULL: in the buffer */
    struct core_fast_room place;
    am_word buffer[AM_WORDS_MAX + AMI_MEDIUM_MAX / sizeof(am_word)];
};

/* All that the layer remembers. */
enum { AMI_MODULES = 256 };
extern struct ami {
    struct ami_peer *peer;
    struct ami_context *context;
    unsigned parked, pending, acks; /* what steps are for; so is: */
    struct core_sending *ended;     /* bodies of asynchronous stores; by any thread */
    int starts;
    int last;                       /* who sent the last message */
    struct ami_module program;      /* its code, where most handlers are */
    unsigned tests;                 /* polls in a row that found nothing */
    unsigned polls, pauses;         /* counted, so that now and then all senders are looked at */
    bool kicked;                    /* ami_kick's message is under way */
    bool stepping;                  /* ami_step runs */
    struct ami_pending *under_way;  /* pending.c */
    am_error_t on_error;            /* the program's handler of errors; NULL: the end of the job */
    pid_t owner;                    /* a forked child must not take part in its parent's end */
    bool registered;                /* what is to be done at the end */
    struct {
        uintptr_t lo, n;
    } writable;                     /* place.c: the pages last found so */
    struct {
        struct ami_module list[AMI_MODULES]; /* the program is the first */
        unsigned n;
    } modules;
    am_handler table[AM_TABLE_SIZE]; /* am_register's */
    struct ami_prepared prepared;
    uint64_t met; /* with --trace: barriers so far */
    struct core_trace_record wait; /* am_wait_begin's */
} ami __attribute__((visibility("hidden"))); /* so that code finds it without a table of addresses */

/* ---- start.c ---- */
static inline bool ami_up(void)
{
    return MPT_LIKELY(ami.starts > 0);
}

/* ---- error.c ---- Returns `status` when the program's error handler has. */
int ami_error(int status, vnn_t pe, am_handler h, const char *fmt, ...) __attribute__((format(printf, 4, 5), cold));
int ami_no_memory(const char *call, vnn_t dest, am_handler h, size_t n) __attribute__((cold)); /* for n bytes */
/* Why a message to `dest` must not be sent now; 0: it may. */
int ami_refuse_request(const char *call, vnn_t dest, am_handler h) __attribute__((cold));
int ami_refuse_reply(const char *call, vnn_t dest, am_handler h) __attribute__((cold));
int ami_bad(const char *call, const char *what, long value, const char *expected) __attribute__((cold));

/* ---- module.c ---- */
void ami_module_start(void);
uint64_t ami_handler_out_slow(am_handler h);
am_handler ami_handler_in_slow(uint64_t wire); /* NULL: there is none here */
enum { AMI_OFFSET_BITS = 40 };
#define AMI_OFFSET_MASK ((1ul << AMI_OFFSET_BITS) - 1)
static inline uint64_t ami_handler_out(am_handler h)
{
    uintptr_t a = (uintptr_t)h;
    return MPT_LIKELY(a - ami.program.lo < ami.program.n) ? ami.program.tag | (a - ami.program.base)
                                                          : ami_handler_out_slow(h);
}
static inline am_handler ami_handler_in(uint64_t wire)
{
    uintptr_t a = (wire & AMI_OFFSET_MASK) + ami.program.base;
    return MPT_LIKELY((wire & ~AMI_OFFSET_MASK) == ami.program.tag && a - ami.program.lo < ami.program.n)
               ? (am_handler)a
               : ami_handler_in_slow(wire);
}
/* In this process, also by its number; NULL: there is none. */
am_handler ami_handler_here(am_handler h);
void ami_handler_name(am_handler h, char *text, size_t n);

/* ---- symbol.c ---- The function at `value` of an ELF file; false: not known. */
bool ami_symbol(const char *file, uintptr_t value, char *text, size_t n);

/* ---- place.c: addresses in messages ---- */
uint64_t ami_place_out(const void *p, size_t n);
void *ami_place_in(uint64_t wire);
bool ami_place_ok(const void *p, size_t n, bool write); /* may [p, p+n) of this PE be used? */

/* ---- send.c ---- */
/* Until `dest` takes one more request. False: it does not, and `dest` was immediate. */
bool ami_wait_for_room(struct ami_peer *p, bool immediate, const char *call) __attribute__((noinline));
static inline bool ami_has_room(const struct ami_peer *p)
{
    return MPT_LIKELY(p->sent - p->acked < AMI_WINDOW);
}
int ami_send(vnn_t dest, const struct ami_msg *m, bool immediate, const char *call);
void ami_answer(vnn_t dest, struct ami_msg *m); /* the reply to a request of dest: never waits */
void ami_request_done(vnn_t src);               /* it had no reply */
void ami_tell(vnn_t dest, struct ami_peer *p);  /* if it is time for an ACK */
void ami_step(void);
void ami_came_round(void);
void ami_kick(void); /* steps are needed: take care that they come */
static inline bool ami_due(void)
{
    return (ami.parked | ami.pending | ami.acks) || __atomic_load_n(&ami.ended, __ATOMIC_RELAXED);
}
static inline void ami_stepped(void)
{
    if (MPT_UNLIKELY(ami_due()))
        ami_step();
}

/* ---- arrive.c ---- */
void ami_on_mail(const struct core_mail *mail);
int ami_fast(void); /* handlers run, of the sender of the last message */
/* Run a handler with what a message to oneself would bring. */
int ami_run_here(const char *call, const struct ami_head *h, am_handler f, const am_word *words, const void *body,
                 size_t n);
void ami_run_mem(vnn_t src, bool reply, am_handler f, void *addr, size_t n, uint64_t arg);

/* ---- pending.c ---- Bytes that are under way; then what is to be done with them. */
struct ami_pending {
    struct ami_pending *next;
    struct core_flow flow;
    struct core_rndv rndv; /* n 0: a get */
    vnn_t src;
    bool reply, own, ended;
    am_handler handler;
    void *addr;
    size_t n;
    uint64_t arg;
};
void ami_pend(const struct ami_pending *what, const void *get_from);
bool ami_pending_step(void); /* did something end? */
void ami_end_later(struct core_sending *s);

#endif
