/* SPDX-License-Identifier: BSD-3-Clause
 *
 * CHECK(condition) for the tests of Split-C's runtime and programs: a failure is said with processor and line; the job
 * goes on and ends with status 1 if anybody had one (check_status, collective).
 */
#ifndef TESTS_SPLITC_SCCHECK_H
#define TESTS_SPLITC_SCCHECK_H

#include <stdio.h>

#include "split-c/split-c.h"

static int check_failures;

static inline void check_that(int ok, const char *what, const char *file, int line)
{
    if (!ok && check_failures++ < 20)
        fprintf(stderr, "FAIL processor %d of %d, %s:%d: %s\n", MYPROC, PROCS, file, line, what);
}
#define CHECK(condition) check_that(!!(condition), #condition, __FILE__, __LINE__)

static inline int check_status(void)
{
    return all_reduce_to_all_add(check_failures) ? 1 : 0;
}

#endif
