/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Each processor stores to the next one, which uses what has come. Wrong: without waiting for it.
 */
#include <split-c/split-c.h>
#include <stdio.h>


enum { ROUNDS = 10 };
int Got[PROCS]::;

splitc_main()
{
    int round, bad = 0, next = (MYPROC + 1) % PROCS;
    int *got = (int *)tolocal(Got[MYPROC]);

    barrier();
    for (round = 1; round <= ROUNDS; round++) {
        Got[next] :- round;
#ifndef WRONG
        store_sync(sizeof(int));
#endif
        bad += *(volatile int *)got != round;
        barrier();
    }
    if (bad)
        fprintf(stderr, "processor %d: %d numbers are wrong\n", MYPROC, bad);
    return bad != 0;
}
