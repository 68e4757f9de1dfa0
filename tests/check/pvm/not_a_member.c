/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A task calls a barrier of a group that it is not in.
 * check: argument
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int me = pvm_get_PE(pvm_mytid());

    if (me == 0)
        pvm_joingroup("first");
    pvm_barrier(NULL, -1);
#ifndef WRONG
    if (me == 0)
#endif
        pvm_barrier("first", 1); /* found */
    pvm_barrier(NULL, -1);
    pvm_exit();
    return 0;
}
