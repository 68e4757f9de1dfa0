/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared by the tests of core's internals, which have no SHMEM to lean on: a
 * check that ends the program with what was wrong, random numbers, a clock.
 */
#ifndef TESTS_CORE_EXPECT_H
#define TESTS_CORE_EXPECT_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* EXPECT(condition, format, ...): go on only if it holds. */
#define EXPECT(cond, ...)                                                    \
    do {                                                                     \
        if (!(cond)) {                                                       \
            fprintf(stderr, "%s:%d: %s is false: ", __FILE__, __LINE__, #cond); \
            fprintf(stderr, __VA_ARGS__);                                    \
            fputc('\n', stderr);                                             \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

/* xorshift64*: small, fast, and the same everywhere. The state must not be 0. */
static inline uint64_t random_next(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return *state * 0x2545f4914f6cdd1du;
}

static inline uint64_t random_below(uint64_t *state, uint64_t limit)
{
    return (random_next(state) >> 11) % limit;
}

static inline double seconds(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
