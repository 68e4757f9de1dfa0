/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A request to a PE that is not there.
 * check: argument
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
    int next = am_my_proc() + 1;
#ifndef WRONG
    next %= am_procs();
#endif
    am_request_0(next, note); /* found */
    gam_wait(&got, 1);
    am_disable();
    return 0;
}
