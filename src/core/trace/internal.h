/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the files of the recorder share.
 */
#ifndef CORE_TRACE_INTERNAL_H
#define CORE_TRACE_INTERNAL_H

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
void core_trace_file_close(void);
static inline struct core_trace_header *core_trace_header(void)
{
    return (struct core_trace_header *)(void *)core_state.trace.slots;
}

/* ---- sums.c ---- */
int core_trace_sums_make(void); /* 0 or -ENOMEM */
void core_trace_sum(const struct core_trace_record *t, uint64_t ticks, uint64_t waited_ns);
/* trace.c: a slot for one; 0: none is left. */
uint64_t core_trace_take(void);

/* ---- define.c ---- */
int core_trace_tables_make(void); /* 0 or -ENOMEM */
uint16_t core_trace_call_number(const char *literal);
uint16_t core_trace_region_number(const char *name);
uint32_t core_trace_site_number(const void *from); /* 0: not known */
void core_trace_lines(void); /* of all sites, as far as time allows */

#endif
