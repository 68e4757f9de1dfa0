/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Which grains of a range are in use: the allocator without the memory. Knows
 * offsets and sizes in grains only and takes no lock; heap.c is its user.
 */
#ifndef CORE_HEAP_SPACE_H
#define CORE_HEAP_SPACE_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HEAP_SUB_LOG = 4, /* bins per power of two: 2^HEAP_SUB_LOG */
    HEAP_BINS = 64 << HEAP_SUB_LOG,
};

struct core_heap_block;

struct core_heap_space {
    uint64_t total, used; /* grains */
    struct core_heap_block *block;
    uint32_t blocks, capacity; /* descriptors ever used, allocated */
    uint32_t spare, spares;    /* list of unused descriptors, its length */
    uint32_t *chain;           /* `capacity` heads: blocks in use by hash of their offset */
    uint32_t bin[HEAP_BINS];
    uint64_t filled[HEAP_BINS / 64]; /* bit set: the bin holds a block */
};

/* One free block of `total` grains. 0 or -ENOMEM. */
int core_heap_space_init(struct core_heap_space *s, uint64_t total);
void core_heap_space_finish(struct core_heap_space *s);

/* `size` >= 1 grains at an offset that is a multiple of `align`, a power of two;
 * false when there is no such block. */
bool core_heap_space_take(struct core_heap_space *s, uint64_t size, uint64_t align, uint64_t *off);

/* Size of the block in use that starts at `off`, 0 if none does. */
uint64_t core_heap_space_size(struct core_heap_space *s, uint64_t off);

/* Does `off` lie in a block in use? Looks at all blocks. */
bool core_heap_space_holds(const struct core_heap_space *s, uint64_t off);

/* Calls `each` with every block in use. */
void core_heap_space_each(const struct core_heap_space *s, void each(uint64_t off, uint64_t size));

/* Give back the block in use at `off`; false if there is none. */
bool core_heap_space_drop(struct core_heap_space *s, uint64_t off);

/* Make the block in use at `off` larger or smaller where it lies; false when it
 * has no room to grow. */
bool core_heap_space_resize(struct core_heap_space *s, uint64_t off, uint64_t size);

uint64_t core_heap_space_largest(struct core_heap_space *s);

#endif
