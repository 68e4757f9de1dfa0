/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A buffer is freed twice.
 * check: use-after-free
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    pvm_mytid();
    int buffer = pvm_mkbuf(PvmDataDefault);

    pvm_freebuf(buffer);
#ifdef WRONG
    pvm_freebuf(buffer); /* found */
#endif
    pvm_exit();
    return 0;
}
