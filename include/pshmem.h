/* SPDX-License-Identifier: BSD-3-Clause
 *
 * For profilers: shmem.h with every call an ordinary function, so that the file
 * may define shmem_X itself and call pshmem_X. To be included before shmem.h.
 */
#ifndef PSHMEM_H
#define PSHMEM_H

#ifndef SHMEM_PROFILING
#define SHMEM_PROFILING
#endif
#include "shmem.h"

#endif
