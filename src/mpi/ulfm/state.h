/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of ulfm: see mpi/state.h.
 */
#ifndef MPI_ULFM_STATE_H
#define MPI_ULFM_STATE_H

#include <stdbool.h>
#include <stdint.h>

#include "mpi/rt/state.h"

struct mpii_agreement;
struct mpii_agree_kept;
struct mpii_comm;

/* Agreements under way (agree.c). */
struct mpii_agree_state {
    struct mpii_agreement *first;
    struct mpii_agree_kept *early, *unsent; /* what came before this process called; and what found no room */
    struct mpii_hook unsent_hook;
};

struct mpii_ulfm_state {
    struct {
        uint64_t *contexts;
        int n;
    } early; /* communicators that were revoked before this process had made them (revoke.c) */
    struct {
        uint64_t context;
        struct mpii_comm *comm;
    } found; /* by a search among communicators */
    struct {
        unsigned char *at; /* by process - core_size() */
        int room;
    } connected; /* processes of other jobs whose end will be seen */
    bool said; /* why deaths are not survived */
    struct mpii_agree_state agree;
};

#endif
