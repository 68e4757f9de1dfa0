/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory of the program that operations under way use: checksums of it, and which of it overlaps.
 */
#ifndef MPI_CHECK_REGION_H
#define MPI_CHECK_REGION_H

#include "core/check/memory.h"
#include "mpi/mpii.h"

/* What is described by an address, a count and a type, and its place in a tree by address. */
struct mpii_region {
    const void *buf;
    MPI_Count count;
    struct mpii_type *type;
    uintptr_t low, high; /* first byte, and behind the last */
    struct mpii_watch *left, *right;
    uintptr_t reach; /* the highest `high` of the tree below */
    uint32_t dice;
};

void mpii_region_set(struct mpii_region *g, const void *buf, MPI_Count count, struct mpii_type *t);
/* Of the bytes described, of very long ones a part that is always the same. False: some of it cannot be read. `pages`:
 * as for core_memory_sum_begin. */
bool mpii_region_sum(const struct mpii_region *g, struct core_memory_pages *pages, uint64_t *sum);
/* Is a byte described by both? False, too, where that would take long to find out. */
bool mpii_regions_meet(const struct mpii_region *a, const struct mpii_region *b);
/* Does the type describe a byte twice? */
bool mpii_region_meets_itself(const struct mpii_region *g);

#endif
