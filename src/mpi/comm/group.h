/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files about groups share: the check of a group handle, and the
 * inverse of a group (which rank a process has), by which the set operations
 * take time in proportion to the sizes of the groups.
 */
#ifndef MPI_GROUP_H
#define MPI_GROUP_H

#include "mpi/mpii.h"

int mpii_check_group_slow(MPI_Group handle, const char *arg, const char *call) __attribute__((cold));
static inline int mpii_check_group(MPI_Group handle, struct mpii_group **g, const char *arg, const char *call)
{
    *g = mpii_group_of(handle);
    return MPT_LIKELY(*g != NULL) ? MPI_SUCCESS : mpii_check_group_slow(handle, arg, call);
}

/* rank[p] for p < limit: rank of process p or MPI_UNDEFINED. */
struct mpii_group_ranks {
    int limit;
    int *rank;
};
int mpii_group_ranks_make(struct mpii_group_ranks *ranks, const struct mpii_group *g); /* MPI_SUCCESS, MPI_ERR_NO_MEM */
static inline int mpii_group_ranks_at(const struct mpii_group_ranks *ranks, int proc)
{
    return proc < ranks->limit ? ranks->rank[proc] : MPI_UNDEFINED;
}
void mpii_group_ranks_drop(struct mpii_group_ranks *ranks);

/* MPI_IDENT, MPI_SIMILAR, MPI_UNEQUAL; or -1: out of memory. */
int mpii_group_relation(const struct mpii_group *a, const struct mpii_group *b);

/* Have they a member in common? MPI_SUCCESS: no; MPI_ERR_GROUP, MPI_ERR_NO_MEM. */
int mpii_group_disjoint(const struct mpii_group *a, const struct mpii_group *b);

/* *handle = a new group of these processes, made within `session` (NULL: none); raises MPI_ERR_NO_MEM. */
int mpii_group_give(int size, const int *procs, MPI_Session session, MPI_Group *handle, const char *call);

#endif
