/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data by puts, then a flag. Wrong: without sync() between them.
 */
#include <split-c/split-c.h>
#include <stdio.h>


enum { N = 8 };
int Data[PROCS]::[N];
int Flag[PROCS]::;

splitc_main()
{
    int i, next = (MYPROC + 1) % PROCS, bad = 0;
    volatile int *flag = (volatile int *)tolocal(Flag[MYPROC]);
    int *data = (int *)tolocal(Data[MYPROC]);

    *flag = 0;
    for (i = 0; i < N; i++)
        data[i] = -1;
    barrier();
    for (i = 0; i < N; i++)
        Data[next][i] := i + 5;
#ifndef WRONG
    sync();
#endif
    Flag[next] = 1;
    while (*flag == 0)
        splitc_poll();
    for (i = 0; i < N; i++)
        bad += data[i] != i + 5;
    if (bad)
        fprintf(stderr, "processor %d: %d numbers are wrong\n", MYPROC, bad);
    barrier();
    return bad != 0;
}
