/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of sending and receiving share beyond pvmi.h: how a message
 * travels, the queue of those that nobody has asked for yet, handlers, notifications.
 */
#ifndef PVM_MESSAGE_H
#define PVM_MESSAGE_H

#include "pvm/pvmi.h"

/* What is known of another task. */
struct pvmi_sender {
    struct pvmi_msg *partial; /* a message of which more is to come */
    int tid; /* 0: not looked up yet */
    uint64_t sent, came; /* with --trace: messages to it and from it */
    struct pvmi_packed *label; /* with --check: what is in its next message (label.c); NULL: not known */
};

/* ------------------------------------------------------- send.c, arrive.c --
 * A message travels as one or more mails of the channel: a head, references to
 * chunks of this node's arenas, then bytes. The bytes come before what the
 * references are to. Mails of one message follow one another; a chunk for another
 * node is a mail's rendezvous body. Every reference is one of the chunk's `refs`. */
struct pvmi_head {
    int32_t src, tag, context, wid;
    uint64_t length;
    uint8_t kind, encoding, flags, refs;
    uint32_t unused;
};
enum { PVMI_FIRST = 1, PVMI_LAST = 2 };

struct pvmi_ref {
    uint64_t at, used; /* of the hold in the owner's arena; bytes of data */
    int32_t owner;
    uint32_t offered; /* the block may not be full yet */
};
_Static_assert(sizeof(struct pvmi_head) == 32 && sizeof(struct pvmi_ref) == 24, "an empty message fits a cache line");

/* Head of one that is short and of the sender itself: bytes follow. */
struct pvmi_short {
    int32_t tag, context, wid, encoding;
};
enum { PVMI_SHORT_MAX = CORE_SEND_MAX - sizeof(struct pvmi_short) };
struct pvmi_msg *pvmi_short_message(int from, const struct pvmi_short *head, const void *body, size_t n);
/* True when it is sent, or its receiver has left. */
bool pvmi_send_short(int slot, const struct pvmi_short *head, const void *body, size_t n);

/* As the channel's handler calls it, and a task that sends to itself. */
void pvmi_arrive(int from, const struct pvmi_head *head, const void *body, size_t n, const struct core_rndv *rndv);

void pvmi_arrive_forget(int slot); /* somebody else will stand there */

/* Not waiting for room: false when there was none. */
bool pvmi_note_try(int slot, enum pvmi_kind kind, const void *note, size_t n);

/* What one call sends, to one task or several. A chain made for it (fresh) ends with it. */
struct pvmi_letter {
    struct pvmi_head head;
    struct pvmi_chunk *body;
    bool fresh;
    bool later; /* set before it is opened: long pieces may be copied when it has been posted (offer.c) */
};
int pvmi_letter_open(struct pvmi_letter *l, struct pvmi_msg *m, int src, int tag, int context); /* 0 or a code */
void pvmi_letter_close(struct pvmi_letter *l);
int pvmi_chain_load(struct pvmi_chunk *c); /* what is still at another node comes here. 0 or PvmNoMem */
void pvmi_chain_drop(struct pvmi_chunk *c);
int pvmi_letter_post(const struct pvmi_letter *l, int slot); /* slot -1: to nobody. 0 or PvmNoMem */

/* --------------------------------------------------------------- label.c --
 * With --check: what was packed goes ahead of the message. */
void pvmi_label_send(const struct pvmi_packed *p, int slot, int tag, int context); /* p NULL, slot -1: nothing */
void pvmi_label_psend(int type, int count, int slot, int tag);
void pvmi_label_take(struct pvmi_msg *m, int from); /* of a message that comes */
void pvmi_label_forget(int slot);
void pvmi_label_start(void);

/* --------------------------------------------------------------- offer.c --
 * Chunks with a `source` are copied when they have been posted, or never. The sender: */
bool pvmi_offer_may(int slot); /* could such a chunk be sent there? */
void pvmi_offer_forget(int slot); /* somebody else will stand there */
/* Before the post of a chain to that slot; to_taker: the receiver may copy by itself. True: it waits for just that. */
bool pvmi_offer_begin(struct pvmi_chunk *c, int slot, int tag, bool to_taker);
void pvmi_offer_settle(struct pvmi_chunk *c, int slot, bool waits); /* after it */
void pvmi_offer_fill(struct pvmi_chunk *c);                         /* instead of both */
/* The receiver, of a chunk that is `offered`: copy n bytes from its beginning without the block. False: it is being
 * filled. */
bool pvmi_offer_take(struct pvmi_chunk *c, void *to, size_t n);

/* --------------------------------------------------------------- queue.c -- */
/* The earliest that matches (tid, tag -1: any), taken out or not. */
struct pvmi_msg *pvmi_queue_find(int tid, int tag, int context, bool take);
/* One that differs in its tag, its sender or its context alone, if there is one. Leaves the queue
 * as it is. */
const struct pvmi_msg *pvmi_queue_near(int tid, int tag, int context);
/* All in the order of their arrival: the one after `m`, NULL: the first one. */
struct pvmi_msg *pvmi_queue_next(struct pvmi_msg *m);
void pvmi_queue_clear(void);
int pvmi_queue_own(int owner); /* as pvmi_msg_own_all, of those that wait here */

/* ------------------------------------------------------------- handler.c -- */
bool pvmi_handler_takes(struct pvmi_msg *m); /* then it is the handlers' */
void pvmi_handler_run(void); /* those of all messages taken so */
void pvmi_handler_clear(void);
int pvmi_handler_own(int owner); /* as pvmi_msg_own_all, of those that wait for their handler. 0 or PvmNoMem */

/* -------------------------------------------------------------- notify.c -- */
void pvmi_notify_look(void); /* for those that have ended */
void pvmi_notify_slot(int slot); /* tells now what was asked about that task, which has ended */
void pvmi_notify_start(void);
void pvmi_notify_stop(void);

/* ------------------------------------------------- recv.c, recv_match.c --
 * What a call wants. */

struct pvmi_wanted {
    int tid, tag, context; /* -1: any (not of context) */
    int slot; /* of the task with that tid; -1: none, any */
    bool take; /* out of the queue */
    bool by_program; /* pvm_recvf's function chooses */
    int failed; /* the code it failed with */
    struct pvmi_msg *seen; /* it has seen all up to this one, */
    uint64_t removals; /* which is still there while pvmi.msg.removals is this */
};
/* What is there now; as pvmi_match and pvmi_wait. NULL with `failed` set: no use in waiting. */
struct pvmi_msg *pvmi_look_now(struct pvmi_wanted *want, const char *where);
struct pvmi_msg *pvmi_wait_wanted(struct pvmi_wanted *want, const struct timeval *limit, const char *where);

/* After each wait and each look that found nothing: the program may wait on pvm_getfds's descriptors next. */
void pvmi_outside(void);

/* near.c: with MPT_CHECK, of a call of the program that finds nothing: what it wants, and what has come. */
void pvmi_say_wanted(const void *wanted, struct core_wire_blocked_thread *b);

struct pvmi_msg *pvmi_find_chosen(struct pvmi_wanted *want);

/* Bytes of `count` items of a type at `p`, as pvm_psend and pvm_precv take them; a code, reported. */
int64_t pvmi_bytes_of(const void *p, int count, int type);

/* Bring what is at other nodes; then it is the current receive buffer's content. Its bufid, or a code, reported. */
int pvmi_accept(struct pvmi_msg *m);
/* The current receive buffer is freed. */
void pvmi_forget_received(void);

#endif
