/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The loops of the predefined operations (op_loops.c): one for each kind of
 * element and operation that go together, found by the ABI's numbers.
 */
#ifndef MPI_OP_LOOPS_H
#define MPI_OP_LOOPS_H

#include <mpi.h>
#include <stddef.h>

/* result[i] = left[i] op right[i]; the result may be one of the operands. */
typedef void mpii_op_loop(const void *left, const void *right, void *result, size_t count);

/* NULL: the operation is not defined for this predefined type (6.9.2, 6.9.4). */
mpii_op_loop *mpii_op_loop_of(MPI_Op op, MPI_Datatype type);

#endif
