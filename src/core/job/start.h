/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What those that start processes, the launcher or a PE that forks the others, ask
 * before and does in each of them.
 */
#ifndef CORE_START_H
#define CORE_START_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* limits.c: will the system let this process start so many PEs? False: `why` says which limit is in
 * the way, its value, what is needed and what raises it. */
struct core_need {
    unsigned npes;
    uint64_t files; /* descriptors that this process opens for them */
    uint64_t space; /* bytes of address space that each PE maps */
};
uint64_t core_limits_files(void); /* descriptors that this process may have, once it has raised its limit */
enum { CORE_LIMITS_WHY = 768 };
bool core_limits_allow(const struct core_need *need, char *why, size_t n);

/* deal.c: PEs as tasks. What MPT_TASKS says: 0, a number of processes, or auto (one for each core, UINT_MAX here). 0 or
 * -1: it says something else. */
int core_deal_read(const char *text, unsigned *processes);
/* Among how many processes npes PEs are dealt when so many are `asked` for (0: no tasks); npes: each has its own. */
unsigned core_deal_processes(unsigned npes, unsigned ncores, unsigned asked);
/* The first PE of this process, and so where the one before ends: shares differ by one at most. */
unsigned core_deal_first(unsigned npes, unsigned processes, unsigned process);
/* Writes to the boards of the processes of PEs from `first` on how many PEs each has: processes look at the boards of
 * others that have not begun yet. 0 or a negative errno. */
struct core_header;
int core_deal_tell(int fd, const struct core_header *h, unsigned first, unsigned npes, unsigned processes);
/* False: `why` says what in the job's parameters stands against tasks. */
bool core_deal_allowed(unsigned npes, unsigned processes, char *why, size_t n);

/* sessions.c: is it better that each of `npes` PEs on `ncores` cores has a session of its own? */
bool core_sessions_pay(unsigned npes, unsigned ncores);
/* In the process of PE `pe`, before its program begins. */
void core_session_begin(unsigned pe);

#endif
