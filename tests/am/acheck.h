/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared helper of the active message tests: checks that name the PE and the values, and
 * one verdict for each PE. A program calls ac_start() first and returns ac_finish().
 */
#ifndef TESTS_AM_ACHECK_H
#define TESTS_AM_ACHECK_H

#include <am.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "random.h"

static long ac_failures;
static int ac_me, ac_n;

#define CHECK(cond, ...) ac_result((cond) || ac_fail(__FILE__, __LINE__, #cond, __VA_ARGS__))

static inline bool ac_result(bool ok) { return ok; }

__attribute__((format(printf, 4, 5))) static inline bool ac_fail(const char *file, int line, const char *cond, const char *format, ...)
{
    char text[512];
    va_list args;
    const char *base = strrchr(file, '/');

    if (ac_failures++ >= 20)
        return false;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    fprintf(stderr, "FAIL PE %d of %d, %s:%d: %s (%s)\n", ac_me, ac_n, base ? base + 1 : file, line, text, cond);
    return false;
}

static inline void ac_start(void)
{
    am_enable();
    ac_me = AM_MY_PROC;
    ac_n = AM_PROCS;
}

static inline int ac_finish(void)
{
    am_disable();
    return ac_failures != 0;
}

static inline unsigned char ac_byte(uint64_t seed, size_t i)
{
    return (unsigned char)(random_mix(seed * RANDOM_STEP + i / 8 + 1) >> (8 * (i % 8)));
}

static inline void ac_fill(void *at, size_t n, uint64_t seed)
{
    for (size_t i = 0; i < n; i++)
        ((unsigned char *)at)[i] = ac_byte(seed, i);
}

/* Index of the first byte that differs from the pattern, or n. */
static inline size_t ac_verify(const void *at, size_t n, uint64_t seed)
{
    size_t i = 0;

    while (i < n && ((const unsigned char *)at)[i] == ac_byte(seed, i))
        i++;
    return i;
}

#endif
