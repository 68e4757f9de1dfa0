/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checksums of buffers, and whether two have bytes in common.
 */
#include "mpi/check/region.h"

#include <stdlib.h>

enum {
    BLOCKS = 64,        /* of a layout, read at a time */
    WHOLE = 4 << 20,    /* bytes: of longer ones, beginning and end ... */
    PIECE = 16 << 10,   /* ... and a piece each so many bytes */
    STRIDE = 256 << 10,
    PAGES = 1 << 13,    /* of scattered blocks */
    FEW = 1024,         /* blocks that are compared with others */
};

void mpii_region_set(struct mpii_region *g, const void *buf, MPI_Count count, struct mpii_type *t)
{
    MPI_Count bytes;

    *g = (struct mpii_region){.buf = buf, .count = count, .type = t};
    g->low = (uintptr_t)mpii_span(buf, count, t, &bytes);
    g->high = g->low + (uintptr_t)bytes;
}

/* -------------------------------------------------------------- checksums -- */

static void add_dense(struct core_memory_sum *s, uintptr_t from, size_t n)
{
    if (n <= WHOLE) {
        core_memory_sum_add(s, (const void *)from, n);
        return;
    }
    core_memory_sum_add(s, (const void *)from, WHOLE / 4);
    for (size_t at = WHOLE / 4; at + PIECE <= n - WHOLE / 4; at += STRIDE)
        core_memory_sum_add(s, (const void *)(from + at), PIECE);
    core_memory_sum_add(s, (const void *)(from + n - WHOLE / 4), WHOLE / 4);
}

/* Of scattered blocks no more than so many pages, known and unknown ones alike: the two sums of a region must be of the
 * same blocks. */
static void add_blocks(struct core_memory_sum *s, const struct mpii_region *g)
{
    struct mpii_block blocks[BLOCKS];
    MPI_Count offset = 0, done;
    uintptr_t page = 0;
    unsigned pages = 0;
    int n;

    while (!s->failed && offset < WHOLE && pages < PAGES &&
           (n = mpii_blocks(g->count, g->type, offset, blocks, BLOCKS, &done)) > 0) {
        for (int i = 0; i < n; i++) {
            uintptr_t from = (uintptr_t)g->buf + (uintptr_t)blocks[i].at;

            pages += (unsigned)((size_t)blocks[i].n / CORE_MEMORY_PAGE) + (from / CORE_MEMORY_PAGE != page);
            page = from / CORE_MEMORY_PAGE;
            core_memory_sum_add(s, (const void *)from, (size_t)blocks[i].n);
        }
        offset += done;
    }
}

bool mpii_region_sum(const struct mpii_region *g, struct core_memory_pages *pages, uint64_t *sum)
{
    struct core_memory_sum s;

    core_memory_sum_begin(&s, pages);
    if (g->type->dense)
        add_dense(&s, g->low, (size_t)(g->high - g->low));
    else
        add_blocks(&s, g);
    return core_memory_sum_end(&s, sum);
}

/* ---------------------------------------------------------------- overlaps -- */

static int by_address(const void *a, const void *b)
{
    const struct mpii_block *x = a, *y = b;

    return x->at < y->at ? -1 : x->at > y->at;
}

/* Its blocks by address; 0: too many. */
static int sorted(const struct mpii_region *g, struct mpii_block blocks[FEW])
{
    MPI_Count done;
    int n = mpii_blocks(g->count, g->type, 0, blocks, FEW, &done);

    if (done != g->count * g->type->size)
        return 0;
    for (int i = 0; i < n; i++)
        blocks[i].at += (MPI_Aint)g->buf;
    qsort(blocks, (size_t)n, sizeof *blocks, by_address);
    return n;
}

static bool lists_meet(const struct mpii_block *a, int na, const struct mpii_block *b, int nb)
{
    for (int i = 0, j = 0; i < na && j < nb;) {
        if (a[i].at + a[i].n <= b[j].at)
            i++;
        else if (b[j].at + b[j].n <= a[i].at)
            j++;
        else
            return true;
    }
    return false;
}

bool mpii_regions_meet(const struct mpii_region *a, const struct mpii_region *b)
{
    struct mpii_block *blocks;
    bool meet = false;
    int na, nb;

    if (a->low >= b->high || b->low >= a->high)
        return false;
    if (a->type->dense && b->type->dense)
        return true;
    blocks = malloc(2 * FEW * sizeof *blocks);
    if (blocks) {
        na = sorted(a, blocks);
        nb = sorted(b, blocks + FEW);
        meet = lists_meet(blocks, na, blocks + FEW, nb);
    }
    free(blocks);
    return meet;
}

bool mpii_region_meets_itself(const struct mpii_region *g)
{
    struct mpii_block *blocks;
    bool meets = false;

    if (g->type->dense)
        return false;
    blocks = malloc(FEW * sizeof *blocks);
    for (int i = 1, n = blocks ? sorted(g, blocks) : 0; i < n && !meets; i++)
        meets = blocks[i - 1].at + blocks[i - 1].n > blocks[i].at;
    free(blocks);
    return meets;
}
