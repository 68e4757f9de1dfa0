// SPDX-License-Identifier: BSD-3-Clause
// $ scc -g sum.sc -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <split-c/split-c.h>

int value[2]::;

splitc_main()
{
    int next = (MYPROC + 1) % PROCS, x = 0;

    value[MYPROC] = MYPROC;
    barrier();
    // LISTING
    barrier();
    return x < 0;
}
