/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared helper of the PVM test programs, as tests/mpi/mcheck.h is of MPI's: checks
 * that name task and values, seeded random numbers and byte patterns. A program calls
 * pc_start() first and returns pc_finish(); 0 is a pass, 77 a skip, all else a failure.
 * PVM's own calls only. */
#ifndef TESTS_PVM_PCHECK_H
#define TESTS_PVM_PCHECK_H

#include <pvm3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "random.h"

#define PC_SKIP_STATUS 77
#define PC_MESSAGES 20 /* a task prints no more failures than this, but counts them all */

static long pc_failures;
static int pc_tid = -1, pc_me = -1, pc_size = 0; /* me: PE number, 0 ... size - 1; of a lone task 0 of 1 */

/* CHECK(cond, fmt, ...): note a failure and go on; its value is the condition's. */
#define CHECK(cond, ...) pc_result((cond) || pc_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))
/* A call that must succeed: 0 or more. */
#define OK(call)                                                                                             \
    do {                                                                                                     \
        int pc_code_ = (call);                                                                               \
        CHECK(pc_code_ >= 0, "%s returned %d", #call, pc_code_);                                             \
    } while (0)
/* A call that must give exactly this value: an error code, say. */
#define GIVES(call, value_)                                                                                  \
    do {                                                                                                     \
        int pc_code_ = (call);                                                                               \
        CHECK(pc_code_ == (value_), "%s returned %d, expected " #value_ " (%d)", #call, pc_code_, (int)(value_)); \
    } while (0)

static inline bool pc_result(bool ok) { return ok; }

__attribute__((format(printf, 4, 5))) static inline bool pc_fail(const char *file, int line, const char *cond, const char *format, ...)
{
    char text[512];
    va_list args;
    const char *base = strrchr(file, '/');

    if (__atomic_fetch_add(&pc_failures, 1, __ATOMIC_RELAXED) >= PC_MESSAGES)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "FAIL task %d of %d [t%x], %s:%d: %s (%s)\n", pc_me, pc_size, (unsigned)pc_tid, base ? base + 1 : file, line, text,
            cond);
    return false;
}

/* Of a stand-alone program, and of tests of the network mode (then 0 of 1). Calls that fail say nothing. */
static inline void pc_start(void)
{
    pc_tid = pvm_mytid();
    if (pc_tid < 0) {
        fprintf(stderr, "FAIL: pvm_mytid returned %d\n", pc_tid);
        exit(1);
    }
    pvm_setopt(PvmAutoErr, 0);
    pc_me = pvm_get_PE(pc_tid);
    pc_size = pvm_gsize(NULL);
    if (pc_me < 0 || pc_size < 1)
        pc_me = 0, pc_size = 1;
}

static inline void pc_skip(const char *reason)
{
    if (pc_me <= 0)
        fprintf(stderr, "SKIP: %s\n", reason);
    pvm_exit();
    exit(PC_SKIP_STATUS);
}

static inline int pc_finish(void)
{
    if (pc_failures)
        fprintf(stderr, "FAIL: %ld checks failed in task %d of %d\n", pc_failures, pc_me, pc_size);
    pvm_exit();
    return pc_failures != 0;
}

static inline uint64_t pc_random(uint64_t *state) { return random_next(state); }
static inline uint64_t pc_random_below(uint64_t *state, uint64_t limit) { return random_next(state) % limit; }
static inline uint64_t pc_seed(uint64_t standard) { return random_seed(standard); } /* equal in all tasks */

/* --- patterns: byte i of pattern `seed` depends on both, so that shifted or foreign data never match --- */

static inline unsigned char pc_byte(uint64_t seed, size_t i)
{
    return (unsigned char)(random_mix(seed * RANDOM_STEP + i / 8 + 1) >> (8 * (i % 8)));
}

static inline void pc_fill(void *at, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)at)[i] = pc_byte(seed, i);
}

/* Index of the first byte that differs from the pattern, or n. */
static inline size_t pc_verify(const void *at, size_t n, uint64_t seed)
{
    size_t i = 0;

    while (i < n && ((const unsigned char *)at)[i] == pc_byte(seed, i))
        i++;
    return i;
}

#endif
