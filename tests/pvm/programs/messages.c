/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages to oneself: what receives give, wildcards, contexts, and every wrong
 * tid and tag.
 */
#include "say.h"

static void put(int tid, int tag, int value)
{
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&value, 1, 1);
    printf("send(%d) of %d = %d\n", tag, value, pvm_send(tid, tag));
}

static int take(int tid, int tag)
{
    int value = -1, bufid = pvm_recv(tid, tag);
    if (bufid < 0)
        return bufid;
    pvm_upkint(&value, 1, 1);
    return value;
}

static void wrong(int me)
{
    int tids[3] = {me, me + 5, 0}, n;
    double x[2] = {1, 2};
    struct timeval none = {0, 1000}, bad = {-1, 0};
    SAY_ID(pvm_initsend(PvmDataDefault));
    SAY(pvm_send(me, -1));
    SAY(pvm_send(0, 1));
    SAY(pvm_send(-1, 1));
    SAY(pvm_send(me + 5, 1));
    SAY(pvm_send(5000, 1));
    SAY(pvm_nrecv(me + 5, 1));
    SAY(pvm_nrecv(-1, -1));
    SAY(pvm_probe(-1, 3));
    SAY(pvm_trecv(-1, 3, &none));
    SAY(pvm_trecv(-1, 3, &bad));
    SAY(pvm_mcast(tids, 2, -3));
    SAY(pvm_mcast(tids, 0, 3));
    SAY(pvm_mcast(tids, -1, 3));
    SAY(pvm_mcast(tids, 3, 3));
    SAY(pvm_mcast(tids, 2, 3));
    SAY(pvm_nrecv(me, 3)); /* mcast leaves out its caller */
    SAY(pvm_psend(me, 8, x, 2, 99));
    SAY(pvm_psend(me, -8, x, 2, PVM_DOUBLE));
    SAY(pvm_psend(me, 8, x, 2, PVM_DOUBLE));
    SAY(pvm_precv(me, 8, x, 1, PVM_DOUBLE, NULL, NULL, &n)); /* too small */
    SAY(n);
}

int main(void)
{
    int me = say_begin(), a, from, tag, n, context, bufid;
    double x[4] = {1.5, 2.5, 3.5, 4.5}, y[4];
    for (a = 0; a < 6; a++)
        put(me, a % 3, a);
    SAY(take(me, 2));
    SAY(take(-1, 1));
    SAY(take(-1, -1));
    SAY(take(me, 2));
    SAY(take(-1, -1));
    SAY(take(-1, -1));
    SAY(pvm_nrecv(-1, -1));
    SAY(pvm_psend(me, 9, x, 4, PVM_DOUBLE));
    SAY(pvm_precv(-1, -1, y, 4, PVM_DOUBLE, &from, &tag, &n));
    printf("from me %d, tag %d, length %d, value %g\n", from == me, tag, n, y[3]);
    wrong(me);
    while ((bufid = pvm_nrecv(-1, -1)) > 0)
        puts("one was left");

    SAY(pvm_getcontext());
    context = pvm_newcontext();
    SAY(context > 0);
    SAY(pvm_setcontext(context));
    put(me, 1, 100);
    SAY(pvm_setcontext(0) == context);
    SAY(pvm_nrecv(me, 1)); /* of another context */
    SAY(pvm_setcontext(context));
    SAY(take(me, 1));
    SAY(pvm_setcontext(0) == context);
    SAY(pvm_freecontext(context));
    SAY(pvm_freecontext(context));
    SAY(pvm_freecontext(-3));
    SAY(pvm_exit());
    return 0;
}
