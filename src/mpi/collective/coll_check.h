/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With --check: what ranks tell each other of their collective calls (coll_check.c), and what is said when these do not
 * belong together (coll_check_say.c).
 */
#ifndef MPI_COLL_CHECK_H
#define MPI_COLL_CHECK_H

#include "mpi/collective/coll.h"

enum { MPII_AGREED = 3 };

/* What a rank says of its call to another one. */
struct mpii_saying {
    char call[40]; /* "MPI_Bcast" */
    int root;
    bool rooted;
    bool in_place; /* of calls where all ranks say so or none */
    int op; /* predefined ones; of the user's: does it commute */
    uint64_t signature; /* 0: only some ranks know */
    uint64_t given; /* of what it sends to all, which is to be the same; 0: nothing to compare */
    uint64_t pair; /* of what it sends to the other one; 0: nothing */
    uint64_t counts; /* a hash of counts that all give; 0: none */
    uint64_t away; /* its line, as core_site_away() gives it */
    int64_t elements; /* what `signature` is of, to be told */
    uint32_t element;
    char agreed[MPII_AGREED][20]; /* names of arguments that agree; "": no more */
    int64_t values[MPII_AGREED];
    bool goes_on[MPII_AGREED];
    uint32_t event; /* its place among the rank's calls (p2p/ahead.h); 0: it does not block */
};

struct mpii_check {
    const struct mpii_comm *comm;
    const struct mpii_coll_call *call; /* NULL: it carries no data */
    const struct mpii_sched *sched; /* of a nonblocking one; NULL: it is blocking */
    int size;
    uintptr_t site;
    uint64_t *taken; /* signatures of what this rank takes from each; 0: nothing to compare */
    struct mpii_saying *mine, *theirs; /* to and from each rank */
};

/* Compares with rank `from`; an error is raised. */
int mpii_check_compare(const struct mpii_check *k, int from);
int mpii_check_compare_inter(const struct mpii_check *k, int from); /* of the other group */
/* Of this rank's own arguments. */
int mpii_check_own(const struct mpii_check *k);

#endif
