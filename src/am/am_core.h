/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The inner face of the active messages, for the layers on top of them: a start and
 * an end that are counted, and requests without the casts of am.h's macros. Programs'
 * own am_enable and am_disable may come between.
 */
#ifndef AM_AM_CORE_H
#define AM_AM_CORE_H

#include <stdbool.h>

#include "am.h"

/* 0 or a negative errno after a message. Collective, as is the end, which returns
 * when all messages of all PEs were handled. */
int ami_core_start(void);
void ami_core_finish(void);
bool ami_core_started(void);

/* am_poll, for a caller of that name. */
int ami_core_poll(const char *where);

/* No handler of this PE runs: it may wait and send requests. */
bool ami_core_free_to_wait(void);

#endif
