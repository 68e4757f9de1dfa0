/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What sending and receiving remember: pvmi.msg.
 */
#ifndef PVM_MSG_STATE_H
#define PVM_MSG_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pvmi_msg;
struct core_trace_record;

/* What travels besides the user's messages, on the same channel: short notes. Who sets a kind's taker gets them,
 * in the channel's handler: it may send, but must not wait. */
enum pvmi_kind {
    PVMI_USER,
    PVMI_OUTPUT,
    PVMI_SIGNAL,
    PVMI_CLOCK_ASK,
    PVMI_CLOCK_SAY,
    PVMI_LEFT,
    PVMI_LABEL,
    PVMI_KINDS = 8
};
typedef void pvmi_taker(int slot, const void *note, size_t n);

enum { PVMI_NOTICES = 6 }; /* PvmTaskExit ... */

struct pvmi_msg_state {
    /* Message handlers are to run, or notifications to be looked for: whoever waits in a call does that, outside of a
     * core_wait_begin ... core_wait_end. */
    bool due;
    bool taking;   /* this process is a task: what arrives is kept */
    unsigned set_handlers; /* how many the program has set */
    unsigned watched;      /* tasks whose end is waited for */
    struct {
        struct pvmi_msg *first, **last;
    } newcomers;           /* queue.c: they wait in the order of their arrival; */
    struct {
        struct pvmi_bucket *bucket;
        size_t buckets, n; /* n: messages */
        struct pvmi_spot *spare;
    } index;               /* the ones that a search has passed over, older than all newcomers; */
    uint64_t removals;     /* how many have been taken out of it: a message known before may be gone */
    struct pvmi_sender *senders; /* arrive.c: by slot */
    uint64_t met; /* barriers of all tasks */
    struct core_trace_record *record; /* with --trace: the call's under way; NULL: it has none */
    pvmi_taker *takers[PVMI_KINDS];
    struct pvmi_task *rows; /* send.c: the tasks' rows where they can be read in place, NULL: not here, */
    bool rows_asked;        /* or not asked for yet */
    bool *takes;            /* offer.c: by slot: has it taken the last one that was offered? NULL until one was */
    unsigned tests;         /* recv.c: in a row that found nothing */
    unsigned waits;         /* begun */
    int (*matcher)(int bufid, int tid, int tag); /* what pvm_recvf set; NULL: the library's own choice */
    struct {
        struct pvmi_handler *table;
        int numbers;        /* ever used */
        struct pvmi_msg *first, **last; /* messages that are the handlers' */
        bool running;
    } handler;
    struct {
        struct pvmi_watch *first, **last;
        int ends;           /* an epoll descriptor of all tasks' processes, -1: none */
        struct {
            int tag, context, count;
        } additions[PVMI_NOTICES]; /* PvmHostAdd and PvmRouteAdd: how many are to come, though none ever does */
    } notify;
    struct {
        int fds[2];
        bool given;         /* the program has them */
    } outside;
};

#endif
