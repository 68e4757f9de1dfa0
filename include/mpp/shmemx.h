/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Where Cray's programs look for shmemx.h (deprecated since OpenSHMEM 1.2).
 */
#include "../shmemx.h"
