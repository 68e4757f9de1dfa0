/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a group give their barrier different counts.
 * check: collective-mismatch
 * also: deadlock
 * pes: 3 4
 * compile: -lgpvm3 -lpvm3
 */
#include <pvm3.h>

int main(void)
{
    int me = pvm_get_PE(pvm_mytid()), n = pvm_gsize(NULL), count = n;

    pvm_joingroup("g");
    pvm_barrier(NULL, -1);
#ifdef WRONG
    count -= me == 1;
#endif
    pvm_barrier("g", count); /* found */
    (void)me;
    pvm_barrier(NULL, -1);
    pvm_lvgroup("g");
    pvm_exit();
    return 0;
}
