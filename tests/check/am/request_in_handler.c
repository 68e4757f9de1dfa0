/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A handler passes a token on by a request of its own, rather than to leave that to the main program.
 * check: handler
 */
#include <am.h>

static int got;

static void pass(vnn_t src, am_word hops)
{
    (void)src;
    got++;
#ifdef WRONG
    if (hops > 0)
        am_request_1((am_my_proc() + 1) % am_procs(), pass, hops - 1); /* found */
#else
    (void)hops;
#endif
}

int main(void)
{
    am_enable();
    int me = am_my_proc(), n = am_procs();
    if (me == 0)
        am_request_1(1, pass, n - 1);
    gam_wait(&got, 1);
#ifndef WRONG
    if (me > 0)
        am_request_1((me + 1) % n, pass, 0);
#endif
    am_disable();
    return 0;
}
