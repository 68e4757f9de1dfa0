/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of type: see mpi/state.h.
 */
#ifndef MPI_TYPE_STATE_H
#define MPI_TYPE_STATE_H

#include <stdbool.h>
#include <stdint.h>

enum { TYPE_F90_BUCKETS = 64 };

struct mpii_type;
struct mpii_type_f90;

/* Types to destroy (type_make.c). */
struct mpii_types_dying {
    struct mpii_type *first; /* linked through attrs, which are gone by now */
    bool busy;
};

struct mpii_type_state {
    bool later; /* predefined types are made at their first use */
    uint8_t basic_rows[256]; /* by handle - 0x200: 1 + index in the table of basic types; 0: none (type_basic.c) */
    struct mpii_type_f90 *f90[TYPE_F90_BUCKETS]; /* types made by MPI_Type_create_f90_... before (type_f90.c) */
    struct mpii_types_dying dying;
};

#endif
