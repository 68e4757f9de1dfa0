/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A get whose value is used. Wrong: before sync().
 */
#include <split-c/split-c.h>
#include <stdio.h>


int Mine[PROCS]::;

splitc_main()
{
    int x = -1, next = (MYPROC + 1) % PROCS, bad;

    Mine[MYPROC] = MYPROC * 3 + 1;
    barrier();
    x := Mine[next];
#ifndef WRONG
    sync();
#endif
    bad = x != next * 3 + 1;
    if (bad)
        fprintf(stderr, "processor %d: %d, not %d\n", MYPROC, x, next * 3 + 1);
    barrier();
    return bad;
}
