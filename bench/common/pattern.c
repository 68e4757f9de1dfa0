/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Test data in which every 8-byte word depends on the seed and on its place, so that a transfer that is late,
 * short, shifted or from the wrong PE is seen.
 */
#include "bench.h"

#include <string.h>

/* A bijective mixer: distinct inputs give distinct words. */
static uint64_t mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0x9fb21c651e98df25u;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93u;
    return x ^ x >> 32;
}

void bench_pattern_fill(void *to, size_t bytes, uint64_t seed)
{
    char *p = to;

    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t w = mix(seed + i);

        memcpy(p + i, &w, bytes - i < 8 ? bytes - i : 8);
    }
}

bool bench_pattern_check(const void *at, size_t bytes, uint64_t seed)
{
    const char *p = at;

    for (size_t i = 0; i < bytes; i += 8) {
        const uint64_t w = mix(seed + i);

        if (memcmp(p + i, &w, bytes - i < 8 ? bytes - i : 8) != 0)
            return false;
    }
    return true;
}

uint64_t bench_pattern_seed(int pe, size_t bytes, int round)
{
    return mix((uint64_t)pe << 48 ^ (uint64_t)round << 40 ^ (uint64_t)bytes);
}
