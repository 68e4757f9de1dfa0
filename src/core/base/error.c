/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages: one line, one write, so that lines of several PEs never mix.
 */
#include "core/base/error.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "core/base/param.h"
#include "core/base/site.h"
#include "core/state.h"
#include "mpt/fast.h"

/* Where: "", or what stands in brackets behind the message. */
static void say(const char *where, const char *fmt, va_list ap)
{
    char line[2048];
    int n = mpt_fast.me >= 0 && mpt_fast.npes > 0 ? snprintf(line, sizeof line, "mpt: PE %d: ", mpt_fast.me)
                                                  : snprintf(line, sizeof line, "mpt: ");
    int m = vsnprintf(line + n, sizeof line - (size_t)n - 1, fmt, ap);
    size_t len = strnlen(line, sizeof line - 2);
    (void)m;
    if (where[0])
        len += (size_t)snprintf(line + len, sizeof line - len, " [%.*s]", (int)(sizeof line - len) - 5, where);
    line[len++] = '\n';
    ssize_t rc = write(STDERR_FILENO, line, len);
    (void)rc; /* nowhere left to report to */
}

void core_error(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    say("", fmt, ap);
    va_end(ap);
}

void core_error_of_call(const char *fmt, ...)
{
    char where[256];
    va_list ap;
    va_start(ap, fmt);
    say(core_site_text(core_site(), where, sizeof where), fmt, ap);
    va_end(ap);
}

void core_fatal(const char *fmt, ...)
{
    char where[256];
    va_list ap;
    va_start(ap, fmt);
    say(core_site_text(core_site(), where, sizeof where), fmt, ap);
    va_end(ap);
    if (core_state.base.end)
        core_state.base.end(1);
    fflush(stdout);
    _exit(1);
}

void core_debug(const char *fmt, ...)
{
    if (!core_params.debug)
        return;
    va_list ap;
    va_start(ap, fmt);
    say("", fmt, ap);
    va_end(ap);
}
