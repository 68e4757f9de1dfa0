/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Faults of the program (SIGSEGV and its like): the stack is told, with lines, before the process dies of them.
 */
#ifndef CORE_CRASH_H
#define CORE_CRASH_H

/* From now on, for signals about which the program has said nothing. Each task has handlers of its own. */
void core_crash_watch(void);

#endif
