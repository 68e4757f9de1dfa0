/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the machine looks like to whoever places PEs: the launcher, and core's
 * own start. The face for the layers above is in core.h.
 */
#ifndef CORE_TOPOLOGY_H
#define CORE_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* CPUs this process may use, the CPU quota of its cgroups considered. Also in core.h. */
unsigned core_topology_cores(void);

/* Cores granted by the CPU quota of this process's cgroups, rounded up; 0: no limit. */
unsigned core_topology_quota(void);

/* Calls `each` with the folder of each control group this process is in that may have files of
 * this controller: its own first, then those above. */
void core_topology_groups(const char *controller, void each(const char *dir, void *arg), void *arg);

/* The affinity mask of process `pid` (0: this one) for any number of CPUs;
 * *size gets its bytes for the CPU_..._S macros. Free with CPU_FREE. NULL when
 * it can't be read. */
cpu_set_t *core_topology_mask(pid_t pid, size_t *size);

/* Claim a CPU for this job, until it ends or releases all; false if another job
 * of this machine has it. */
bool core_topology_claim(unsigned cpu);
void core_topology_release(void);

/* The first `n` CPUs to place PEs on that no other job has bound to, claimed for
 * this one: neighbours first, one CPU of each physical core before the second of
 * any. Returns how many were found, at most n. */
unsigned core_topology_order(int *cpus, unsigned n);

/* Is it better that each of `npes` PEs on `ncores` cores has a session of its own? */
bool core_sessions_pay(unsigned npes, unsigned ncores);
/* In the process of PE `pe`, before its program begins. */
void core_session_begin(unsigned pe);

/* CPU numbers in the kernel's list form ("0-3,8"): add them to `set` (size bytes). */
void core_topology_parse(const char *list, cpu_set_t *set, size_t size);

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

/* Contents of a small file of the system, at most n-1 bytes. 0 or negative errno. */
int core_topology_read(const char *path, char *text, size_t n);

#endif
