/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Checks for tests of single functions: a failure is counted and said, the test
 * goes on, and main returns unit_result().
 */
#ifndef TESTS_UNIT_H
#define TESTS_UNIT_H

#include <stdio.h>

static unsigned unit_checks, unit_failures;

#define CHECK(condition, ...)                                                 \
    do {                                                                      \
        unit_checks++;                                                        \
        if (!(condition)) {                                                   \
            unit_failures++;                                                  \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #condition);   \
            fprintf(stderr, __VA_ARGS__);                                     \
            fputc('\n', stderr);                                              \
        }                                                                     \
    } while (0)

static inline int unit_result(void)
{
    printf("%u checks, %u failures\n", unit_checks, unit_failures);
    return unit_failures > 0 || unit_checks == 0;
}

#endif
