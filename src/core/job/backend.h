/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What started this PE, as one small struct of functions: the launcher or the
 * program itself on one machine (backend_local.c), or any launcher that serves
 * PMIx (backend_pmix.c). A backend says who is where, carries the business cards
 * and ends the job.
 */
#ifndef CORE_BACKEND_H
#define CORE_BACKEND_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "core/rma/cards.h"

/* Where this PE stands in its job and on its node. */
struct core_location {
    int me, npes;
    int fd;           /* the node's memory */
    unsigned slice;   /* own slice of it */
    unsigned nslices; /* PEs of this node */
    const int *pes;   /* their PE numbers, rising; NULL: all the job, in order */
};

struct core_backend {
    const char *name;
    /* Is it this one that started us? */
    bool (*here)(void);
    /* Fill `location`; a message has been printed when it fails (negative errno). */
    int (*join)(int npes_hint, struct core_location *location);
    /* This PE's memory is mapped: what there is to do before any barrier. May be NULL. */
    void (*joined)(void);
    /* Collective: hand in this PE's card, get everybody's (npes of them, which stay). 0 or
     * negative errno after a message. */
    int (*exchange)(const struct core_card *own, const struct core_card **all);
    /* Collective: all PEs arrive before one leaves; makes progress meanwhile. */
    void (*barrier)(const char *where);
    /* End the job, all PEs on all nodes, with this status. May return: the
     * caller then exits by itself. */
    void (*abort)(int status);
    /* This PE has finished in order; the launcher may be told. Called once, late
     * (at exit), because a program may start again after finishing. */
    void (*leave)(void);
};

extern const struct core_backend core_backend_local, core_backend_pmix;

#endif
