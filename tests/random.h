/* SPDX-License-Identifier: BSD-3-Clause */
/* Random numbers of the tests, the same on every machine: a counter through a mixing function of 64 bits. */
#ifndef TESTS_RANDOM_H
#define TESTS_RANDOM_H

#include <stdint.h>
#include <stdlib.h>

#define RANDOM_STEP 0x9e3779b97f4a7c15u /* odd: a counter that takes such steps meets all values */

/* One to one, and no small number maps to itself: the constant keeps 0 from doing so. */
static inline uint64_t random_mix(uint64_t x)
{
    x += RANDOM_STEP;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

static inline uint64_t random_next(uint64_t *state)
{
    *state += RANDOM_STEP;
    return random_mix(*state);
}

/* CHECK_SEED in the environment repeats or varies a run. Equal on all PEs. */
static inline uint64_t random_seed(uint64_t standard)
{
    const char *text = getenv("CHECK_SEED");

    return text ? strtoull(text, NULL, 0) : standard;
}

#endif
