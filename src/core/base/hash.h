/* SPDX-License-Identifier: BSD-3-Clause
 *
 * FNV-1a of 64 bits (Fowler, Noll, Vo): sums that tell things apart. Not against who wants to be taken for another
 * (siphash.h).
 */
#ifndef CORE_HASH_H
#define CORE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define CORE_HASH_BEGIN 0xcbf29ce484222325ull

/* One step; of a byte that is FNV-1a, of larger words its like. */
static inline uint64_t core_hash_word(uint64_t h, uint64_t word)
{
    return (h ^ word) * 0x100000001b3ull;
}

static inline uint64_t core_hash(uint64_t h, const void *data, size_t n)
{
    for (const unsigned char *p = (const unsigned char *)data; n > 0; n--)
        h = core_hash_word(h, *p++);
    return h;
}

static inline uint64_t core_hash_text(uint64_t h, const char *text)
{
    for (; *text; text++)
        h = core_hash_word(h, (unsigned char)*text);
    return h;
}

#endif
