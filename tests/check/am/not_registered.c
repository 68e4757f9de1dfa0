/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A request for a handler's number that no PE has registered.
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
    am_register(7, (am_handler)note);
    gam_barrier();
#ifdef WRONG
    am_request_0((am_my_proc() + 1) % am_procs(), AM_INDEX(8));
#else
    am_request_0((am_my_proc() + 1) % am_procs(), AM_INDEX(7));
#endif
    gam_wait(&got, 1);
    am_disable();
    return 0;
}
