/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is wrong, and the program's own handler for that. Without one the job ends with
 * a message that names call, handler, value and PE.
 */
#include <stdio.h>

#include "am/ami.h"

am_error_t am_set_error(am_error_t handler)
{
    am_error_t before = ami.on_error;

    ami.on_error = handler;
    return before;
}

static enum core_finding_kind kind_of(int status)
{
    switch (status) {
    case AM_E_STATE:
        return CORE_FINDING_CALL_STATE;
    case AM_E_RULE:
        return CORE_FINDING_HANDLER;
    default:
        return CORE_FINDING_ARGUMENT;
    }
}

int ami_error(int status, vnn_t pe, am_handler h, const char *fmt, ...)
{
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!ami.on_error)
        core_finding_fatal(kind_of(status), "Generic Active Messages 1.1 (docs/am.md)", "%s", text);
    ami.on_error(status, pe, h, text);
    return status;
}

/* Not the program's fault. */
int ami_no_memory(const char *call, vnn_t dest, am_handler h, size_t n)
{
    if (!ami.on_error)
        core_fatal("%s: no memory for %zu bytes", call, n);
    return ami_error(AM_E_MEMORY, dest, h, "%s: no memory for %zu bytes", call, n);
}

int ami_bad(const char *call, const char *what, long value, const char *expected)
{
    return ami_error(AM_E_ARGUMENT, -1, NULL, "%s: %s=%ld: expected %s", call, what, value, expected);
}

/* What both kinds of messages need. */
static int refuse(const char *call, vnn_t dest)
{
    char expected[64];

    if (!ami_up())
        return ami_error(AM_E_STATE, dest, NULL, "%s: called before am_enable or after am_disable", call);
    snprintf(expected, sizeof expected, "a PE, 0 to %d", core_size() - 1);
    return (unsigned)dest >= (unsigned)core_size() ? ami_bad(call, "dest", dest, expected) : 0;
}

int ami_refuse_request(const char *call, vnn_t dest, am_handler h)
{
    char mine[128], running[128];
    int rc = refuse(call, dest);

    if (rc != 0 || !ami.context)
        return rc;
    ami_handler_name(h, mine, sizeof mine);
    ami_handler_name(ami.context->handler, running, sizeof running);
    return ami_error(AM_E_RULE, dest, h,
                     "%s: a request to PE %d (handler %s) from inside handler %s, which must not send requests or wait",
                     call, dest, mine, running);
}

int ami_refuse_reply(const char *call, vnn_t dest, am_handler h)
{
    const struct ami_context *c = ami.context;
    char mine[128], running[128];
    int rc = refuse(call, dest);

    if (rc != 0)
        return rc;
    if (c && !c->reply && !c->replied && c->src == dest)
        return 0; /* nearly always; names are looked up in files */
    ami_handler_name(h, mine, sizeof mine);
    if (!c)
        return ami_error(AM_E_RULE, dest, h, "%s: a reply to PE %d (handler %s) outside a request's handler", call,
                         dest, mine);
    ami_handler_name(c->handler, running, sizeof running);
    if (c->reply)
        return ami_error(AM_E_RULE, dest, h, "%s: a reply to PE %d (handler %s) from handler %s, which a reply runs",
                         call, dest, mine, running);
    if (c->replied)
        return ami_error(AM_E_RULE, dest, h, "%s: a second reply to PE %d (handler %s) from handler %s", call, dest,
                         mine, running);
    return ami_error(AM_E_RULE, dest, h, "%s: a reply to PE %d (handler %s) from handler %s of a request of PE %d",
                     call, dest, mine, running, c->src);
}
