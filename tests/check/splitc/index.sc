/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An index behind the end of a spread array, which the compiler is asked to look at.
 * check: argument
 * compile: -fcheck
 */
#include <split-c/split-c.h>

int a[8]::;

splitc_main()
{
    int i;

    barrier();
#ifdef WRONG
    for (i = 0; i <= 8; i++)
#else
    for (i = 0; i < 8; i++)
#endif
        if (i % PROCS == MYPROC)
            a[i] = i; /* found */
    barrier();
    return 0;
}
