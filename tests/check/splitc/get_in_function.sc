/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is read in split phase, and one element of it set while it is under way.
 * check: split-phase
 */
#include <split-c/split-c.h>

enum { N = 16 };
double a[PROCS]::[N];
double copy[N];

static void fetch(int from)
{
    bulk_get(copy, toglobal(from, &a[from][0]), sizeof copy); /* found */
}

splitc_main()
{
    fetch((MYPROC + 1) % PROCS);
#ifndef WRONG
    sync();
#endif
    copy[3] = 1.0;
    sync();
    barrier();
    return 0;
}
