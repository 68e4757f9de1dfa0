/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The state of the engine (state.h).
 */
#include "coll/state.h"

struct coll_state coll_state = {.slots.lock = PTHREAD_MUTEX_INITIALIZER,
                                .groups.lock = PTHREAD_MUTEX_INITIALIZER,
                                .blocks.lock = PTHREAD_MUTEX_INITIALIZER};
