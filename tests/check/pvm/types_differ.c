/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Integers are unpacked as floating-point numbers of the same length.
 * check: type-mismatch
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int a[6] = {1, 2, 3, 4, 5, 6}, me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL);
    double b[2];

    pvm_initsend(PvmDataDefault);
    pvm_pkstr("values");
    pvm_pkint(a, 6, 1); /* found */
    pvm_send(pvm_gettid(NULL, (me + 1) % n), 5);
    char name[16];
    pvm_recv(-1, 5);
    pvm_upkstr(name);
    pvm_upkuint((unsigned *)a, 2, 1);
#ifdef WRONG
    pvm_upkdouble(b, 2, 1); /* found */
#else
    pvm_upkint(a, 4, 1);
    (void)b;
#endif
    pvm_exit();
    return 0;
}
