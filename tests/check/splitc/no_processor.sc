/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A global pointer to the processor behind the last one.
 * check: argument
 */
#include <split-c/split-c.h>

int cell;

splitc_main()
{
#ifdef WRONG
    int right = MYPROC + 1;
#else
    int right = (MYPROC + 1) % PROCS;
#endif
    int *global p = toglobal(right, &cell);

    *p := MYPROC; /* found */
    sync();
    barrier();
    return 0;
}
