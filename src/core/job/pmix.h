/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What core uses of PMIx, the interface between a launcher and the processes it
 * starts. The library is loaded when a launcher's environment asks for it, so a
 * job on one machine neither needs nor pays for it.
 */
#ifndef CORE_PMIX_H
#define CORE_PMIX_H

#if __has_include(<pmix.h>)
#define CORE_HAVE_PMIX 1
#include <pmix.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/job/state.h"

#define CORE_PMIX_NAMES(X) \
    X(Init) X(Finalize) X(Put) X(Commit) X(Get) X(Fence_nb) X(Abort) X(Register_event_handler) X(Error_string)

struct core_header;
struct core_pmix {
#define X(name) __typeof__(PMIx_##name) *name;
    CORE_PMIX_NAMES(X)
#undef X
    pmix_proc_t me;
};
extern struct core_pmix core_pmix;

/* All return 0 or a negative errno after a message. */
int core_pmix_load(void);

/* What the launcher knows of the job (rank: PMIX_RANK_WILDCARD) or of a process.
 * No message, -ENOENT, when it does not say. */
int core_pmix_number(const char *key, uint32_t *value);
int core_pmix_text(const char *key, char **value); /* caller frees */

/* Hand out n bytes under `key`; they can be got after the next fence. `near`:
 * only by processes of this node. */
int core_pmix_put(const char *key, const void *bytes, size_t n, bool near);

/* Bytes that process `rank` put: at most `max` of them; returns how many it put. */
long core_pmix_get(int rank, const char *key, void *bytes, size_t max);

/* What processes put before can be got: NEAR, that of this node's processes, all
 * of which have arrived; ALL, everybody's, and all have arrived. Collective over
 * the job: of a process's PEs all come, and one speaks for them. Waits with the PE's own wait once its memory is
 * mapped. By the letter both would be barriers of the job; but Slurm waits for other nodes only when data are collected
 * (unless mpi.conf says PMIxFenceBarrier). */
enum core_pmix_extent { CORE_PMIX_NEAR, CORE_PMIX_ALL };
int core_pmix_fence(enum core_pmix_extent extent, const char *where);

/* Connect this process, which is to have so many PEs, and find its place in the job. Collective over the job, once for
 * each process. */
int core_pmix_enter(struct core_pmix_process *p, unsigned tasks);

/* Make this node's memory, or find it, for the PEs of its processes, and complete `p` (tasks are set). A part of that:
 * the job has `size` processes. */
int core_pmix_node(struct core_pmix_process *p, unsigned size);

/* pmix_deal.c: how many PEs this process has, for all of the job; then, when they have been told, p->first of `size`
 * processes, as they were told or as the node's memory says. */
int core_pmix_deal_tell(unsigned tasks);
int core_pmix_deal_learn(struct core_pmix_process *p, unsigned size);
int core_pmix_deal_write(const struct core_pmix_process *p, unsigned size, int fd, const struct core_header *h);
int core_pmix_deal_read(struct core_pmix_process *p, unsigned size, int fd, const struct core_header *h);
/* The PEs of a process, as PE numbers: from core_pmix_first of it to that of the next one. */
static inline unsigned core_pmix_first(const struct core_pmix_process *p, unsigned rank)
{
    return p->first ? p->first[rank] : rank;
}
/* The process of a PE. */
unsigned core_pmix_rank_of(const struct core_pmix_process *p, unsigned pe, unsigned size);

/* Jobs of one node: from now on the end of p->next_pid is looked for, the next process, of the last one the first. */
void core_pmix_watch_start(void);
#endif

#endif
