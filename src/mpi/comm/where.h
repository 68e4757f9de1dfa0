/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where the processes of a communicator run, as far as hardware is shared.
 */
#ifndef MPI_WHERE_H
#define MPI_WHERE_H

#include "mpi/mpii.h"

/* Each level lies within the one before. */
enum { PLACE_NODE, PLACE_NUMA, PLACE_CACHE, PLACE_CORE, PLACE_LEVELS };

/* share[l]: the lowest rank (of a group) that runs on the same node, NUMA node, cache, core.
 * Levels from `known` on are not known (the same as the one before). */
struct mpii_place {
    int share[PLACE_LEVELS];
    int known;
};

/* This process's. */
struct mpii_place mpii_place_own(const struct mpii_group *g);
/* Everybody's, malloc'ed, in rank order. Collective. An error class. */
int mpii_places(struct mpii_comm *c, struct mpii_place **places);
/* What this process knows of everybody's without asking: all levels when they share one
 * node, else nodes only; so all who ask find the same. malloc'ed; NULL: out of memory. */
struct mpii_place *mpii_places_local(const struct mpii_comm *c);

#endif
