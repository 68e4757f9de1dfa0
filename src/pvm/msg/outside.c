/* SPDX-License-Identifier: BSD-3-Clause
 *
 * pvm_getfds: descriptors for programs that wait by select(2) for messages and other
 * things. Who sends to a task that waits so is told to ring, as to one that sleeps.
 */
#include "pvm/msg/message.h"

static int ready(void)
{
    int n = core_wait_outside(pvmi.msg.outside.fds);

    core_progress(); /* what came before that rang nobody */
    if (pvmi.msg.newcomers.first || pvmi.msg.due)
        core_wake(core_me());
    return n;
}

void pvmi_outside(void)
{
    if (MPT_UNLIKELY(pvmi.msg.outside.given))
        ready();
}

int pvm_getfds(int **list)
{
    int rc = pvmi_begin("pvm_getfds"), n;

    if (rc < 0)
        return rc;
    if (!list)
        return pvmi_fail(PvmBadParam, "no pointer for the list");
    pvmi.msg.outside.given = true;
    n = ready();
    if (n < 0)
        return pvmi_fail(PvmSysErr, "no descriptor that becomes readable with a message");
    *list = pvmi.msg.outside.fds;
    return n;
}
