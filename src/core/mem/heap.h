/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The symmetric heap's allocator. Every PE runs the same one on its own
 * bookkeeping, in private memory: the same calls in the same order give the same
 * offsets everywhere. None communicates; faces add the barriers. Thread safe.
 */
#ifndef CORE_HEAP_H
#define CORE_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* align: power of two up to core_heap_alignment, 0 = 64; NULL when full */
void *core_heap_alloc(size_t n, size_t align);
void *core_heap_resize(void *p, size_t n);     /* may move; copies min(old, n) bytes; NULL when full (p stays) */
int core_heap_free(void *p);                   /* -EINVAL: not the start of a block in use */
int core_heap_leave(void *p);                  /* the same, but other PEs may touch the block until its next use */
size_t core_heap_size_of(const void *p);       /* bytes of the block starting at p, 0 if none */
size_t core_heap_alignment(size_t n);          /* the largest that a heap of n bytes grants, on every PE */
bool core_heap_holds(const void *p);           /* does p lie in a block in use? Slow */
void core_heap_stat(size_t *used, size_t *largest_free, size_t *total);
int core_heap_init(void *base, size_t n);      /* manage [base, base+n) */
void core_heap_forget(void); /* the program ends: checkers of memory need not miss blocks (guard.h) */

#endif
