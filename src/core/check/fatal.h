/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Calls of the program that cannot go on because of what the program did.
 */
#ifndef CORE_CHECK_FATAL_H
#define CORE_CHECK_FATAL_H

#include "core/check/finding.h"

/* With --check a finding and the end of the job with CORE_FINDING_STATUS, else core_fatal's message and status. */
void core_finding_fatal(enum core_finding_kind kind, const char *rule, const char *fmt, ...)
    __attribute__((format(printf, 3, 4), noreturn, cold));
/* From now on the process counts as one with several threads, so that every call takes the way on which it is looked
 * at. */
void core_finding_in_all_calls(void);
/* The end of the job after a finding that says why. */
void core_finding_stop(void) __attribute__((noreturn, cold));

#endif
