/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Segregated bins of free blocks, good fit, immediate coalescing. Decisions
 * depend on offsets and on the order of the calls, never on an address, so PEs
 * that make the same calls get the same offsets.
 */
#include "core/mem/heap_space.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/number.h"

enum {
    SUB = 1 << HEAP_SUB_LOG,
    LOOK = 16,              /* blocks of one bin looked at before a larger bin is taken */
    IN_USE = HEAP_BINS,     /* `bin` of a block that is not free */
    UNUSED = HEAP_BINS + 1, /* `bin` of a descriptor that is no block */
    NIL = 0,                /* block 0 is never used: index 0 means none */
};

struct core_heap_block {
    uint64_t off, size;      /* grains */
    uint32_t before, behind; /* neighbours by address */
    uint32_t prev, next;     /* in its bin; `next` also in its hash chain and among the unused */
    uint32_t bin;
};

/* ----------------------------------------------------------- descriptors -- */

static uint32_t *chain_of(struct core_heap_space *s, uint64_t off)
{
    return &s->chain[off * 0x9e3779b97f4a7c15u >> 32 & (s->capacity - 1)];
}

static void chain_add(struct core_heap_space *s, uint32_t b)
{
    uint32_t *head = chain_of(s, s->block[b].off);

    s->block[b].next = *head;
    *head = b;
}

static void chain_remove(struct core_heap_space *s, uint32_t b)
{
    uint32_t *at = chain_of(s, s->block[b].off);

    while (*at != b)
        at = &s->block[*at].next;
    *at = s->block[b].next;
}

/* Twice as many descriptors and hash chains. */
static bool grow_tables(struct core_heap_space *s)
{
    uint32_t capacity = s->capacity ? 2 * s->capacity : 1024;
    uint32_t *chain = capacity ? calloc(capacity, sizeof *chain) : NULL;
    struct core_heap_block *block = chain ? realloc(s->block, capacity * sizeof *block) : NULL;

    if (!block) {
        free(chain);
        return false;
    }
    free(s->chain);
    s->chain = chain;
    s->block = block;
    s->capacity = capacity;
    for (uint32_t b = 1; b < s->blocks; b++)
        if (block[b].bin == IN_USE)
            chain_add(s, b);
    return true;
}

/* Make sure that the next `n` calls of new_block succeed. */
static bool reserve(struct core_heap_space *s, uint32_t n)
{
    return s->spares + (s->capacity - s->blocks) >= n || grow_tables(s);
}

static uint32_t new_block(struct core_heap_space *s)
{
    uint32_t b = s->spare;

    if (b == NIL)
        return s->blocks++;
    s->spare = s->block[b].next;
    s->spares--;
    return b;
}

/* ------------------------------------------------------------------ bins -- */

/* Bin of a size: below SUB one bin a size, then SUB bins for each power of two. */
static uint32_t bin_of(uint64_t size)
{
    unsigned log;

    if (size < SUB)
        return (uint32_t)size;
    log = core_log2(size);
    return (log - HEAP_SUB_LOG + 1) * SUB + (uint32_t)(size >> (log - HEAP_SUB_LOG) & (SUB - 1));
}

/* The first bin >= `from` that holds a block, or HEAP_BINS. */
static uint32_t bin_next(struct core_heap_space *s, uint32_t from)
{
    uint32_t word = from / 64;
    uint64_t bits;

    if (from >= HEAP_BINS)
        return HEAP_BINS;
    bits = s->filled[word] & ~0ull << from % 64;
    while (!bits && ++word < HEAP_BINS / 64)
        bits = s->filled[word];
    return bits ? word * 64 + (uint32_t)__builtin_ctzll(bits) : HEAP_BINS;
}

static void bin_add(struct core_heap_space *s, uint32_t b)
{
    struct core_heap_block *k = &s->block[b];

    k->bin = bin_of(k->size);
    k->prev = NIL;
    k->next = s->bin[k->bin];
    if (k->next != NIL)
        s->block[k->next].prev = b;
    s->bin[k->bin] = b;
    s->filled[k->bin / 64] |= 1ull << k->bin % 64;
}

static void bin_remove(struct core_heap_space *s, uint32_t b)
{
    struct core_heap_block *k = &s->block[b];

    if (k->next != NIL)
        s->block[k->next].prev = k->prev;
    if (k->prev != NIL)
        s->block[k->prev].next = k->next;
    else if ((s->bin[k->bin] = k->next) == NIL)
        s->filled[k->bin / 64] &= ~(1ull << k->bin % 64);
}

static uint64_t gap_to(uint64_t off, uint64_t align)
{
    return -off & (align - 1);
}

static bool fits(const struct core_heap_block *k, uint64_t size, uint64_t align)
{
    uint64_t gap = gap_to(k->off, align);

    return k->size >= size && k->size - size >= gap;
}

/* The smallest block that fits among the first `look` of a bin. */
static uint32_t bin_search(struct core_heap_space *s, uint32_t bin, uint64_t size, uint64_t align, uint64_t look)
{
    uint32_t best = NIL;

    for (uint32_t b = s->bin[bin]; b != NIL && look--; b = s->block[b].next)
        if (fits(&s->block[b], size, align) && (best == NIL || s->block[b].size < s->block[best].size))
            best = b;
    return best;
}

/* Any block of a bin above the one of size + align - 1 fits, so this is a few
 * looks at most; all blocks are looked at only before "full" is the answer. */
static uint32_t find_free(struct core_heap_space *s, uint64_t size, uint64_t align)
{
    static const uint64_t look[] = {LOOK, UINT64_MAX};
    uint32_t b;

    for (unsigned round = 0; round < 2; round++)
        for (uint32_t bin = bin_next(s, bin_of(size)); bin < HEAP_BINS; bin = bin_next(s, bin + 1))
            if ((b = bin_search(s, bin, size, align, look[round])) != NIL)
                return b;
    return NIL;
}

/* ---------------------------------------------------------------- blocks -- */

/* Cut block b after `size` grains; the rest is a new block in no bin. */
static uint32_t split(struct core_heap_space *s, uint32_t b, uint64_t size)
{
    uint32_t rest = new_block(s);
    struct core_heap_block *k = &s->block[b], *r = &s->block[rest];

    *r = (struct core_heap_block){.off = k->off + size, .size = k->size - size, .before = b, .behind = k->behind};
    if (r->behind != NIL)
        s->block[r->behind].before = rest;
    k->behind = rest;
    k->size = size;
    return rest;
}

/* Unite b with the block behind it; neither is in a bin. */
static void merge(struct core_heap_space *s, uint32_t b)
{
    struct core_heap_block *k = &s->block[b];
    uint32_t gone = k->behind;

    k->size += s->block[gone].size;
    k->behind = s->block[gone].behind;
    if (k->behind != NIL)
        s->block[k->behind].before = b;
    s->block[gone].bin = UNUSED;
    s->block[gone].next = s->spare;
    s->spare = gone;
    s->spares++;
}

static bool is_free(struct core_heap_space *s, uint32_t b)
{
    return b != NIL && s->block[b].bin != IN_USE;
}

/* Put a block that is in no bin among the free ones, united with free neighbours. */
static void release(struct core_heap_space *s, uint32_t b)
{
    uint32_t before = s->block[b].before, behind = s->block[b].behind;

    if (is_free(s, behind)) {
        bin_remove(s, behind);
        merge(s, b);
    }
    if (is_free(s, before)) {
        bin_remove(s, before);
        merge(s, before);
        b = before;
    }
    bin_add(s, b);
}

/* Shorten block b, which is in no bin, to `size`. */
static void trim(struct core_heap_space *s, uint32_t b, uint64_t size)
{
    uint32_t rest;

    if (s->block[b].size == size)
        return;
    rest = split(s, b, size);
    s->block[b].bin = IN_USE; /* so that release leaves it alone */
    release(s, rest);
}

/* ------------------------------------------------------------------ face -- */

int core_heap_space_init(struct core_heap_space *s, uint64_t total)
{
    uint32_t b;

    memset(s, 0, sizeof *s);
    s->blocks = 1; /* NIL */
    if (!grow_tables(s))
        return -ENOMEM;
    s->total = total;
    if (total) {
        b = new_block(s);
        s->block[b] = (struct core_heap_block){.size = total};
        bin_add(s, b);
    }
    return 0;
}

void core_heap_space_finish(struct core_heap_space *s)
{
    free(s->block);
    free(s->chain);
    memset(s, 0, sizeof *s);
}

bool core_heap_space_take(struct core_heap_space *s, uint64_t size, uint64_t align, uint64_t *off)
{
    uint32_t b = size <= s->total && reserve(s, 2) ? find_free(s, size, align) : NIL;
    uint64_t gap;

    if (b == NIL)
        return false;
    bin_remove(s, b);
    gap = gap_to(s->block[b].off, align);
    if (gap) {
        uint32_t front = b;

        b = split(s, front, gap);
        bin_add(s, front);
    }
    trim(s, b, size);
    s->block[b].bin = IN_USE;
    chain_add(s, b);
    s->used += size;
    *off = s->block[b].off;
    return true;
}

static uint32_t find_used(struct core_heap_space *s, uint64_t off)
{
    uint32_t b = off < s->total ? *chain_of(s, off) : NIL;

    while (b != NIL && s->block[b].off != off)
        b = s->block[b].next;
    return b;
}

uint64_t core_heap_space_size(struct core_heap_space *s, uint64_t off)
{
    uint32_t b = find_used(s, off);

    return b != NIL ? s->block[b].size : 0;
}

bool core_heap_space_holds(const struct core_heap_space *s, uint64_t off)
{
    for (uint32_t b = 1; b < s->blocks; b++)
        if (s->block[b].bin == IN_USE && off - s->block[b].off < s->block[b].size)
            return true;
    return false;
}

void core_heap_space_each(const struct core_heap_space *s, void each(uint64_t off, uint64_t size))
{
    for (uint32_t b = 1; b < s->blocks; b++)
        if (s->block[b].bin == IN_USE)
            each(s->block[b].off, s->block[b].size);
}

bool core_heap_space_drop(struct core_heap_space *s, uint64_t off)
{
    uint32_t b = find_used(s, off);

    if (b == NIL)
        return false;
    chain_remove(s, b);
    s->used -= s->block[b].size;
    release(s, b);
    return true;
}

bool core_heap_space_resize(struct core_heap_space *s, uint64_t off, uint64_t size)
{
    uint32_t b = find_used(s, off), behind;
    uint64_t old;

    if (b == NIL || size == 0 || size > s->total)
        return false;
    old = s->block[b].size;
    behind = s->block[b].behind;
    if (size > old && !(is_free(s, behind) && s->block[behind].size >= size - old))
        return false;
    if (!reserve(s, 1))
        return size <= old;
    if (size > old) {
        bin_remove(s, behind);
        merge(s, b);
    }
    trim(s, b, size);
    s->used += size - old;
    return true;
}

uint64_t core_heap_space_largest(struct core_heap_space *s)
{
    uint64_t largest = 0;
    uint32_t last = HEAP_BINS;

    for (uint32_t bin = bin_next(s, 0); bin < HEAP_BINS; bin = bin_next(s, bin + 1))
        last = bin;
    if (last == HEAP_BINS)
        return 0;
    for (uint32_t b = s->bin[last]; b != NIL; b = s->block[b].next)
        if (s->block[b].size > largest)
            largest = s->block[b].size;
    return largest;
}
