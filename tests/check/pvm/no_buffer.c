/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Something is packed before there is a buffer.
 * check: call-order
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL);

#ifndef WRONG
    pvm_initsend(PvmDataRaw);
#endif
    pvm_pkint(&me, 1, 1); /* found */
#ifdef WRONG
    pvm_initsend(PvmDataRaw);
#endif
    pvm_send((me + 1) % n, 1);
    pvm_recv(-1, 1);
    pvm_exit();
    return 0;
}
