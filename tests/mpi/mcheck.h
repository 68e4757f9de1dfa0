/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared helper of the MPI test programs, as tests/check.h is of OpenSHMEM's: checks that name rank and values, one
 * verdict for the whole job, seeded random numbers and byte patterns. A program calls mc_start() first and returns
 * mc_finish(); 0 is a pass, 77 a skip, all else a failure. Standard MPI only, so that the same tests judge any library. */
#ifndef TESTS_MPI_MCHECK_H
#define TESTS_MPI_MCHECK_H

#include <mpi.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"

#define MC_SKIP_STATUS 77
#define MC_MESSAGES 20 /* a rank prints no more failures than this, but counts them all */

static long mc_failures;
static int mc_rank = -1, mc_size = 0;

/* CHECK(cond, fmt, ...): note a failure and go on; its value is the condition's. */
#define CHECK(cond, ...) mc_result((cond) || mc_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))
/* A call that must succeed. */
#define OK(call)                                                                                                        \
    do {                                                                                                                \
        int mc_code_ = (call);                                                                                          \
        CHECK(mc_code_ == MPI_SUCCESS, "%s returned %d", #call, mc_code_);                                                 \
    } while (0)
/* A call that must fail with this class (the handler must be MPI_ERRORS_RETURN). */
#define FAILS(call, class_)                                                                                             \
    do {                                                                                                                \
        int mc_code_ = (call), mc_class_ = mc_code_;                                                                    \
        MPI_Error_class(mc_code_, &mc_class_);                                                                          \
        CHECK(mc_class_ == (class_), "%s gave class %d, expected " #class_ " (%d)", #call, mc_class_, (int)(class_));      \
    } while (0)

static inline bool mc_result(bool ok) { return ok; }

__attribute__((format(printf, 4, 5))) static inline bool mc_fail(const char *file, int line, const char *cond, const char *format, ...)
{
    char text[512];
    va_list args;
    const char *base = strrchr(file, '/');

    if (__atomic_fetch_add(&mc_failures, 1, __ATOMIC_RELAXED) >= MC_MESSAGES)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "FAIL rank %d of %d, %s:%d: %s (%s)\n", mc_rank, mc_size, base ? base + 1 : file, line, text, cond);
    return false;
}

static inline void mc_identify(void)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &mc_rank);
    MPI_Comm_size(MPI_COMM_WORLD, &mc_size);
    if (mc_rank < 0 || mc_rank >= mc_size) {
        fprintf(stderr, "FAIL rank %d of %d is not valid\n", mc_rank, mc_size);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
}

static inline void mc_start(void)
{
    MPI_Init(NULL, NULL);
    mc_identify();
}

static inline void mc_start_threads(void)
{
    int provided = -1;

    MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &provided);
    mc_identify();
    CHECK(provided == MPI_THREAD_MULTIPLE, "provided thread level %d", provided);
}

/* Every rank takes the same branch here, so that the job ends as one skip. */
static inline void mc_skip(const char *reason)
{
    if (mc_rank <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    MPI_Finalize();
    exit(MC_SKIP_STATUS);
}

/* All ranks fail when one does. */
static inline int mc_finish(void)
{
    long all = mc_failures;

    MPI_Allreduce(&mc_failures, &all, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (mc_failures)
        fprintf(stderr, "FAIL: %ld checks failed on rank %d of %d\n", mc_failures, mc_rank, mc_size);
    MPI_Finalize();
    return all != 0 || mc_failures != 0;
}

/* --- random numbers --- */

static inline uint64_t mc_mix(uint64_t x) { return random_mix(x); }
static inline uint64_t mc_random(uint64_t *state) { return random_next(state); }
static inline uint64_t mc_random_below(uint64_t *state, uint64_t limit) { return random_next(state) % limit; }
static inline uint64_t mc_seed(uint64_t standard) { return random_seed(standard); }

/* --- patterns: byte i of pattern `seed` depends on both, so that shifted or foreign data never match --- */

static inline unsigned char mc_byte(uint64_t seed, size_t i)
{
    return (unsigned char)(mc_mix(seed * RANDOM_STEP + i / 8) >> (8 * (i % 8)));
}

static inline void mc_fill(void *at, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)at)[i] = mc_byte(seed, i);
}

/* Index of the first byte that differs from the pattern, or n. */
static inline size_t mc_verify(const void *at, size_t n, uint64_t seed)
{
    size_t i = 0;

    while (i < n && ((const unsigned char *)at)[i] == mc_byte(seed, i))
        i++;
    return i;
}

#endif
