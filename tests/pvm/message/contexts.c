/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Contexts: new ones are nobody else's, messages of one are not received in another,
 * numbers come back when they are freed, and only those that were given out.
 */
#include "family.h"

#include <time.h>

static void send_in(int context, int tid, int tag)
{
    int base = pvm_setcontext(context);
    pvm_initsend(PvmDataRaw);
    OK(pvm_pkint(&context, 1, 1));
    OK(pvm_send(tid, tag));
    pvm_setcontext(base);
}

static int received(void)
{
    int value = -1;
    OK(pvm_upkint(&value, 1, 1));
    return value;
}

/* All tasks draw; PE 0 looks whether a number was given out twice. */
static void unique(void)
{
    enum { EACH = 40 };
    int mine[EACH];
    for (int i = 0; i < EACH; i++) {
        mine[i] = pvm_newcontext();
        CHECK(mine[i] > 1 << 18, "context %d", mine[i]);
    }
    OK(pvm_psend(fm_name(0), 1, mine, EACH, PVM_INT));
    if (pc_me == 0) {
        int *all = malloc(sizeof(int) * EACH * (size_t)pc_size), n = EACH * pc_size, same = 0;
        for (int pe = 0; pe < pc_size; pe++)
            OK(pvm_precv(fm_name(pe), 1, all + EACH * pe, EACH, PVM_INT, NULL, NULL, NULL));
        for (int i = 0; i < n; i++)
            for (int k = 0; k < i; k++)
                same += all[i] == all[k];
        CHECK(same == 0, "%d contexts were given out twice", same);
        for (int i = 0; i < n; i++)
            OK(pvm_freecontext(all[i])); /* also those of other tasks */
        for (int i = 0; i < n; i++)
            GIVES(pvm_freecontext(all[i]), PvmNotFound);
        free(all);
    }
    fm_barrier();
}

static void apart(void)
{
    int next = (pc_me + 1) % pc_size, last = (pc_me + pc_size - 1) % pc_size, c[2] = {0, 0};
    if (pc_me == 0) {
        c[0] = pvm_newcontext();
        c[1] = pvm_newcontext();
        pvm_initsend(PvmDataRaw);
        pvm_pkint(c, 2, 1);
        OK(pvm_mcast(fm_tids, pc_size, 2));
    } else {
        OK(pvm_precv(fm_name(0), 2, c, 2, PVM_INT, NULL, NULL, NULL));
    }
    send_in(c[0], fm_name(next), 3);
    send_in(c[1], fm_name(next), 3);
    send_in(0, fm_name(next), 3);
    CHECK(pvm_recv(-1, -1) > 0 && received() == 0, "the base context's");
    GIVES(pvm_nrecv(-1, -1), 0);
    GIVES(pvm_setcontext(c[1]), 0);
    CHECK(pvm_getcontext() == c[1], "context %d", pvm_getcontext());
    CHECK(pvm_recv(fm_name(last), -1) > 0 && received() == c[1], "the second one's");
    GIVES(pvm_nrecv(-1, -1), 0);
    GIVES(pvm_setcontext(c[0]), c[1]);
    CHECK(pvm_recv(-1, 3) > 0 && received() == c[0], "the first one's");
    struct pvmminfo info = {0};
    OK(pvm_getminfo(pvm_getrbuf(), &info));
    CHECK(info.ctx == c[0], "of context %d", info.ctx);
    GIVES(pvm_setcontext(0), c[0]);
    fm_barrier();
    if (pc_me == 0) {
        GIVES(pvm_freecontext(c[0]), 0);
        GIVES(pvm_freecontext(c[1]), 0);
    }
}

static void errors(void)
{
    GIVES(pvm_freecontext(0), PvmBadParam);
    GIVES(pvm_freecontext(12345), PvmNotFound);
    GIVES(pvm_freecontext(-4), PvmNotFound);
    GIVES(pvm_setcontext(-1), PvmBadParam);
    GIVES(pvm_setcontext(0x7ffff), PvmBadParam);
    GIVES(pvm_getcontext(), 0);
    GIVES(pvm_setcontext(17), 0); /* a number of the program's own */
    GIVES(pvm_setcontext(0), 17);
}

/* More than there are, were they not freed; over a network, for a second. */
static void recycled(void)
{
    int first = pvm_newcontext(), last = first;
    time_t end = time(NULL) + 2;
    for (int i = 0; i < 300000 && time(NULL) < end; i++) {
        OK(pvm_freecontext(last));
        last = pvm_newcontext();
    }
    CHECK(last > 1 << 18 && last < 0x7fffe, "context %d", last);
    OK(pvm_freecontext(last));
}

int main(void)
{
    fm_start();
    unique();
    apart();
    errors();
    recycled();
    fm_barrier();
    return fm_finish();
}
