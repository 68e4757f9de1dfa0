/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Collectives that travel with a meeting of all PEs (core/wait/meet.h).
 */
#ifndef COLL_MEET_H
#define COLL_MEET_H

#include "coll/block.h"
#include "core/wait/meet.h"

/* As a hook of core_meet: ends the job where some PE has left for good and has not come. */
void coll_look_who_left(unsigned kind, const char *where);

/* All PEs call it for each allreduce of all of them. COLL_MET: the result is there. COLL_MET_ELSEWHERE: it does not
 * fit, for all of them: another algorithm must serve. */
enum coll_met { COLL_MET, COLL_MET_ELSEWHERE, COLL_MET_IN_VAIN };
enum coll_met coll_meet_allreduce(const struct core_meet_hooks *hooks, const struct coll_block_call *c);

#endif
