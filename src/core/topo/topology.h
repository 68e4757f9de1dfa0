/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the machine looks like to those that place PEs: the launcher, and core's
 * own start. The layers above see cores.h only.
 */
#ifndef CORE_TOPOLOGY_H
#define CORE_TOPOLOGY_H

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "core/topo/cores.h"

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

/* What CPUs have in common, from near to far. */
enum core_domain { CORE_DOMAIN_NONE, CORE_DOMAIN_CORE, CORE_DOMAIN_L3, CORE_DOMAIN_NUMA, CORE_DOMAIN_SOCKET };

/* The CPUs that share this with `cpu`, itself included; only `cpu` where the kernel does not say. `set` has `size`
 * bytes. */
void core_topology_domain(unsigned cpu, enum core_domain domain, cpu_set_t *set, size_t size);
/* The kernel's number of that domain; -1: unknown. */
int core_topology_domain_number(unsigned cpu, enum core_domain domain);

/* CPU numbers in the kernel's list form ("0-3,8"): add them to `set` (size bytes). */
void core_topology_parse(const char *list, cpu_set_t *set, size_t size);

/* Contents of a small file of the system, at most n-1 bytes. 0 or negative errno. */
int core_topology_read(const char *path, char *text, size_t n);

#endif
