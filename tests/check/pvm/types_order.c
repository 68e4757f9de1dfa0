/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Items are unpacked in another order than they were packed in, after the message has been passed on.
 * check: type-mismatch
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

static void make(int to)
{
    float pair[2] = {1, 2};
    long l = 3;
    short h[3] = {4, 5, 6};

    pvm_initsend(PvmDataRaw);
    pvm_pkcplx(pair, 1, 1);
    pvm_pkshort(h, 3, 1); /* found */
    pvm_pklong(&l, 1, 1);
    pvm_mcast(&to, 1, 1);
}

int main(void)
{
    int me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL), next = pvm_gettid(NULL, (me + 1) % n);
    float pair[2];
    long l;
    short h[3];

    if (me == 0)
        make(next);
    pvm_recv(-1, 1);
    if (me != 0) {
        pvm_setsbuf(pvm_setrbuf(0)); /* as it came */
        pvm_send(next, 1);
    } else {
        pvm_upkfloat(&pair[0], 1, 1);
        pvm_upkfloat(&pair[1], 1, 1);
#ifdef WRONG
        pvm_upklong(&l, 1, 1); /* found */
        pvm_upkshort(h, 3, 1);
#else
        pvm_upkshort(h, 2, 1);
        pvm_upkushort((unsigned short *)h, 1, 1);
        pvm_upklong(&l, 1, 1);
#endif
    }
    pvm_barrier(NULL, -1);
    pvm_exit();
    return 0;
}
