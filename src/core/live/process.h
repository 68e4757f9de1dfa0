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
/* Does a POSIX timer of it run? tasked: it has tasks, whose own timer counts processor time (core/task/preempt.c). */
bool core_process_timers(int pid, bool tasked);

#endif
