/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The types of pvm_psend and pvm_precv differ. Bytes may be anything.
 * check: type-mismatch
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int a[4] = {1, 2, 3, 4}, me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL), next = pvm_gettid(NULL, (me + 1) % n);
    float b[4];
    char bytes[16];

    pvm_psend(next, 1, a, 4, PVM_INT); /* found */
#ifdef WRONG
    pvm_precv(-1, 1, b, 4, PVM_FLOAT, NULL, NULL, NULL); /* found */
#else
    pvm_precv(-1, 1, b, 4, PVM_INT, NULL, NULL, NULL);
#endif
    pvm_psend(next, 2, a, 4, PVM_INT);
    pvm_precv(-1, 2, bytes, 16, PVM_BYTE, NULL, NULL, NULL);
    pvm_exit();
    return 0;
}
