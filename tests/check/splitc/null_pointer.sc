/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A global pointer that was never set.
 * check: argument
 */
#include <split-c/split-c.h>

int counter;

splitc_main()
{
    int *global p = NULL;

#ifndef WRONG
    p = toglobal(0, &counter);
#endif
    barrier();
    *p = 1; /* found */
    barrier();
    return 0;
}
