/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where Cray's programs look for shmem.h (deprecated since OpenSHMEM 1.2).
 */
#include "../shmem.h"
