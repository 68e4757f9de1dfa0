/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of PVM share, in reading order: the task and its errors, tids,
 * the virtual machine's tables, message buffers, sending and receiving, spawning.
 *
 * PVM runs in one of two ways. Stand-alone: the job of a launcher (mptrun, srun,
 * NPES=n); PE p is the task of slot p. Network mode: a program started plainly opens
 * a job that tasks enter and leave (core_job_open, core_job_enter); a task's slot
 * is its PE number there too, and serves again when slots run out. A process is one task; its
 * calls come from one thread at a time, as PVM has always asked for.
 */
#ifndef PVM_PVMI_H
#define PVM_PVMI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/core.h"
#include "pvm/state.h"
#pragma GCC visibility push(default)
void pvmsleep(int seconds);
void pvmgetclock(struct timeval *now);
int lpvmerr(const char *call, int code);
int pvm_settmask(int who, char *mask);
int pvm_gettmask(int who, char *mask);
int pvmdisplaymhfinfo(const char *who, const char *text, int tid);
int pvm_advise(int route);
int pvm_serror(int how);
void pvmendtask(void);
int pvmputenv(char *text);
#pragma GCC visibility pop
/* It is a variable of libpvm3, and so are a few that say what `pvmi` says (variables.c, front.h). */
#define pvm_errno (*pvmi.front.at.error)
void pvmi_front_update(void); /* after a change of the tid, the context or the debug mask */

enum { PVMI_WORN = 1024 }; /* slots cost memory: from so many worn on they serve again (vm/recycle.c) */

/* ------------------------------------------------------- task.c, error.c --
 * Every public call begins by
 *     int rc = pvmi_begin("pvm_send");   // enrols at the first call
 *     if (rc < 0) return rc;             // already reported
 * and fails by `return pvmi_fail(PvmBadParam, "tag %d is negative", tag)`, which says
 * "libpvm [t40001]: pvm_send(): Bad parameter: tag -3 is negative" as PvmAutoErr
 * asks, once, and sets pvm_errno. Calls that nest (pvm_bcast calling pvm_mcast) use
 * the pvmi_ functions, so that the user's call is named. */
static inline int pvmi_begin(const char *call);
int pvmi_fail(int code, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int pvmi_answer(int code); /* a code that answers a question: kept for pvm_perror, not printed. Returns it */
const char *pvmi_text(int code); /* "Bad parameter"; "Unknown error" for what is none */

/* Enrol without a user's call (atexit handlers, fronts). 0 or an error code, reported. */
int pvmi_enrol(void);
static inline int pvmi_begin(const char *call)
{
    pvmi.call = call;
    pvmi.calls++;
    return MPT_LIKELY(pvmi.in) ? 0 : pvmi_enrol();
}
/* spawn.c, output.c: an option that says where output goes was changed (pvmi.opt has the new value). */
void pvmi_output_option(int what);
/* pvm_exit's work, also at exit(3): leaves groups, drops what is owned, leaves the machine. */
void pvmi_leave(void);

/* ----------------------------------------------------------------- tid.c --
 * bits 29..18 host (1 + number of the PE's node among the job's nodes), 17..0 slot + 1: the first task is 0x40001.
 * In network mode 12..0 are slot + 1, and 17..13 how often the slot was used before, modulo 32: stale tids are
 * nobody's. PE numbers 0..n-1 are taken as tids in stand-alone mode. */
#define PVMI_PVMD 0x80000000u /* the host itself: this | host << 18 */
int pvmi_tid_of(int slot);
int pvmi_slot_of(int tid); /* -1: no task can have that tid (bad bits, no such host, slot beyond the machine) */
int pvmi_host_of(int slot); /* 1, 2, ... */
int pvmi_nhosts(void);
const char *pvmi_host_name(int host);
const char *pvmi_arch(void); /* LINUX64, say (hosts.c) */

/* --------------------------------------------------------------- table.c --
 * The machine's tables lie at PE 0 (core_face_area) and are read and changed under
 * one lock. On PE 0's node pvmi_look gives the thing itself; elsewhere it fetches a
 * copy into `copy` and pvmi_put writes it back. Offsets: PVMI_AT(member). The lock
 * is taken from an owner that has died. Nobody waits or sends while holding it. */
enum {
    PVMI_TASKS = 8192 /* network mode: one fewer */,
    PVMI_NAME = 64,
    PVMI_GROUPS = 256,
    PVMI_CLASSES = 1024,
    PVMI_CONTEXTS = 1 << 18
};

enum pvmi_state { PVMI_FREE = 0, PVMI_STARTING, PVMI_RUNNING, PVMI_GONE };
enum { PVMI_CONNECTED = 4 }; /* ti_flag of a task that runs */

struct pvmi_task {
    int32_t state; /* enum pvmi_state */
    int32_t parent; /* tid, or PvmNoParent */
    int32_t pid, flag; /* flag: ti_flag */
    uint64_t born; /* start time of the process in clock ticks, to know the pid again; 0: not known */
    int32_t context; /* the parent's at spawn */
    int32_t out_tid, out_tag, out_context; /* where its output goes; 0: nowhere */
    int32_t no_reset; /* PvmNoReset */
    uint32_t waits_mbox; /* in pvm_recvinfo for an entry that is to come */
    int32_t batch, batch_n; /* tid of the first and number of the tasks that one call spawned with it */
    uint64_t idle_from, idle_to; /* ended.c: ms of CLOCK_MONOTONIC between which it waited and nothing arrived */
    uint32_t watched; /* notify.c: slot + 1 of whoever wants to know of its end; UINT32_MAX: several */
    int32_t uses; /* of the slot, before this task */
    char name[PVMI_NAME];
};

/* A task that does a part of a daemon's work (system.c); tid 0: none. fd: of the machine's memory, in that process. */
enum pvmi_roles { PVMI_HOSTER, PVMI_TASKER, PVMI_ROLES };
struct pvmi_role {
    int32_t tid, pid;
    uint64_t born;
    int32_t fd;
};

/* Groups and mailbox: the owners of group*.c and mbox*.c define these (group.h, mbox.h). */
struct pvmi_tables {
    uint32_t ready; /* by whoever opened the machine */
    uint32_t lock; /* 0, or slot + 1 of its holder */
    int32_t next_context; /* context.c */
    uint64_t contexts[PVMI_CONTEXTS / 64]; /* a bit for each that is taken */
    int32_t high; /* slots ever used are below this */
    uint32_t halted;
    struct pvmi_role role[PVMI_ROLES];
    struct pvmi_task task[PVMI_TASKS]; /* jobs of more PEs than this are refused with a message */
    _Alignas(4096) unsigned char groups[28 << 20]; /* group.h: struct pvmi_groups */
    _Alignas(4096) unsigned char mbox[32 << 20]; /* mbox.h: struct pvmi_mbox, entries' data included */
};
#define PVMI_AT(member) offsetof(struct pvmi_tables, member)

void pvmi_lock(void);
void pvmi_unlock(void);
void *pvmi_look(size_t at, size_t n, void *copy);
void pvmi_put(size_t at, size_t n, const void *p);
/* The same by atomic instruction, without the lock: adds to a 4-byte word, returns the old value. */
uint32_t pvmi_add(size_t at, uint32_t n);
/* This task's own words that others set to end its waits: `n` of 8 bytes, zero at the start. Remote
 * tasks set them by pvmi_post (which wakes); the owner waits by pvmi_await. Ids: */
enum {
    PVMI_WORD_BARRIER,
    PVMI_WORD_CHANGE /* a table changed: look again */,
    PVMI_WORD_TAKES /* offer.c */,
    PVMI_WORDS = 8
};
void pvmi_post(int slot, int word, uint64_t value);
uint64_t pvmi_word(int word);
uint64_t *pvmi_own_word(int word); /* where it is, for core_wait_begin_for */
void pvmi_await(int word, uint64_t not_this, const char *where); /* until it differs */

/* A task that is, or is being started: false for slots unused, gone, or whose process died
 * (found out here, and then cleaned up after as if it had left). */
bool pvmi_alive(int slot);
/* A task that was expected will not come, or has gone, unless its process says otherwise. */
void pvmi_never_came(int slot);
int pvmi_slot_reserve(void); /* for a task to be started: core_job_reserve, or one that serves again. -1: none */
/* After a task left or was found dead: its groups, mailbox entries (group.c, mbox.c). Called under the lock. */
bool pvmi_is_all(const char *group); /* NULL or "": the null group */
void pvmi_group_forget(int slot);
void pvmi_mbox_forget(int slot);

/* ---------------------------------------------------------- buffer.c, chunk.c --
 * A message's body is a chain of chunks. The first up to PVM_DATA_MAX bytes may lie in
 * private memory; all others in the arena, where tasks of this node read them in place.
 * A chunk is shared by references: the buffer's and one for each message sent that has
 * not been freed by its receiver; `refs` is changed by atomic instructions of any task
 * of the node. The owner frees it (pvmi_chunk_sweep) when it finds 0. Bytes below `used`
 * are never changed once sent; packing more appends behind them. */
struct pvmi_chunk {
    struct pvmi_chunk *next; /* owner's or receiver's own chain: private, valid in that process only */
    unsigned char *data;
    size_t used, room;
    struct pvmi_hold *hold; /* head of the block in the arena; NULL: private memory */
    struct core_rndv rndv; /* of a body at another node that is fetched when first unpacked: n > 0 */
    int owner; /* slot whose arena it is */
    bool offered; /* received: its block may not be full yet (offer.c) */
    const unsigned char *source; /* to be sent: its bytes are still here, the block is empty */
};
struct pvmi_hold { /* at the beginning of the arena's block, the data PVMI_HOLD bytes behind it */
    uint32_t refs;
    uint32_t waits; /* from here on the owner's own: in the list that the sweep looks through, */
    struct pvmi_hold *next; /* the next one there or in the list of free ones, */
    size_t room; /* bytes of data it has room for */
    uint64_t filled; /* offer.c: bytes that are there, of a chunk that is `offered`, */
    uint32_t state; /* what becomes of it, */
    uint32_t held[7]; /* chunk.c: references given to tasks: the tid's lower bits << 14 | how many */
    uint64_t from, key; /* where at its sender the bytes lie: a place of shared memory (placed), or an address there */
    uint32_t placed;
};
/* A first chunk in private memory has room for this: it travels with its message's head, CORE_SEND_MAX together. */
enum { PVMI_HOLD = 128, PVMI_INLINE = 896 };

/* A message buffer, sent or received. */
struct pvmi_msg {
    int id; /* bufid, 0: not in the table (internal) */
    int src, dst, tag, context, wid, crc;
    int encoding; /* a message received is never PvmDataInPlace: it is PvmDataRaw then */
    size_t length; /* bytes packed (InPlace: without what is still in place) */
    struct pvmi_chunk *first, *last;
    struct pvmi_chunk *at; /* unpacking: this chunk, NULL: not begun ... */
    size_t at_byte; /* ... from this byte */
    struct pvmi_inplace *inplace; /* InPlace: items whose data is read at the send */
    uint64_t number; /* with --trace: of the message among all of its sender's to this task; 0: not known */
    struct pvmi_msg *next; /* the queue it waits in */
    struct pvmi_packed *packed; /* with --check: what is in it (pack/packed.c); NULL: not known */
    struct pvmi_spot *spot; /* where in the queue; NULL: in none. pvmi_msg_free takes it out (pvmi_queue_remove) */
};

struct pvmi_msg *pvmi_msg_new(int encoding); /* NULL: no memory */
void pvmi_msg_free(struct pvmi_msg *m); /* all its references; NULL is fine */
int pvmi_msg_id(struct pvmi_msg *m); /* gives it a bufid; PvmNoMem */
struct pvmi_msg *pvmi_msg_of(int bufid); /* NULL: no such buffer */
/* Append n raw bytes; or room for n in one piece (NULL: no memory), at most PVMI_PIECE. */
enum { PVMI_PIECE = 4 << 20 };
/* Items in place of this length may be sent so that the receiver copies them (offer.c). */
enum { PVMI_OFFER_MIN = 64 << 10 };
int pvmi_msg_add(struct pvmi_msg *m, const void *p, size_t n);
void *pvmi_msg_room(struct pvmi_msg *m, size_t n);
/* Take n raw bytes, PvmNoData when there are fewer (nothing is taken then). */
int pvmi_msg_take(struct pvmi_msg *m, void *p, size_t n);
/* The chain to be sent: the buffer's own, or with InPlace a fresh one that holds the data as it is now (*fresh; to be
 * dropped after the send). `later`: long items come as chunks with a `source`. NULL with *rc set on error. */
struct pvmi_chunk *pvmi_msg_body(struct pvmi_msg *m, bool *fresh, bool later, int *rc);
/* Pack and unpack `count` items of a PVM_ type (not PVM_STR) with stride; an error code, not reported. */
int pvmi_pack(struct pvmi_msg *m, int type, const void *p, int count, int stride);
int pvmi_unpack(struct pvmi_msg *m, int type, void *p, int count, int stride);
size_t pvmi_size_of(int type); /* bytes in memory; 0: no such type */

/* NULL: no memory; room 0: private, for one with `rndv` and `used` set. */
struct pvmi_chunk *pvmi_chunk_new(size_t room, bool shared);
/* Received from a task of this node (or this one): its block, of which one reference becomes the chunk's. NULL: no
 * memory. */
struct pvmi_chunk *pvmi_chunk_of(struct pvmi_hold *hold, size_t used, int owner);
void pvmi_chunk_hold(struct pvmi_chunk *c); /* one more reference */
void pvmi_chunk_drop(struct pvmi_chunk *c); /* one fewer, of this process's chain element c, which is freed */
void pvmi_chunk_sweep(void); /* give back what receivers have dropped */
void pvmi_chunk_free_dead(void); /* ... or could not drop, as they died */
void pvmi_hold_give(struct pvmi_hold *h, int slot); /* one more reference, for a message to that task; */
void pvmi_hold_take_back(struct pvmi_hold *h, int slot); /* that did not reach it, or that it drops */
int pvmi_chunk_load(struct pvmi_chunk *c); /* of a rendezvous: fetch it now. 0 or PvmNoMem */
int pvmi_chunk_adopt(struct pvmi_chunk *c); /* into this task's arena, if it is in another's. 0 or PvmNoMem */

/* --------------------------------------------------- send.c, queue.c, recv.c --
 * PVM's messages take channel PVMI_CHANNEL; order is kept from task to task. */
enum { PVMI_CHANNEL = 6 };
enum { PVMI_NOTE_MAX = 896 };
/* A task that is gone gets nothing, and that is no error. 0 or an error code. */
int pvmi_note(int slot, enum pvmi_kind kind, const void *note, size_t n);

int pvmi_message_start(void); /* opens the channel; called by pvmi_enrol */
/* Called by pvmi_leave, when the row says GONE: drops what waits, tells who asked by pvm_notify. */
void pvmi_message_stop(void);
/* Send m to a slot; a task that is gone gets nothing, and that is no error. 0 or an error code. */
int pvmi_send(struct pvmi_msg *m, int slot, int tag, int context);
/* The same to several, each in `slots`; one body for all. */
int pvmi_mcast(struct pvmi_msg *m, const int *slots, int count, int tag, int context);
/* The same as if task `src` (a host, say) had sent it: notifications. To this task too. */
int pvmi_send_from(struct pvmi_msg *m, int src, int slot, int tag, int context);
/* The earliest message that matches (-1: any), out of the queue; NULL: none (after one core_progress). */
struct pvmi_msg *pvmi_match(int tid, int tag, int context);
/* Wait for one. limit: NULL for ever. NULL at the limit. `where`: the call, for reports. */
struct pvmi_msg *pvmi_wait(int tid, int tag, int context, const struct timeval *limit, const char *where);
/* Does what pvmi.msg.due asks for. */
void pvmi_attend(void);
void pvmi_queue_add(struct pvmi_msg *m); /* as if it had arrived now */
void pvmi_queue_remove(struct pvmi_msg *m);
/* system.c: a message of this task to the daemon. 0 or a code, reported. */
int pvmi_system_takes(struct pvmi_msg *m, int tag);
/* Contexts of the system: never a user's. */
enum { PVMI_CONTEXT_GROUP = 0x7ffff, PVMI_CONTEXT_SYSTEM = 0x7fffe };

/* --------------------------------------------------------- machine.c, spawn.c --
 * Network mode. */
bool pvmi_machine_wanted(void); /* no launcher started this process */
int pvmi_machine_enter(void); /* open one or enter the parent's; sets pvmi.me, the task's row. 0 or code */
void pvmi_machine_leave(bool clean); /* no other task refers to anything of this one's arena any more */
/* Called now and then by waits: ends this process when the machine has ended. `where`: the call,
 * NULL: its wait ends by itself in some time. */
void pvmi_machine_check(const char *where);
/* By pvmi_leave, last: nothing of this task's arena is out to others any more, or stays good. */
bool pvmi_chunk_leave(void); /* chunk.c: all blocks are forgotten; true: nobody else refers to any */
/* By pvmi_leave: buffers stay, but none refers to another task's memory any more, nor to this one's arena. */
void pvmi_msg_leave(void);
/* A message's pieces in the memory of task `owner` are copied to this task's; -1: all, to private memory. 0 or PvmNoMem
 */
int pvmi_msg_own(struct pvmi_msg *m, int owner);
int pvmi_msg_own_all(int owner); /* of all that have a bufid */
/* By pvm_exit, first: all output is there of the tasks whose output this one prints. */
void pvmi_output_wait(void);
/* pid alive? Robust against a pid that was used again (born) and zombies. */
bool pvmi_process_alive(pid_t pid, uint64_t born);
uint64_t pvmi_process_born(pid_t pid);

#endif
