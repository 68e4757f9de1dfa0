/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One processor is in a barrier, the others wait for stores.
 * check: collective-mismatch
 */
#include <split-c/split-c.h>

int box;

splitc_main()
{
    int *global p = toglobal((MYPROC + 1) % PROCS, &box);

    *p :- MYPROC;
#ifdef WRONG
    if (MYPROC == 0)
        barrier(); /* found */
    else
        all_store_sync(); /* found */
#else
    all_store_sync();
#endif
    barrier();
    return 0;
}
