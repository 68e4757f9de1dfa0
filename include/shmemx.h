/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The place of extensions (shmemx_ names). Calls that were extensions of other
 * libraries before 1.6 are standard now and found in shmem.h.
 */
#ifndef SHMEMX_H
#define SHMEMX_H

#include "shmem.h"

#endif
