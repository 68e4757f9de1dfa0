/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What init.c and session.c share.
 */
#ifndef MPI_SESSION_H
#define MPI_SESSION_H

#include "mpi/mpii.h"

bool mpii_thread_level_valid(int level);

#endif
