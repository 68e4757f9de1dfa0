/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of front: see mpi/state.h.
 */
#ifndef MPI_FRONT_STATE_H
#define MPI_FRONT_STATE_H

#include <stdbool.h>

/* Fortran's LOGICAL. */
struct mpii_front_logical {
    int bytes; /* 0: not set */
    unsigned char true_bits[16], false_bits[16];
};

struct mpii_front_state {
    bool fortran_set; /* the sizes of Fortran's types have been */
    struct mpii_front_logical logical;
};

#endif
