/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process that runs a function of ours and then another program. It is made on our memory, while we stand still, as
 * vfork does: nothing is copied, however large we are. Where the system makes no such process, or makes another one of
 * it (emulators of a processor do), it is a copy of us, and what it says comes by a pipe.
 */
#ifndef CORE_CHILD_H
#define CORE_CHILD_H

#include <stddef.h>
#include <sys/types.h>

struct core_child {
    int (*run)(void *arg); /* returns when it cannot execute the program: the process's status. System calls only */
    void *arg;
    void *stack_end; /* of a stack of its own; stacks grow down on the machines served */
    int flags;       /* of clone(2), beside CLONE_VM and CLONE_VFORK: the signal of its end, ... */
    void *result;    /* what `run` leaves in our memory, ... */
    size_t n;        /* ... and how long it is: unchanged if the program runs */
};

/* Its number, or -1 and errno. Where it is a copy of us it signals its end by SIGCHLD: wait for it by __WALL. */
pid_t core_child_start(const struct core_child *c);

#endif
