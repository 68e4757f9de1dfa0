/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of the predefined operations (op_rows.c), found by the ABI's numbers.
 */
#ifndef MPI_OP_ROWS_H
#define MPI_OP_ROWS_H

#include <mpi.h>

#include "coll/coll.h"

/* NULL: the operation is not defined for this predefined type (6.9.2, 6.9.4). */
coll_op_fn *mpii_op_loop_of(MPI_Op op, MPI_Datatype type);
/* Of an element in such a loop's vectors, gaps included; 0: there are no loops for it. */
size_t mpii_op_element_size(MPI_Datatype type);

#endif
