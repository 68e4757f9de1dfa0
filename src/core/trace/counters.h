/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processor counters of the time between calls (MPT_TRACE_COUNTERS).
 */
#ifndef CORE_TRACE_COUNTERS_H
#define CORE_TRACE_COUNTERS_H

#include <stdint.h>

struct core_trace_thread;
struct perf_event_mmap_page;

/* At the start of the recorder; says what is missing. */
void core_trace_counters_start(void);
/* Only where counters are wanted: a call begins at this tick. */
void core_trace_count_until(struct core_trace_thread *own, uint64_t tick);
/* A call ends: after they are read, at the tick that is returned. */
uint64_t core_trace_count_from(struct core_trace_thread *own);
/* The count of an event by its page; counter: reads the processor's counter i. */
uint64_t core_trace_counter_of(const struct perf_event_mmap_page *page, uint64_t (*counter)(uint32_t i));

#endif
