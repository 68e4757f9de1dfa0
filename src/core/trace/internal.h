/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the recorder share.
 */
#ifndef CORE_TRACE_INTERNAL_H
#define CORE_TRACE_INTERNAL_H

#include "core/base/thread.h"
#include "core/internal.h"
#include "core/trace/trace.h"

/* ---- clock.c ---- */
/* Does core_clock_counter go on at one rate, in step on all cores? */
bool core_trace_counts(void);
/* Ticks in a second, and one moment by both clocks: the same for all PEs of this host. */
struct core_wire_trace_clock;
void core_trace_clock_set(struct core_wire_trace_clock *c);

/* ---- file.c ---- */
/* The file of PE `pe` in folder `dir`, empty but for its header. 0 or a negative errno. */
int core_trace_file_open(const char *dir, int pe);
/* n slots that follow one another; 0: there is no room, and they count as dropped. at_end: there is more room. */
uint64_t core_trace_take_slow(uint64_t n, uint64_t slot, bool at_end);
/* A slot that is no longer in memory. */
void core_trace_file_write(uint64_t slot, const struct core_trace_record *t);
bool core_trace_file_read(uint64_t slot, struct core_trace_record *t);
void core_trace_file_sync(void);
void core_trace_file_close(void);
static inline struct core_trace_header *core_trace_header(void)
{
    return core_state.trace.header;
}

/* Where a slot lies in memory, until core_trace_let_go; NULL: it is in the file by now, and there is nothing to let go.
 * Several threads: who writes slots to the file moves `low` first, and then waits until nobody holds one. */
static inline struct core_trace_record *core_trace_hold(uint64_t slot)
{
    struct core_trace_state *trace = &core_state.trace;

    if (MPT_UNLIKELY(!core_process_single()))
        __atomic_fetch_add(&trace->holders, 1, __ATOMIC_SEQ_CST);
    if (MPT_LIKELY(slot >= __atomic_load_n(&trace->low, __ATOMIC_SEQ_CST)))
        return &trace->slots[slot & trace->mask];
    if (!core_process_single())
        __atomic_fetch_sub(&trace->holders, 1, __ATOMIC_RELEASE);
    return NULL;
}
static inline void core_trace_let_go(void)
{
    if (MPT_UNLIKELY(!core_process_single()))
        __atomic_fetch_sub(&core_state.trace.holders, 1, __ATOMIC_RELEASE);
}

/* ---- cost.c ---- */
void core_trace_cost(void); /* measures it, and leaves a record RECORDER */

/* ---- sums.c ---- */
int core_trace_sums_make(void); /* 0 or -ENOMEM */
void core_trace_sum(const struct core_trace_record *t, uint64_t ticks, uint64_t waited_ns);
/* ---- trace.c ---- */
/* Where a call from this address would have been noted. */
static inline struct core_trace_seen *core_trace_seen_at(const void *from)
{
    return &core_state.trace.seen[(uintptr_t)from * 0x9e3779b97f4a7c15ull >> 55];
}
/* A slot for one record; 0: none is left. */
uint64_t core_trace_take(void);

/* ---- define.c ---- */
int core_trace_tables_make(void); /* 0 or -ENOMEM */
uint16_t core_trace_call_number(const char *literal);
uint16_t core_trace_region_number(const char *name);
uint32_t core_trace_site_number(const void *from); /* 0: not known */
bool core_trace_site_fixed(const void *from); /* calls from there have that number, whoever called */
void core_trace_lines(void); /* of all sites, as far as time allows */

#endif
