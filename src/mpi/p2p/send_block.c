/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory for bodies that outlive their call: copies of buffered messages and the
 * packed form of what is not dense. It comes from core's arena, so the receiver
 * on this node copies from it directly. Blocks are kept by size: a program that
 * sends much asks the arena rarely.
 */
#include <errno.h>

#include "mpi/p2p/p2p.h"

enum { CLASS_FIRST = 11, CLASSES = 12, SPARE_BYTES = 8 << 20 }; /* 2 KiB to 4 MiB */
#define OUT_MOST (64ul << 20) /* more than this is not buffered: the receiver is too slow */

static struct mpii_p2p_block *spare[CLASSES];
static size_t spare_bytes, out_bytes;

static unsigned class_of(size_t n)
{
    unsigned c = CLASS_FIRST;

    while (((size_t)1 << c) < n)
        c++;
    return c;
}

static size_t bytes_of(unsigned size_class)
{
    return (size_t)1 << size_class;
}

struct mpii_p2p_block *mpii_p2p_block_need(size_t n)
{
    size_t all = n + sizeof(struct mpii_p2p_block);
    unsigned c = class_of(all), i = c - CLASS_FIRST;
    struct mpii_p2p_block *b = i < CLASSES ? spare[i] : NULL;

    if (b) {
        spare[i] = b->next;
        spare_bytes -= bytes_of(c);
    } else {
        size_t bytes = i < CLASSES ? bytes_of(c) : n;

        if (!(b = malloc(sizeof *b)))
            return NULL;
        b->data = core_arena_alloc(bytes, 64);
        b->in_arena = b->data != NULL;
        if (!b->in_arena && !(b->data = malloc(bytes))) {
            free(b);
            return NULL;
        }
        b->size_class = c;
    }
    out_bytes += bytes_of(c);
    return b;
}

struct mpii_p2p_block *mpii_p2p_block_get(size_t n)
{
    if (out_bytes > OUT_MOST)
        mpii_p2p_offers_reclaim();
    if (out_bytes <= OUT_MOST)
        return mpii_p2p_block_need(n);
    errno = EAGAIN;
    return NULL;
}

static void give_back(struct mpii_p2p_block *b)
{
    if (b->in_arena)
        core_arena_free(b->data);
    else
        free(b->data);
    free(b);
}

void mpii_p2p_block_free(struct mpii_p2p_block *b)
{
    unsigned c = b->size_class, i = c - CLASS_FIRST;

    out_bytes -= bytes_of(c);
    if (i >= CLASSES || spare_bytes + bytes_of(c) > SPARE_BYTES) {
        give_back(b);
        return;
    }
    b->next = spare[i];
    spare[i] = b;
    spare_bytes += bytes_of(c);
}

void mpii_p2p_blocks_finish(void)
{
    for (int i = 0; i < CLASSES; i++)
        for (struct mpii_p2p_block *b; (b = spare[i]);) {
            spare[i] = b->next;
            give_back(b);
        }
    spare_bytes = 0;
}
