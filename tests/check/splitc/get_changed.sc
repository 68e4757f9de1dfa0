/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The variable of a split-phase read is written before sync().
 * check: split-phase
 */
#include <split-c/split-c.h>

int value[PROCS]::;

splitc_main()
{
    int x = 0;

    value[MYPROC] = MYPROC + 1;
    barrier();
    x := value[(MYPROC + 1) % PROCS]; /* found */
#ifdef WRONG
    x += 10;
    sync();
#else
    sync();
    x += 10;
#endif
    barrier();
    return x == 0;
}
