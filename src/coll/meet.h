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

/* Where the PEs leave their vectors: the same memory for all. */
struct coll_meet_room {
    char *at;
    int n, me;
};
struct coll_meet_room coll_meet_room(void);

/* Bytes of a vector. */
enum { COLL_MEET_MOST = 56 };
/* What a PE gives to an allreduce and gets from it. loop NULL: it cannot travel so. */
struct coll_meet_vector {
    const void *from;
    void *to;
    int64_t count, bytes; /* elements, and of them all */
    coll_op_fn *loop;
};

/* All PEs call it for each allreduce of all of them. COLL_MET: the result is there. COLL_MET_ELSEWHERE: it does not
 * fit, for all of them: another algorithm must serve. It reads no variables: PEs of a process may share its text. */
enum coll_met { COLL_MET, COLL_MET_ELSEWHERE, COLL_MET_IN_VAIN, COLL_MET_LATER };
enum coll_met coll_meet_allreduce(struct coll_meet_room room, const struct core_meet_hooks *hooks,
                                  const struct coll_meet_vector *v, const char *where);
/* In two halves, where there is room for all PEs: the second one when core_meet_over the number that the first gives.
 */
bool coll_meet_has_room(struct coll_meet_room room);
uint64_t coll_meet_allreduce_begin(struct coll_meet_room room, const struct core_meet_hooks *hooks,
                                   const struct coll_meet_vector *v);
enum coll_met coll_meet_allreduce_end(struct coll_meet_room room, const struct coll_meet_vector *v);

#endif
