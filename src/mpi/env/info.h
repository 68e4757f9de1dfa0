/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What info.c and info_env.c tell each other.
 */
#ifndef MPI_INFO_H
#define MPI_INFO_H

#include "mpi/mpii.h"

/* MPI_INFO_ENV's object; NULL: out of memory. */
struct mpii_info *mpii_info_env(void);

/* The thread level MPI_Init gave; what MPI_INFO_ENV says of it follows. */
void mpii_info_env_level(int level);
const char *mpii_thread_level_name(int level);

/* Kinds of memory that buffers may lie in (11.4.3). */
#define MPII_MEMORY_KINDS "mpi,system"

#endif
