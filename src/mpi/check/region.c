/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checksums of buffers, and whether two have bytes in common. Memory may have been given back by the program
 * meanwhile, so it is read by a system call, which fails where a load would end the process.
 */
#include "mpi/check/region.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum {
    WORD = 8,
    LANES = 4, /* bytes that are summed at a time, and how many sums there are */
    BLOCKS = 64,        /* of a layout, read at a time */
    PIECE = 16 << 10,   /* bytes likewise */
    WHOLE = 4 << 20,    /* of longer ones, beginning and end ... */
    STRIDE = 256 << 10, /* ... and a piece each so many bytes */
    PAGE = 4096,
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

struct sum {
    uint64_t lane[4];
    uintptr_t page; /* the last that a load was found to be safe in */
    unsigned pages; /* found so */
    pid_t pid;
    bool failed;
};

static uint64_t mix(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0x9e3779b97f4a7c15ull;
    return h ^ h >> 29;
}

static void add_bytes(struct sum *s, const unsigned char *at, size_t n)
{
    uint64_t word[LANES];

    for (; n >= LANES * WORD; at += LANES * WORD, n -= LANES * WORD) {
        memcpy(word, at, sizeof word);
        for (int i = 0; i < LANES; i++)
            s->lane[i] = mix(s->lane[i], word[i]);
    }
    for (size_t step; n > 0; at += step, n -= step) {
        step = n < WORD ? n : WORD;
        word[0] = n;
        memcpy(word, at, step);
        s->lane[0] = mix(s->lane[0], word[0]);
    }
}

/* Where system calls cannot read memory at all, loads do. */
static bool fetch(struct sum *s, unsigned char *to, uintptr_t from, size_t n)
{
    struct iovec here = {to, n}, there = {(void *)from, n};
    ssize_t got = process_vm_readv(s->pid, &here, 1, &there, 1, 0);

    if (got == (ssize_t)n)
        return true;
    if (got >= 0 || errno == EFAULT)
        return false;
    memcpy(to, (const void *)from, n);
    return true;
}

static void add_pieces(struct sum *s, uintptr_t from, size_t n)
{
    unsigned char piece[PIECE];

    for (size_t m; n > 0 && !s->failed; from += m, n -= m) {
        m = n < PIECE ? n : PIECE;
        s->failed = !fetch(s, piece, from, m);
        if (!s->failed)
            add_bytes(s, piece, m);
    }
}

/* Blocks are often many in a page: one system call serves them all. */
static void add_memory(struct sum *s, uintptr_t from, size_t n)
{
    const uintptr_t page = from / PAGE;
    unsigned char byte;

    if ((from + n - 1) / PAGE != page) {
        add_pieces(s, from, n);
        s->pages += (unsigned)(n / PAGE);
        return;
    }
    if (page != s->page) {
        s->failed = !fetch(s, &byte, from, 1);
        s->page = page;
        s->pages++;
    }
    if (!s->failed)
        add_bytes(s, (const unsigned char *)from, n);
}

static void add_dense(struct sum *s, uintptr_t from, size_t n)
{
    if (n <= WHOLE) {
        add_memory(s, from, n);
        return;
    }
    add_memory(s, from, WHOLE / 4);
    for (size_t at = WHOLE / 4; at + PIECE <= n - WHOLE / 4; at += STRIDE)
        add_memory(s, from + at, PIECE);
    add_memory(s, from + n - WHOLE / 4, WHOLE / 4);
}

static void add_blocks(struct sum *s, const struct mpii_region *g)
{
    struct mpii_block blocks[BLOCKS];
    MPI_Count offset = 0, done;
    int n;

    while (!s->failed && offset < WHOLE && s->pages < PAGES &&
           (n = mpii_blocks(g->count, g->type, offset, blocks, BLOCKS, &done)) > 0) {
        for (int i = 0; i < n; i++)
            add_memory(s, (uintptr_t)g->buf + (uintptr_t)blocks[i].at, (size_t)blocks[i].n);
        offset += done;
    }
}

bool mpii_region_sum(const struct mpii_region *g, uint64_t *sum)
{
    struct sum s = {.lane = {1, 2, 3, 4}, .pid = getpid()};

    if (g->type->dense)
        add_dense(&s, g->low, (size_t)(g->high - g->low));
    else
        add_blocks(&s, g);
    *sum = mix(mix(mix(s.lane[0], s.lane[1]), s.lane[2]), s.lane[3]);
    return !s.failed;
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
