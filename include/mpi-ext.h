/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where programs written for Open MPI look for what is beyond the standard. Here mpi.h has it:
 * User-Level Failure Mitigation (docs/mpi.md).
 */
#ifndef MPT_MPI_EXT_H
#define MPT_MPI_EXT_H

#include <mpi.h>

#define OMPI_HAVE_MPI_EXT_FTMPI 1

#endif
