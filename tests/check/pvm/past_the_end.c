/* SPDX-License-Identifier: BSD-3-Clause
 *
 * More is unpacked than was packed.
 * check: type-mismatch
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int a[4] = {0}, me = pvm_get_PE(pvm_mytid()), n;

    pvm_gsize(NULL);
    pvm_barrier(NULL, -1);
    n = pvm_gsize(NULL);
    pvm_initsend(PvmDataDefault);
    pvm_pkint(a, 3, 1);
    pvm_send((me + 1) % n, 5);
    pvm_recv(-1, 5);
#ifdef WRONG
    pvm_upkint(a, 4, 1); /* found */
#else
    pvm_upkint(a, 3, 1);
#endif
    pvm_exit();
    return 0;
}
