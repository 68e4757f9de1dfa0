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
 * A call within another of the same thread is the library's own, and leaves no record.
 */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include <stdbool.h>

#include "core/trace/record.h"

bool core_trace_on(void); /* to become an inline test of one word that is hot anyway */

/* Begins a call: takes a record and fills t (kind, call, thread, begin, site; the others are "none"). name: a literal,
 * whose address stands for it. from: the return address of the function that the program called, for its line; NULL: by
 * core_site(). */
void core_trace_begin(struct core_trace_record *t, const char *name, const void *from);
/* Ends it: sets t->end and writes it, if it was the outermost. */
void core_trace_end(struct core_trace_record *t);
/* A record of another kind, within the call under way: kind, role, peer, tag, bytes, group, message, value are the
 * caller's, the rest is filled in. Returns its index. */
uint64_t core_trace_add(const struct core_trace_record *t);
/* The index of the record of the call under way: what receives that it begins refer to. */
uint64_t core_trace_current(void);

/* The number of the group with this key, defined (with its members and name) at its first use. */
uint32_t core_trace_group(uint64_t key, const int *pes, int n, const char *name);
/* `message` of an address of pe's memory as this process sees it. */
uint64_t core_trace_address(int pe, const void *at);

#endif
