/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Shared helper of the active message tests, over tests/harness.h: one verdict for each PE.
 * A program calls ac_start() first and returns ac_finish().
 */
#ifndef TESTS_AM_ACHECK_H
#define TESTS_AM_ACHECK_H

#include <am.h>

#include "harness.h"

/* Handlers may run before ac_start has returned. */
#define ac_me AM_MY_PROC
#define ac_n AM_PROCS

static inline void ac_start(void)
{
    am_enable();
    check_me = AM_MY_PROC;
    check_npes = AM_PROCS;
}

static inline int ac_finish(void)
{
    am_disable();
    return check_failures != 0;
}

#endif
