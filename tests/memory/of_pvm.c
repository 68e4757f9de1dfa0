/* SPDX-License-Identifier: BSD-3-Clause */
/* PVM's calls that allocate: buffers, messages to oneself, groups, mailboxes. Each may say PvmNoMem. */
#include <pvm3.h>
#include <stdio.h>

static int may(int rc, const char *call)
{
    if (rc < 0 && rc != PvmNoMem) {
        fprintf(stderr, "%s returned %d after a failure of memory\n", call, rc);
        pvm_exit();
    }
    return rc;
}
#define MAY(call) may(call, #call)

int main(void)
{
    static double numbers[20000];
    int tid = pvm_mytid(), bad = 0;

    if (tid < 0)
        return 2; /* a line has said why */
    if (MAY(pvm_initsend(PvmDataDefault)) >= 0 && MAY(pvm_pkdouble(numbers, 20000, 1)) >= 0 &&
        MAY(pvm_send(tid, 1)) >= 0)
        bad |= MAY(pvm_recv(tid, 1)) >= 0 && MAY(pvm_upkdouble(numbers, 20000, 1)) < 0;
    if (MAY(pvm_psend(tid, 2, (char *)numbers, 100, PVM_BYTE)) >= 0)
        MAY(pvm_precv(tid, 2, (char *)numbers, 100, PVM_BYTE, NULL, NULL, NULL));
    if (MAY(pvm_joingroup("group")) >= 0)
        MAY(pvm_lvgroup("group"));
    if (MAY(pvm_initsend(PvmDataRaw)) >= 0 && MAY(pvm_pkstr("text")) >= 0)
        MAY(pvm_putinfo("name", pvm_getsbuf(), PvmMboxDefault));
    pvm_exit();
    return bad;
}
