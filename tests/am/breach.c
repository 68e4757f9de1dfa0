/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Breaks the rule that its argument names; breach.py looks at what is said.
 */
#include <am.h>
#include <stdio.h>
#include <string.h>

static volatile int done;

void finished(vnn_t src);
void finished(vnn_t src)
{
    done = src >= 0;
}
void twice(vnn_t src);
void twice(vnn_t src)
{
    am_reply_0(src, finished), am_reply_0(src, finished);
}
void elsewhere(vnn_t src);
void elsewhere(vnn_t src)
{
    am_reply_0((src + 1) % AM_PROCS, finished);
}
void asks(vnn_t src);
void asks(vnn_t src)
{
    am_request_0(src, finished);
}
void waits(vnn_t src);
void waits(vnn_t src)
{
    am_wait_for(done && src);
}

static const struct {
    const char *name;
    handler_0_t handler;
} rules[] = {{"twice", twice},
             {"elsewhere", elsewhere},
             {"asks", asks},
             {"waits", waits},
             {"unknown", (handler_0_t)AM_INDEX(9)}};

int main(int argc, char **argv)
{
    am_enable();
    if (argc > 1 && strcmp(argv[1], "outside") == 0)
        am_reply_0(0, finished);
    for (size_t i = 0; argc > 1 && i < sizeof rules / sizeof *rules; i++)
        if (strcmp(argv[1], rules[i].name) == 0 && AM_MY_PROC == 0)
            am_request_0(1, rules[i].handler);
    am_disable();
    return 0;
}
