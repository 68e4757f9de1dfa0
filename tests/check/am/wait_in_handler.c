/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A handler waits until all that its PE has sent was handled.
 * check: handler
 */
#include <am.h>

static int got;

static void note(vnn_t src)
{
    (void)src;
#ifdef WRONG
    am_quiet(); /* found */
#endif
    got++;
}

int main(void)
{
    am_enable();
    am_request_0((am_my_proc() + 1) % am_procs(), note);
    gam_wait(&got, 1);
    am_quiet();
    am_disable();
    return 0;
}
