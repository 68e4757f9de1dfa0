/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of ft: see mpi/state.h.
 */
#ifndef MPI_FT_STATE_H
#define MPI_FT_STATE_H

#include <stdbool.h>
#include <stdint.h>

struct mpii_comm;

/* What follows for folders above; filled in at the start of MPI. */
struct mpii_ft_hooks {
    void (*made)(struct mpii_comm *c); /* by mpii_ft_made */
    void (*died)(void); /* some process is dead */
    void (*windows)(void); /* their communicators may be in trouble */
};

/* The processes that have died, as far as this one knows. */
struct mpii_ft_known {
    unsigned char *dead; /* by process */
    int room;            /* of dead[] */
    int *order, n;       /* the dead, as they became known */
    uint32_t seen;       /* of core_dead_count() ... */
    uint32_t told;       /* ... and as it was when another thread was last given time to go on */
    bool news, busy;
};

struct mpii_ft_state {
    bool on; /* from the start in such jobs; else from the first revocation or agreement on */
    struct mpii_ft_hooks above;
    struct mpii_ft_known known;
};

#endif
