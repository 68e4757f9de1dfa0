/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The translator's memory: blocks that only grow, freed as a whole with the unit. A translation lives for
 * a fraction of a second, so nothing is given back before. */
#include "arena.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20, ALIGNMENT = 16 };

struct block {
    struct block *next;
    _Alignas(ALIGNMENT) char data[];
};

struct scc_arena {
    struct block *blocks;
    char *at, *end;
};

static void *must(void *p)
{
    if (p == NULL) {
        fputs("scc: out of memory\n", stderr);
        exit(1);
    }
    return p;
}

struct scc_arena *scc_arena_new(void)
{
    return must(calloc(1, sizeof(struct scc_arena)));
}

void scc_arena_free(struct scc_arena *arena)
{
    for (struct block *b = arena->blocks, *next; b != NULL; b = next) {
        next = b->next;
        free(b);
    }
    free(arena);
}

static char *new_block(struct scc_arena *arena, size_t bytes)
{
    struct block *b = must(calloc(1, sizeof *b + bytes));
    b->next = arena->blocks;
    arena->blocks = b;
    return b->data;
}

void *scc_arena_alloc(struct scc_arena *arena, size_t bytes)
{
    bytes = (bytes + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
    if (bytes > BLOCK_BYTES / 8)
        return new_block(arena, bytes);
    if ((size_t)(arena->end - arena->at) < bytes) {
        arena->at = new_block(arena, BLOCK_BYTES);
        arena->end = arena->at + BLOCK_BYTES;
    }
    void *p = arena->at;
    arena->at += bytes;
    return p;
}

void *scc_alloc(struct scc_unit *unit, size_t bytes)
{
    return scc_arena_alloc(unit->arena, bytes);
}

char *scc_printf(struct scc_unit *unit, const char *format, ...)
{
    va_list args;
    char *text = NULL;
    va_start(args, format);
    int len = vasprintf(&text, format, args);
    va_end(args);
    must(len < 0 ? NULL : text);
    char *kept = memcpy(scc_alloc(unit, (size_t)len + 1), text, (size_t)len + 1);
    free(text);
    return kept;
}
