/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: who can end a wait in a collective, for core_wait_by. `by` lasts as long as the wait.
 */
#ifndef COLL_BLOCKED_H
#define COLL_BLOCKED_H

#include "coll/internal.h"

const struct core_blocked_by *coll_blocked_barrier(struct core_blocked_by *by, const struct coll_team *t);
const struct core_blocked_by *coll_blocked_team(struct core_blocked_by *by, const struct coll_team *t);
const struct core_blocked_by *coll_blocked_block(struct core_blocked_by *by, const struct coll_block *n);

#endif
