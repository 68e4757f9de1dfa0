/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The recorder (mptrun --trace, MPT_TRACE; docs/trace-format.md). A call of an interface:
 *
 *     struct core_trace_record t;
 *     if (MPT_UNLIKELY(core_trace_on()))
 *         core_trace_begin(&t, "shmem_long_put", __builtin_return_address(0));
 *     ...
 *     if (MPT_UNLIKELY(core_trace_on()))
 *         core_trace_end(&t);     // after t.peer, t.bytes, ... have been filled in
 *
 * A call within another of the same thread is the library's own, and leaves no record. All of it is for any thread.
 * It goes on from the start of the job in this process to its end; the whole of a call that starts the job is told
 * afterwards (core_trace_was).
 */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include <stdbool.h>

#include "core/state.h"
#include "core/trace/record.h"
#include "mpt/fast.h"

/* Does this PE record? Does not change within a call but by core_trace_stop. */
static inline bool core_trace_on(void)
{
    return core_state.trace.on;
}

/* Does it write records, not only sums? */
static inline bool core_trace_writes(void)
{
    return core_trace_on() && !core_state.trace.sums;
}

/* Begins a call: takes a record and fills t (kind, call, thread, begin, site; the others are "none"). name: a literal,
 * whose address stands for it. from: the return address of the function that the program called, for its line; NULL: by
 * core_site(). */
void core_trace_begin(struct core_trace_record *t, const char *name, const void *from);
/* Ends it: sets t->end and writes it, if it was the outermost. Does nothing else for one that began before the
 * recorder did. */
void core_trace_end(struct core_trace_record *t);
/* The same of a test that found nothing, whose `value` becomes 1: with the one before it of this thread, if that was
 * the same, from the same line, ended not long before, and nothing lies between, one record from the beginning of the
 * first, with the sum of both values. */
void core_trace_end_in_vain(struct core_trace_record *t);
/* A whole call, which began at tick `begin` (core_trace_now(), which may be asked at any time): one that has started
 * the recorder. */
void core_trace_was(const char *name, const void *from, uint64_t begin);
uint64_t core_trace_now(void);
/* A record of another kind, within the call under way: kind, role, peer, tag, bytes, group, message, value are the
 * caller's, and call, site, begin and end if they are not 0; the rest is filled in. Returns its index; UINT64_MAX:
 * dropped. */
uint64_t core_trace_add(const struct core_trace_record *t);
/* The index of the record of the call under way: what receives that it begins refer to. UINT64_MAX: it has none. */
uint64_t core_trace_current(void);
/* Noted by public functions: their return address, for a call that begins deeper. */
static inline void core_trace_enter(const void *from)
{
    if (MPT_UNLIKELY(core_trace_on()) && core_thread.trace.depth == 0)
        core_thread.trace.from = from;
}
static inline const void *core_trace_from(void)
{
    return core_thread.trace.from;
}
/* Is this thread within a call of the program's? */
static inline bool core_trace_inside(void)
{
    return core_thread.trace.depth > 0;
}

/* Regions of the program; within each other, not beyond CORE_TRACE_DEEP. The name is copied. */
void core_trace_region_begin(const char *name);
void core_trace_region_end(void);
/* MPI_Pcontrol and shmem_pcontrol: 0 nothing is recorded from now on, 1 (and more) it is again; 2 also writes what
 * there is to the disk. */
void core_trace_control(int level);

/* The number of the group with this key, defined (with its members and name) at its first use. */
uint32_t core_trace_group(uint64_t key, const int *pes, int n, const char *name);
/* The group `group` has these PEs as this PE's sources in neighbourhood calls. */
void core_trace_sources(uint32_t group, const int *pes, int n);
/* The number of a name, for records that name something else than the call under way; a literal. */
uint16_t core_trace_name(const char *literal);
/* `message` of a symmetric address of this PE's; 0 if it is none. */
uint64_t core_trace_address(const void *at);

/* ---- for job/clocks.c ---- */
/* This host's time at a tick, in ns since 1970; ticks in ns, and back. */
uint64_t core_trace_epoch_ns(uint64_t tick);
uint64_t core_trace_ticks_ns(uint64_t ticks);
uint64_t core_trace_ns_ticks(uint64_t ns);
/* At this tick this host's time was `ns` behind that of PE 0's host, give or take `error`. */
void core_trace_clock_was(uint64_t tick, int64_t ns, uint64_t error);
/* Once, at the end of the first call that ends at this tick or later. */
void core_trace_call_at(uint64_t tick, void (*what)(void));

/* job.c: at the start, once the job's memory is mapped and the number of this PE is known; 0 or a negative errno after
 * a message. At its end. */
int core_trace_start(void);
void core_trace_stop(void);

#endif
