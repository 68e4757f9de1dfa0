/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts and gets of private memory on this node by system calls: one copy, and
 * the target need do nothing for it. Small puts of active epochs go by message
 * instead, which cost the origin less; their targets come to the library anyway.
 */
#include <stdlib.h>
#include <sys/uio.h>

#include "mpi/rma/rma.h"

enum { PIECE = 64 << 10, RUNS = 16, BLOCKS = 256, EAGER = 512 };

static uintptr_t target_address(const struct mpii_rma_call *c)
{
    return c->p->address + (uintptr_t)c->at;
}

/* The next blocks of the target, up to PIECE bytes; runs that are not begun yet stay. */
struct blocks {
    struct mpii_rma_cursor cursor;
    struct mpii_rma_run runs[RUNS];
    int n, run;
    int64_t repeat; /* of runs[run]: done */
    struct iovec iov[BLOCKS];
    unsigned iovs;
    MPI_Count bytes;
};

static bool next_blocks(struct blocks *b, uintptr_t base)
{
    b->iovs = 0;
    b->bytes = 0;
    while (b->iovs < BLOCKS && b->bytes < PIECE) {
        const struct mpii_rma_run *run = &b->runs[b->run];

        if (b->run == b->n) {
            b->n = mpii_rma_runs(&b->cursor, b->runs, RUNS);
            b->run = 0;
            b->repeat = 0;
            if (b->n == 0)
                break;
            continue;
        }
        if (b->bytes > 0 && b->bytes + run->n > PIECE)
            break;
        b->iov[b->iovs++] =
            (struct iovec){(void *)(base + (uintptr_t)(run->at + b->repeat * run->stride)), (size_t)run->n};
        b->bytes += run->n;
        if (++b->repeat == run->count) {
            b->run++;
            b->repeat = 0;
        }
    }
    return b->iovs > 0;
}

/* Scattered data, piece by piece; runs are cut to PIECE so that a buffer holds each. */
static bool move_blocks(struct mpii_rma_call *c, bool put)
{
    struct blocks b = {.cursor = {.type = c->ttype, .count = c->tcount}};
    char *buffer = malloc(PIECE);
    MPI_Count at = 0;
    bool ok = buffer != NULL;

    while (ok && at < c->bytes) {
        b.cursor.end = c->bytes - b.cursor.offset < PIECE ? c->bytes : b.cursor.offset + PIECE;
        if (!next_blocks(&b, target_address(c)))
            break;
        if (put) {
            mpii_pack(buffer, c->origin, c->ocount, c->otype, at, b.bytes);
            ok = core_cma_writev(c->p->pe, b.iov, b.iovs, buffer);
        } else {
            ok = core_cma_readv(c->p->pe, buffer, b.iov, b.iovs);
            if (ok)
                mpii_unpack(c->result, c->rcount, c->rtype, at, buffer, b.bytes);
        }
        at += b.bytes;
    }
    free(buffer);
    return ok;
}

bool mpii_rma_put_cma(struct mpii_rma_call *c)
{
    bool passive = c->w->access_all || (c->p->access >= RMA_OPEN_SHARED && c->p->access <= RMA_OPEN_NOCHECK);

    if (!passive && c->bytes <= EAGER)
        return false;
    if (!c->otype->dense || !c->ttype->dense)
        return move_blocks(c, true);
    return core_cma_writev(c->p->pe, &(struct iovec){(void *)target_address(c), (size_t)c->bytes}, 1, c->origin);
}

bool mpii_rma_get_cma(struct mpii_rma_call *c)
{
    if (!c->rtype->dense || !c->ttype->dense)
        return move_blocks(c, false);
    return core_cma_readv(c->p->pe, c->result, &(struct iovec){(void *)target_address(c), (size_t)c->bytes}, 1);
}
