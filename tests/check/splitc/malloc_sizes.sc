/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Processors ask for spread arrays of different sizes.
 * check: collective-mismatch
 */
#include <split-c/split-c.h>

splitc_main()
{
    int n = 4 * PROCS;
    int *spread a;

#ifdef WRONG
    n += MYPROC * PROCS;
#endif
    a = all_spread_malloc(n, sizeof(int)); /* found */
    all_spread_free(a);
    return 0;
}
