/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory for bodies that outlive their call: copies of buffered messages and the
 * packed form of what is not dense. It comes from core's arena, so the receiver
 * on this node copies from it directly. Blocks are kept by size: a program that
 * sends much asks the arena rarely.
 */
#include "mpi/p2p/p2p.h"

static struct mpii_p2p_state *const p2p = &mpii_state.p2p;

enum { CLASS_FIRST = 11, CLASSES = P2P_BLOCK_CLASSES, SPARE_BYTES = 8 << 20 }; /* 2 KiB to 4 MiB */
#define OUT_MOST (64ul << 20) /* more than this is not buffered: the receiver is too slow */

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
    struct mpii_p2p_block *b = i < CLASSES ? p2p->spare.block[i] : NULL;

    if (b) {
        p2p->spare.block[i] = b->next;
        p2p->spare.bytes -= bytes_of(c);
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
    p2p->blocks_out += bytes_of(c);
    return b;
}

struct mpii_p2p_block *mpii_p2p_block_get(size_t n)
{
    if (p2p->blocks_out > OUT_MOST)
        mpii_p2p_offers_reclaim();
    return p2p->blocks_out <= OUT_MOST ? mpii_p2p_block_need(n) : NULL;
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

    p2p->blocks_out -= bytes_of(c);
    if (i >= CLASSES || p2p->spare.bytes + bytes_of(c) > SPARE_BYTES) {
        give_back(b);
        return;
    }
    b->next = p2p->spare.block[i];
    p2p->spare.block[i] = b;
    p2p->spare.bytes += bytes_of(c);
}

void mpii_p2p_blocks_finish(void)
{
    for (int i = 0; i < CLASSES; i++)
        for (struct mpii_p2p_block *b; (b = p2p->spare.block[i]);) {
            p2p->spare.block[i] = b->next;
            give_back(b);
        }
    p2p->spare.bytes = 0;
}
