/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is under way, by address: a treap, each node of which knows how far its subtree reaches.
 */
#ifndef MPI_CHECK_WATCH_TREE_H
#define MPI_CHECK_WATCH_TREE_H

#include "mpi/check/watch.h"

void mpii_watch_tree_add(struct mpii_watch *w);
void mpii_watch_tree_remove(struct mpii_watch *w);
/* All of it is to be removed now, one by one, before anything is added or looked for. */
void mpii_watch_tree_clear(void);
/* Calls look for each other one whose span meets w's, until it returns false. */
void mpii_watch_tree_meet(struct mpii_watch *w, bool (*look)(struct mpii_watch *w, struct mpii_watch *other));

#endif
