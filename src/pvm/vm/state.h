/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What a task remembers of its machine and of itself in it: pvmi.vm.
 */
#ifndef PVM_VM_STATE_H
#define PVM_VM_STATE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/time.h>
#include <sys/types.h>

struct pvmi_vm_state {
    pid_t owner;     /* task.c: this process when it enrolled. A forked child is no task */
    bool registered; /* what is to run at its end */
    struct {
        int tid, slot; /* most programs name the same one again and again */
    } known;           /* tid.c */
    struct {
        int n;         /* hosts */
        int *of;       /* host of each PE; NULL: all on host 1 */
        int *first_pe; /* of each host, from 1 */
    } hosts;
    struct {
        uint64_t looked;  /* when pvmi_machine_check did something, and when this task */
        uint64_t waited;  /* was seen in a wait */
        uint64_t since;   /* in which nothing has happened since then, */
        unsigned long calls; /* nor was a call begun */
    } ended;             /* ended.c */
    void (*on_dead)(int slot); /* table.c: what else is to be done when a task is found dead */
    unsigned recycle_at; /* recycle.c: slots worn */
    bool console;        /* meet.c: this process is the console */
    int listener;        /* where others ask for the machine, -1: not here */
    struct {
        bool known;
        struct timeval clock;
        int slot;
    } answer;            /* clock.c: to the question what time it is there */
    char masks[2][64];   /* option.c: of tracing, this task's and its children's */
    unsigned temporaries; /* vm_calls.c: names made */
    struct {
        struct pvmhostinfo *config;
        struct pvmtaskinfo *tasks;
        struct pvmi_task *rows; /* which keep the tasks' names */
        int *no_resets;
        char error[64];      /* pvm_strerror; */
        char temporary[128]; /* pvmtmpnam */
    } listed; /* hosts.c: what calls have handed out, until they are made again */
};

#endif
