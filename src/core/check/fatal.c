/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The end of the job by a wrong call (fatal.h).
 */
#include "core/check/fatal.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "core/base/error.h"
#include "core/base/param.h"
#include "core/internal.h"

/* Others may be about to print what this PE has found too and left to them. */
static void wait_for_others(void)
{
    enum { MS = 1000000, LIMIT = 2000 };
    const struct core_header *h = core_seg->header;

    for (int i = 0; h && i < LIMIT && __atomic_load_n(&h->findings_begun, __ATOMIC_ACQUIRE); i++)
        nanosleep(&(struct timespec){.tv_nsec = MS}, NULL);
}

void core_finding_in_all_calls(void)
{
    static const char single = 0;

    core_state.threads.single = &single;
}

void core_finding_stop(void)
{
    wait_for_others();
    if (core_state.base.end)
        core_state.base.end(CORE_FINDING_STATUS);
    fflush(stdout);
    _exit(CORE_FINDING_STATUS);
}

void core_finding_fatal(enum core_finding_kind kind, const char *rule, const char *fmt, ...)
{
    struct core_finding f;
    char what[1024], unused[256];
    va_list ap;

    va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    va_end(ap);
    if (!core_seg->header)
        core_param_load(unused, sizeof unused); /* before the start */
    if (!core_params.check)
        core_fatal("%s", what);
    core_finding_begin(&f, kind, rule, "%s", what);
    core_finding_end(&f);
    core_finding_stop();
}
