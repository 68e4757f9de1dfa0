/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What every PE can address: the symmetric heap, the executable's globals, and
 * the collective area (one block per PE, same layout, for coll only).
 */
#ifndef CORE_SEGMENT_H
#define CORE_SEGMENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "mpt/fast.h"

/* Does [p, p+n) lie whole in one of this PE's symmetric parts? */
static inline bool core_segment_holds(const void *p, size_t n)
{
    uintptr_t a = (uintptr_t)p;
    size_t h = a - mpt_fast.heap_lo, d = a - mpt_fast.data_lo;
    return (h < mpt_fast.heap_len && n <= mpt_fast.heap_len - h) ||
           (d < mpt_fast.data_len && n <= mpt_fast.data_len - d);
}

/* The address by which this process reaches `p` of PE `pe` with loads and
 * stores; NULL when p is not symmetric or pe is not on this node. */
void *core_addr_slow(int pe, const void *p);
static inline void *core_addr(int pe, const void *p)
{
    unsigned i = mpt_idx(pe);
    return MPT_LIKELY(i < mpt_fast.node_n) ? mpt_addr(p, i) : core_addr_slow(pe, p);
}

/* Collective area of this PE, *size bytes (may be NULL), zeroed at start; and
 * the address of what lies there at PE `pe` of this node. On the network its
 * addresses serve as symmetric ones do. */
void *core_coll_area(size_t *size);
void *core_coll_at(int pe, const void *own);
/* The same for the tables of PVM, which lie at one PE. */
void *core_face_area(size_t *size); /* PVM's, but for its last bytes, MPI's: */
enum { CORE_FACE_SIZE = 64 << 20, CORE_FACE_MPI = 65536 };

#endif
