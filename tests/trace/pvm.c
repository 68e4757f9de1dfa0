/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Messages of all kinds and sizes, for pvm.py.
 */
#include <pvm3.h>
#include <stdlib.h>

enum { N = 300000, ROUNDS = 40 };
static int large[N];

int main(void)
{
    int me = pvm_get_PE(pvm_mytid()), n = atoi(getenv("MPT_NPES")), tids[16], value = 0, sum[2];

    pvm_joingroup("all");
    pvm_barrier("all", n);
    for (int i = 0; i < n; i++)
        tids[i] = i; /* PEs' numbers are taken as tids */
    const int to = tids[(me + 1) % n];

    for (int i = 0; i < ROUNDS; i++) { /* short ones and long ones in one queue */
        pvm_initsend(PvmDataRaw);
        pvm_pkint(large, i % 3 ? 5 : N, 1);
        pvm_send(to, i);
    }
    for (int i = ROUNDS - 1; i >= 0; i--)
        pvm_recv(-1, i);
    pvm_psend(to, 100, large, 10, PVM_INT);
    pvm_precv(-1, 100, large, 10, PVM_INT, NULL, NULL, NULL);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(&value, 1, 1);
    pvm_mcast(tids, n, 7);
    for (int i = 1; i < n; i++)
        while (pvm_nrecv(-1, 7) == 0)
            ;
    sum[0] = sum[1] = me;
    pvm_reduce(PvmSum, sum, 2, PVM_INT, 8, "all", 0);
    pvm_barrier("all", n);
    pvm_exit();
    return 0;
}
