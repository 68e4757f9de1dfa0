/* SPDX-License-Identifier: BSD-3-Clause
 *
 * SipHash-2-4 (Aumasson and Bernstein, 2012): a keyed checksum of short messages.
 * Without the key one can neither make a sum nor learn the key from those
 * that were seen. In pieces, for what is made of words; of bytes in siphash.c.
 */
#ifndef CORE_SIPHASH_H
#define CORE_SIPHASH_H

#include <stddef.h>
#include <stdint.h>

struct core_siphash_key {
    uint64_t k[2];
};

struct core_siphash {
    uint64_t a, b, c, d;
};

static inline uint64_t core_siphash_rotate(uint64_t x, int by)
{
    return x << by | x >> (64 - by);
}

static inline void core_siphash_round(struct core_siphash *s)
{
    s->a += s->b;
    s->c += s->d;
    s->b = core_siphash_rotate(s->b, 13) ^ s->a;
    s->d = core_siphash_rotate(s->d, 16) ^ s->c;
    s->a = core_siphash_rotate(s->a, 32) + s->d;
    s->c += s->b;
    s->d = core_siphash_rotate(s->d, 21) ^ s->a;
    s->b = core_siphash_rotate(s->b, 17) ^ s->c;
    s->c = core_siphash_rotate(s->c, 32);
}

static inline struct core_siphash core_siphash_begin(const struct core_siphash_key *key)
{
    return (struct core_siphash){key->k[0] ^ 0x736f6d6570736575u, key->k[1] ^ 0x646f72616e646f6du,
                                 key->k[0] ^ 0x6c7967656e657261u, key->k[1] ^ 0x7465646279746573u};
}

static inline void core_siphash_word(struct core_siphash *s, uint64_t word)
{
    s->d ^= word;
    core_siphash_round(s);
    core_siphash_round(s);
    s->a ^= word;
}

/* tail: up to seven last bytes; n: of all. */
static inline uint64_t core_siphash_end(struct core_siphash *s, uint64_t tail, size_t n)
{
    core_siphash_word(s, tail | (uint64_t)n << 56);
    s->c ^= 0xff;
    for (int i = 0; i < 4; i++)
        core_siphash_round(s);
    return s->a ^ s->b ^ s->c ^ s->d;
}

uint64_t core_siphash_of(const struct core_siphash_key *key, const void *p, size_t n);

/* Numbers that nobody can guess. 0, or a negative errno. */
int core_random(void *p, size_t n);

#endif
