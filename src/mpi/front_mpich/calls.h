/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The functions of the front with MPICH's ABI: declarations (generated), and
 * what the generated ones need of those written by hand.
 */
#ifndef MPI_FRONT_MPICH_CALLS_H
#define MPI_FRONT_MPICH_CALLS_H

#include "mpi/front_mpich/front.h"
#include "mpich_calls.h"

#pragma GCC visibility push(hidden)
/* Integers of Type_get_contents that are constants: orders and distributions. */
void mpich_integers_out(int datatype, MPI_Count max, int *integers);
/* Predefined attributes whose values are constants. */
void mpich_attribute_out(int keyval, void *attribute_val, const int *flag);
#pragma GCC visibility pop

/* MPI_DUP_FN there: a function whose address programs compare with. */
int MPIR_Dup_fn(int handle, int keyval, void *extra, void *from, void *to, int *flag);

#endif
