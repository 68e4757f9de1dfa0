/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared helper of the test programs: checks that name the PE and the values, one verdict for the whole job,
 * a seeded generator of random numbers, and byte patterns to fill and verify memory with.
 * A program calls check_start() first and returns check_finish(); 0 is a pass, 77 a skip, all else a failure.
 * Only the standard API is used, so that the same tests judge any OpenSHMEM library. C and C++. */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <shmem.h>
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
#define CHECK_MESSAGES 20 /* a PE prints no more failures than this, but counts them all */

static long check_failures; /* symmetric: PE 0 reads everybody's at the end */
static int check_me = -1, check_npes = 0;

/* CHECK(cond, fmt, ...): note a failure and go on; its value is the condition's. */
#define CHECK(cond, ...) check_result((cond) || check_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))

/* REQUIRE(cond, fmt, ...): a failure ends the whole job at once, where going on makes no sense. */
#define REQUIRE(cond, ...)                                                                                             \
    do {                                                                                                               \
        if (!CHECK(cond, __VA_ARGS__))                                                                                 \
            check_abandon();                                                                                           \
    } while (0)

#define CHECK_COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* A call, so that compilers don't mind when the value of a CHECK is not used. */
static inline bool check_result(bool ok)
{
    return ok;
}

__attribute__((format(printf, 4, 5))) static inline bool check_fail(const char *file, int line, const char *cond,
                                                                    const char *format, ...)
{
    char text[512];
    va_list args;
    const char *base = strrchr(file, '/');

    if (__atomic_fetch_add(&check_failures, 1, __ATOMIC_RELAXED) >= CHECK_MESSAGES)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "FAIL PE %d of %d, %s:%d: %s (%s)\n", check_me, check_npes, base ? base + 1 : file, line, text,
            cond);
    return false;
}

__attribute__((noreturn)) static inline void check_abandon(void)
{
    fflush(NULL);
    shmem_global_exit(1);
    _exit(1);
}

static inline void check_identify(void)
{
    check_me = shmem_my_pe();
    check_npes = shmem_n_pes();
    REQUIRE(check_npes >= 1 && check_me >= 0 && check_me < check_npes, "PE %d of %d is no valid rank", check_me,
            check_npes);
}

static inline void check_start(void)
{
    shmem_init();
    check_identify();
}

/* Every PE takes the same branch here, so that the job ends as one skip. */
static inline void check_skip(const char *reason)
{
    if (check_me <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    shmem_barrier_all();
    shmem_finalize();
    exit(CHECK_SKIP_STATUS);
}

static inline void check_start_thread(int level)
{
    int provided = -1;
    int status = shmem_init_thread(level, &provided);

    check_identify();
    REQUIRE(status == 0, "shmem_init_thread(%d) returned %d, expected 0", level, status);
    if (provided < level)
        check_skip("the library does not provide the thread level this test is about");
}

static inline int check_finish(void)
{
    shmem_barrier_all();
    for (int pe = 0; check_me == 0 && pe < check_npes; pe++) {
        long failures = shmem_long_g(&check_failures, pe);
        if (failures != 0)
            fprintf(stderr, "FAIL: %ld checks failed on PE %d of %d\n", failures, pe, check_npes);
    }
    shmem_barrier_all();
    shmem_finalize();
    return check_failures != 0;
}

/* Is PE pe's memory reached by loads and stores? If not, a network is between: then pe serves the others only inside
 * its own calls of the library, unless it has a thread for that. */
static inline bool check_shares_memory(int pe)
{
    return shmem_team_translate_pe(SHMEM_TEAM_WORLD, pe, SHMEM_TEAM_SHARED) >= 0;
}

static inline bool check_network(void)
{
    for (int pe = 0; pe < check_npes; pe++)
        if (!check_shares_memory(pe))
            return true;
    return false;
}

/* How often to repeat something that takes some hundred times as long over a network. */
static inline long check_rounds(long rounds)
{
    return check_network() ? (rounds + 19) / 20 : rounds;
}

/* --- neighbours on the ring of all PEs; with one PE both are itself --- */

static inline int check_next(void)
{
    return (check_me + 1) % check_npes;
}

static inline int check_previous(void)
{
    return (check_me + check_npes - 1) % check_npes;
}

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

static inline uint64_t check_mix(uint64_t x) { return random_mix(x); }
static inline uint64_t check_random(uint64_t *state) { return random_next(state); }
static inline uint64_t check_random_below(uint64_t *state, uint64_t limit) { return random_next(state) % limit; }
static inline uint64_t check_seed(uint64_t standard) { return random_seed(standard); }

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
