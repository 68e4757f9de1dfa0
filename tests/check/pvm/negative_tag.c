/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A message with a tag that none may have. A program that looks at what calls return, and has said so, may ask.
 * check: argument
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL);

#ifndef WRONG
    pvm_setopt(PvmAutoErr, 0);
#endif
    pvm_initsend(PvmDataDefault);
    if (pvm_send((me + 1) % n, -7) != PvmBadParam) /* found */
        return 1;
    pvm_exit();
    return 0;
}
