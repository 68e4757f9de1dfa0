/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Whose turn it is: for each array that wait_until_any, test_any and their like
 * search, the element behind the one found last. One table of this PE for all of
 * its threads, of fixed size and without locks: a turn is advice on where to
 * begin, and any answer is right. An array that shares its word with others
 * begins at elements that spread over it evenly.
 */
#include "shmem/wait.h"

enum { NEXT_BITS = 32 };

static uint64_t *word_of(const void *ivars, uint64_t *tag)
{
    uint64_t hash = (uintptr_t)ivars * 0x9e3779b97f4a7c15u;
    *tag = hash >> NEXT_BITS | 1;
    return &shmemi.turns.table[hash >> (64 - SHMEMI_TURNS_LOG)];
}

/* An element for an array whose turn was forgotten; nelems > 0. The golden ratio's multiples
 * leave no element out, however calls on several arrays follow each other. */
static size_t some_turn(size_t nelems)
{
    uint64_t at = __atomic_add_fetch(&shmemi.turns.forgotten, 0x9e3779b97f4a7c15u, __ATOMIC_RELAXED);
    return (size_t)((unsigned __int128)at * nelems >> 64);
}

size_t shmemi_turn_of(const void *ivars, size_t nelems)
{
    uint64_t tag, seen = __atomic_load_n(word_of(ivars, &tag), __ATOMIC_RELAXED);
    size_t next = (uint32_t)seen;
    if (seen >> NEXT_BITS != tag)
        return seen == 0 || nelems == 0 ? 0 : some_turn(nelems);
    return next < nelems ? next : 0;
}

void shmemi_turn_took(const void *ivars, size_t i)
{
    uint64_t tag, *word = word_of(ivars, &tag);
    __atomic_store_n(word, tag << NEXT_BITS | (uint32_t)(i + 1), __ATOMIC_RELAXED);
}
