/* SPDX-License-Identifier: BSD-3-Clause */
/* What the test programs of all interfaces share: checks that say where, who and which values, time, random numbers of
 * a seed, and byte patterns to fill and verify memory with. The headers of the interfaces (check.h, mpi/mcheck.h,
 * pvm/pcheck.h, am/acheck.h) add how a program starts and how its verdict is found; one that is a process of its own
 * returns check_verdict(). 0 is a pass, 77 a skip, all else a failure. C and C++. */
#ifndef TESTS_HARNESS_H
#define TESTS_HARNESS_H

#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "random.h"

#define CHECK_SKIP_STATUS 77
#define CHECK_MESSAGES 20 /* a process prints no more failures than this, but counts them all */

#ifdef CHECK_SEVERAL_FILES /* of a program, one of which defines these */
extern long check_failures;
extern int check_me, check_npes;
extern char check_who[24];
#else
static long check_failures; /* static, so that it is symmetric, too */
static int check_me = -1, check_npes = 0; /* npes 0: not known (yet) */
static char check_who[24] = "PE"; /* what the interface calls a process */
#endif

/* CHECK(cond, fmt, ...): note a failure and go on; its value is the condition's. */
#define CHECK(cond, ...) check_result((cond) || check_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))
/* CHECK where the condition says it all. */
#define HOLDS(cond) CHECK(cond, "is false")
/* EXPECT(cond, fmt, ...): a failure ends this process. */
#define EXPECT(cond, ...)              \
    do {                               \
        if (!CHECK(cond, __VA_ARGS__)) \
            exit(1);                   \
    } while (0)

#define CHECK_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A call, so that compilers don't mind when the value of a CHECK is not used. */
static inline bool check_result(bool ok)
{
    return ok;
}

__attribute__((cold, format(printf, 4, 5))) static inline bool check_fail(const char *file, int line, const char *cond,
                                                                          const char *format, ...)
{
    char text[512], from[64] = "";
    va_list args;
    const char *base = strrchr(file, '/');

    if (__atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) >= CHECK_MESSAGES)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (check_npes > 0)
        snprintf(from, sizeof from, "%s %d of %d, ", check_who, check_me, check_npes);
    fprintf(stderr, "FAIL %s%s:%d: %s (%s)\n", from, base ? base + 1 : file, line, text, cond);
    return false;
}

static inline int check_verdict(void)
{
    if (check_failures)
        fprintf(stderr, "%ld checks failed\n", check_failures);
    return check_failures != 0;
}

/* One process: 0 and -1, which a fork or a message that failed leaves, would be a group, or all of them. */
static inline bool check_kill(pid_t pid, int signal)
{
    return CHECK(pid > 0, "process %d", (int)pid) && kill(pid, signal) == 0;
}

/* --- time --- */

static inline double check_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static inline void check_sleep(double seconds)
{
    struct timespec left;
    left.tv_sec = (time_t)seconds;
    left.tv_nsec = (long)((seconds - (double)left.tv_sec) * 1e9);
    while (nanosleep(&left, &left) != 0)
        continue;
}

/* --- random numbers --- */

static inline uint64_t check_mix(uint64_t x)
{
    return random_mix(x);
}
static inline uint64_t check_random(uint64_t *state)
{
    return random_next(state);
}
static inline uint64_t check_random_below(uint64_t *state, uint64_t limit)
{
    return random_next(state) % limit;
}
static inline uint64_t check_seed(uint64_t standard)
{
    return random_seed(standard);
}

/* --- patterns: byte i of pattern `seed` depends on both, so that shifted or foreign data never match --- */

static inline unsigned char check_pattern(uint64_t seed, size_t i)
{
    uint64_t word = check_mix(seed * 0x9e3779b97f4a7c15u + i / 8 + 1);
    return (unsigned char)(word >> (8 * (i % 8)));
}

static inline void check_fill(void *memory, size_t bytes, uint64_t seed)
{
    unsigned char *p = (unsigned char *)memory;
    size_t i = 0;

    for (; i + 8 <= bytes; i += 8) {
        uint64_t word = check_mix(seed * 0x9e3779b97f4a7c15u + i / 8 + 1);
        for (int b = 0; b < 8; b++)
            p[i + b] = (unsigned char)(word >> (8 * b));
    }
    for (; i < bytes; i++)
        p[i] = check_pattern(seed, i);
}

/* Offset of the first byte that differs from the pattern, or `bytes` when all is as it should be. */
static inline size_t check_differs(const void *memory, size_t bytes, uint64_t seed)
{
    const unsigned char *p = (const unsigned char *)memory;
    size_t i = 0;

    for (; i + 8 <= bytes; i += 8) {
        uint64_t word = check_mix(seed * 0x9e3779b97f4a7c15u + i / 8 + 1);
        for (int b = 0; b < 8; b++)
            if (p[i + b] != (unsigned char)(word >> (8 * b)))
                return i + b;
    }
    for (; i < bytes; i++)
        if (p[i] != check_pattern(seed, i))
            return i;
    return bytes;
}

static inline bool check_verify(const void *memory, size_t bytes, uint64_t seed, const char *what)
{
    size_t at = check_differs(memory, bytes, seed);

    if (at == bytes)
        return true;
    return CHECK(at == bytes, "%s: byte %zu of %zu is 0x%02x, expected 0x%02x of pattern %llu", what, at, bytes,
                 ((const unsigned char *)memory)[at], check_pattern(seed, at), (unsigned long long)seed);
}

/* Offset of the first byte that is not `value`, or `bytes`: for guard zones round a target. */
static inline size_t check_not_byte(const void *memory, size_t bytes, unsigned char value)
{
    const unsigned char *p = (const unsigned char *)memory;

    for (size_t i = 0; i < bytes; i++)
        if (p[i] != value)
            return i;
    return bytes;
}

#endif
