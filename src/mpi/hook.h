/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What progress steps for others (rt/progress.h).
 */
#ifndef MPI_HOOK_H
#define MPI_HOOK_H

/* Things under way that need steps of the processor besides the handling of
 * messages: collectives, file transfers, ... Every wait and test steps them. */
struct mpii_hook {
    struct mpii_hook *next, **at;
    void (*step)(struct mpii_hook *hook); /* must not wait; may remove itself or others */
};

#endif
