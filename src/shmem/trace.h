/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the recorder (core/trace) is told of OpenSHMEM's calls. Nothing without --trace. A call of the program's:
 *
 *     SHMEMI_TRACE(t, where);             // recorded from here to the end of the block
 *     shmemi_trace_put(&t, pe, dest, source, n);   // what it does, where core_trace_on()
 *
 * Calls within it leave no record.
 */
#ifndef SHMEM_TRACE_H
#define SHMEM_TRACE_H

#include "core/rma/amo.h"
#include "shmem/shmemi.h"

static inline void shmemi_trace_begin(struct core_trace_record *t, const char *where)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_begin(t, where, core_trace_from());
}

static inline void shmemi_trace_end(struct core_trace_record *t)
{
    if (MPT_UNLIKELY(core_trace_on()))
        core_trace_end(t);
}

#define SHMEMI_TRACE(t, where)                                             \
    struct core_trace_record t __attribute__((cleanup(shmemi_trace_end))); \
    shmemi_trace_begin(&(t), where)

/* n bytes go to pe's object dest from source; NULL: their value says nothing. Or come from it. */
void shmemi_trace_put(struct core_trace_record *t, int pe, const void *dest, const void *source, size_t n)
    __attribute__((cold));
void shmemi_trace_get(struct core_trace_record *t, int pe, const void *source, size_t n) __attribute__((cold));
/* An atomic on pe's object; fetches: the program gets what was there. */
void shmemi_trace_atomic(struct core_trace_record *t, int pe, const void *object, struct core_amo amo, bool fetches)
    __attribute__((cold));
/* n bytes of data, and after them the signal, which is what somebody waits for. */
void shmemi_trace_signal(struct core_trace_record *t, int pe, size_t n, const uint64_t *sig_addr, uint64_t signal)
    __attribute__((cold));
/* A wait for this PE's object, which has this value now. */
void shmemi_trace_waited(struct core_trace_record *t, const void *ivar, int64_t value, size_t n) __attribute__((cold));
/* The same of a test that has just succeeded; one that fails leaves no record. */
void shmemi_trace_tested(const char *where, const void *ivar, int64_t value, size_t n) __attribute__((cold));
/* A collective of a team: bytes that this PE brings; root: a rank, or -1. */
void shmemi_trace_together(struct core_trace_record *t, struct coll_team *team, size_t n, int root)
    __attribute__((cold));

#endif
