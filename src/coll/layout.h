/* SPDX-License-Identifier: BSD-3-Clause
 *
 * How the elements of a buffer lie in memory, as far as the engine must know.
 * What is not dense is packed and unpacked by the face whose layout it is
 * (coll/block.h).
 */
#ifndef COLL_LAYOUT_H
#define COLL_LAYOUT_H

#include <stdbool.h>
#include <stdint.h>

struct coll_layout {
    int64_t size;   /* bytes of data of an element */
    int64_t extent; /* from one element to the next */
    int64_t true_lb, true_extent; /* where its data begins, and how far it reaches */
    bool dense; /* packed form = memory: size == extent, no gaps, in order */
};

/* count elements of a layout at an address */
struct coll_part {
    void *at;
    int64_t count;
    const struct coll_layout *layout;
};

static inline int64_t coll_part_size(struct coll_part p)
{
    return p.count * p.layout->size;
}
/* `count` elements of p from element `first` */
static inline struct coll_part coll_part_of(struct coll_part p, int64_t first, int64_t count)
{
    return (struct coll_part){(char *)p.at + first * p.layout->extent, count, p.layout};
}

/* One side's data of a call: `count` elements for each rank one after the other, or what the face says that has made
 * the arrays (coll_face.part). */
struct coll_side {
    void *buf;
    int64_t count;
    const struct coll_layout *layout; /* not when there are types */
    const void *counts, *displs, *types; /* NULL, or the face's: for each rank an entry */
};

/* All of a side that has no parts: broadcast, reductions. */
static inline struct coll_part coll_whole(const struct coll_side *side)
{
    return (struct coll_part){side->buf, side->count, side->layout};
}

#endif
