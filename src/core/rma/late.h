/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Operations on PEs of this node that do not take effect at their call (core/adversary): a queue of each PE.
 *
 * One belongs to a `key`, the flow or whatever its completion is asked of. It takes effect at a time of its own, by a
 * thread of the library at the latest, or when its key is finished. Of the same key and PE those before a fence come
 * before those after it. Others come in order, or not. `to` and `from` are addresses in this process.
 */
#ifndef CORE_RMA_LATE_H
#define CORE_RMA_LATE_H

#include "core/rma/rma.h"

static inline bool core_late_on(void)
{
    return MPT_UNLIKELY(core_state.rma.late != NULL);
}

/* borrow: the source is the operation's until it is done, else it is copied now. */
void core_late_put(const void *key, int pe, void *to, const void *from, size_t n, bool borrow);
void core_late_put_strided(const void *key, int pe, void *to, const void *from, struct core_strides s);
void core_late_get(const void *key, int pe, void *to, const void *from, size_t n);
void core_late_amo(const void *key, int pe, void *object, struct core_amo a, void *fetch); /* fetch: NULL, or its
                                                                                                 old value */
/* The data, then the signal. */
void core_late_put_signal(const void *key, int pe, void *to, const void *from, size_t n, uint64_t *signal,
                          enum core_amo_op op, uint64_t value);

void core_late_fence(const void *key);
void core_late_catch_up(const void *key, int pe); /* what is done now comes after those before the last fence */
enum { CORE_LATE_ALL_PES = -1 };
void core_late_finish(const void *key, int pe); /* NULL: of all keys */
bool core_late_idle(const void *key);           /* nothing of it is under way */
int core_late_step(void);                       /* those whose time has come; how many */

int core_late_start(void);
void core_late_stop(void);

#endif
