/* SPDX-License-Identifier: BSD-3-Clause
 *
 * With MPT_CHECK: a receive or probe that finds nothing, in words, and the message that nearly fits.
 */
#include <stdio.h>

#include "pvm/msg/message.h"

static const char *number(char text[32], const char *what, const char *form, int value)
{
    char plain[16];

    snprintf(plain, sizeof plain, form, value);
    snprintf(text, 32, value == -1 ? "any %s" : "%s %s", what, plain);
    return text;
}

void pvmi_say_wanted(const void *wanted, struct core_wire_blocked_thread *b)
{
    const struct pvmi_wanted *want = wanted;
    char tid[32], tag[32];
    const struct pvmi_msg *m;

    if (want->by_program)
        return;
    core_blocked_call(b, "%s(%s, %s)", pvmi.call, number(tid, "task", "%#x", want->tid),
                      number(tag, "tag", "%d", want->tag));
    if ((m = pvmi_queue_near(want->tid, want->tag, want->context)))
        core_blocked_miss(b, "this task has a message from task %#x with tag %d%s", (unsigned)m->src, m->tag,
                          m->context == want->context ? "" : " of another context");
}
