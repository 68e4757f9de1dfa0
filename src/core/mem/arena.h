/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The arena: private memory of this PE that peers of its node can load and store: nothing in
 * it is symmetric, a block is known by its offset. Thread safe. Fresh memory
 * is not zero in general. Stores there are announced and waited for as those to
 * symmetric memory are (core_changed, core_wait_begin_for).
 */
#ifndef CORE_ARENA_H
#define CORE_ARENA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

void *core_arena_alloc(size_t n, size_t align); /* align: power of two, 0 = 64; NULL when n is 0 or there is no room */
void core_arena_free(void *p); /* NULL is fine; the end of the job when p is no block in use */
bool core_arena_holds(const void *p, size_t n); /* does [p, p+n) lie whole in this PE's arena? */
size_t core_arena_size_of(const void *p); /* bytes of the block in use that starts at p, 0 if none */
uint64_t core_arena_offset(const void *p); /* of an address in this PE's arena */
void *core_arena_at(int pe, uint64_t offset); /* NULL: pe is not on this node */

/* Any memory of this PE that peers of its node reach, symmetric or of the arena, as
 * a number they can turn into an address. False: it is private. */
bool core_slice_offset(const void *p, size_t n, uint64_t *offset);
void *core_slice_at(int pe, uint64_t offset); /* NULL: pe is not on this node */

#endif
