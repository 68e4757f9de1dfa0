/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The one way to move memory. Regions must not overlap. Chooses among inline
 * moves, the C library and non-temporal stores by size; all its stores are
 * ordered before the caller's next store (a non-temporal copy ends by a fence).
 * The last 64 bytes are stored after all others, and once.
 */
#ifndef CORE_COPY_H
#define CORE_COPY_H

#include <stddef.h>
#include <stdint.h>

void core_copy_init(void);
void core_copy_large(void *to, const void *from, size_t n); /* n > 64 */
typedef uint64_t core_word __attribute__((may_alias, aligned(1)));
static inline void core_copy(void *to, const void *from, size_t n)
{
    unsigned char *d = (unsigned char *)to;
    const unsigned char *s = (const unsigned char *)from;
    if (n > 64) {
        core_copy_large(to, from, n);
        return;
    }
    /* Every byte is stored once: a peer that has seen a word may have written
     * it anew. */
    for (; n >= 8; n -= 8, d += 8, s += 8)
        *(volatile core_word *)d = *(const core_word *)s; /* volatile: no call of memcpy */
    if (n & 4) {
        __builtin_memcpy(d, s, 4);
        d += 4, s += 4;
    }
    if (n & 2) {
        __builtin_memcpy(d, s, 2);
        d += 2, s += 2;
    }
    if (n & 1)
        *d = *s;
}
/* The same, one of several copies of `all` bytes together, that one after the other use the caches. */
void core_copy_part(void *to, const void *from, size_t n, size_t all);
/* `nblocks` blocks of `bytes` bytes; strides in bytes from block to block, any sign. */
void core_copy_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t bytes,
                       size_t nblocks);

/* Copies into the other byte order: n items of `width` (2, 4 or 8) bytes, the bytes
 * of each reversed. Regions must not overlap; strides in bytes from item to item. */
void core_swap(void *to, const void *from, size_t width, size_t n);
void core_swap_strided(void *to, ptrdiff_t to_stride, const void *from, ptrdiff_t from_stride, size_t width, size_t n);

#endif
