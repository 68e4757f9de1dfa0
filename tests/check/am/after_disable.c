/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A request after the end of active messages.
 * check: call-order
 */
#include <am.h>

static int got;

static void note(vnn_t src)
{
    (void)src;
    got++;
}

int main(void)
{
    am_enable();
    int next = (am_my_proc() + 1) % am_procs();
#ifdef WRONG
    am_disable();
    am_request_0(next, note); /* found */
#else
    am_request_0(next, note);
    am_disable();
#endif
    return 0;
}
