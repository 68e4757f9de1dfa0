/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The target's memory as runs of blocks at equal distances, found from the blocks
 * of its datatype: what an accumulate goes through, and what a message carries,
 * since the target has no datatypes of the origin's.
 */
#include <string.h>

#include "mpi/rma/rma.h"

enum { BLOCKS = 64 };

/* Append the block to the runs; false: no room. */
static bool append(struct mpii_rma_run *runs, int *n, int max, int64_t at, int64_t bytes)
{
    struct mpii_rma_run *last = *n ? &runs[*n - 1] : NULL;

    if (last && last->n == bytes && last->count == 1) {
        last->stride = at - last->at;
        last->count = 2;
        return true;
    }
    if (last && last->n == bytes && at == last->at + last->stride * last->count) {
        last->count++;
        return true;
    }
    if (*n == max)
        return false;
    runs[(*n)++] = (struct mpii_rma_run){at, bytes, 0, 1};
    return true;
}

/* Elements with gaps: the first block of each tells where it is. */
static int element_runs(struct mpii_rma_cursor *c, struct mpii_rma_run *runs, int max)
{
    MPI_Count size = c->element->size, done;
    struct mpii_block b;
    int n = 0;

    for (; c->offset < c->end; c->offset += size) {
        mpii_blocks(c->count, c->type, c->offset, &b, 1, &done);
        if (!append(runs, &n, max, c->at + b.at, size))
            break;
    }
    return n;
}

int mpii_rma_runs(struct mpii_rma_cursor *c, struct mpii_rma_run *runs, int max)
{
    struct mpii_block blocks[BLOCKS];
    MPI_Count done;
    int n = 0;

    if (c->offset >= c->end)
        return 0;
    if (c->element && !c->element->dense)
        return element_runs(c, runs, max);
    if (c->type->dense) {
        runs[0] = (struct mpii_rma_run){c->at + c->offset, c->end - c->offset, 0, 1};
        c->offset = c->end;
        return 1;
    }
    while (c->offset < c->end) {
        int found = mpii_blocks(c->count, c->type, c->offset, blocks, BLOCKS, &done);

        for (int i = 0; i < found && c->offset < c->end; i++) {
            MPI_Count bytes = blocks[i].n < c->end - c->offset ? blocks[i].n : c->end - c->offset;

            if (!append(runs, &n, max, c->at + blocks[i].at, bytes))
                return n;
            c->offset += bytes;
        }
    }
    return n;
}

void mpii_rma_gather(void *to, const char *base, const struct mpii_rma_run *runs, int n)
{
    char *d = to;

    for (int i = 0; i < n; i++) {
        core_copy_strided(d, runs[i].n, mpii_rma_at(base, runs[i].at), runs[i].stride, (size_t)runs[i].n,
                          (size_t)runs[i].count);
        d += runs[i].n * runs[i].count;
    }
}

void mpii_rma_scatter(char *base, const struct mpii_rma_run *runs, int n, const void *from)
{
    const char *s = from;

    for (int i = 0; i < n; i++) {
        core_copy_strided(mpii_rma_at(base, runs[i].at), runs[i].stride, s, runs[i].n, (size_t)runs[i].n,
                          (size_t)runs[i].count);
        s += runs[i].n * runs[i].count;
    }
}
