/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A spread array is freed twice.
 * check: use-after-free
 */
#include <split-c/split-c.h>

splitc_main()
{
    double *spread a = all_spread_malloc(PROCS * 4, sizeof(double));

    all_spread_free(a);
#ifdef WRONG
    all_spread_free(a); /* found */
#endif
    barrier();
    return 0;
}
