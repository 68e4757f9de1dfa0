/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What checkers of memory from outside, valgrind's memcheck and AddressSanitizer, are told of the job's memory: which
 * of the symmetric heap a program may touch. Nothing happens where neither watches this process.
 */
#ifndef CORE_GUARD_H
#define CORE_GUARD_H

#include <stdbool.h>
#include <stddef.h>

/* One of them watches. */
bool core_guard_on(void);
/* The n bytes of a heap, of which no block is given out. */
void core_guard_heap(void *base, size_t n);
/* A block of n bytes at p was given out, in room bytes; or it has this size now. */
void core_guard_give(void *p, size_t n, size_t room);
/* It was taken back; other PEs may still touch it. */
void core_guard_take(void *p, size_t room, bool touched);
/* All of it may be touched, by the library. */
void core_guard_open(void *p, size_t room);
/* The library's own memory, of which little will be used: nobody touches it before it is opened. */
void core_guard_hide(void *p, size_t n);
/* The first of the n bytes at p that the program may not touch; NULL: there is none, or nobody watches. */
const void *core_guard_bad(const void *p, size_t n);
/* A block of malloc, and all that it points to, lives as long as the process: it is no leak. */
void core_guard_keep(const void *p);
/* What the checker knows of an address goes to stderr. */
void core_guard_describe(const void *at);

#endif
