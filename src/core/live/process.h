/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A process by its number and start time (clock ticks since boot; 0: not known).
 * Zombies are not alive.
 */
#ifndef CORE_PROCESS_H
#define CORE_PROCESS_H

#include <stdbool.h>
#include <stdint.h>

uint64_t core_process_born(int pid);
bool core_process_alive(int pid, uint64_t born);

/* What /proc says of a process. */
struct core_process_looks {
    char state;          /* as in proc(5) */
    bool ending;         /* it exits, or its parent has not yet asked how it ended */
    unsigned threads;
    unsigned long ticks; /* processor time, its own and the kernel's */
    uint64_t born;
};

/* False: there is none, or no /proc. */
bool core_process_look(int pid, struct core_process_looks *l);
/* May a wait of it end though nobody sends: a POSIX timer of it runs, or it exits? tasked: it has tasks, whose own
 * timer counts processor time (core/task/preempt.c). */
bool core_process_may_wake(int pid, bool tasked);

#endif
