/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A lock is given back twice.
 * check: call-order
 */
#include <split-c/split-c.h>

int lock, sum;

splitc_main()
{
    int *global l = toglobal(0, &lock);
    int *global s = toglobal(0, &sum);

    splitc_lock(l);
    *s = *s + 1;
    splitc_unlock(l);
#ifdef WRONG
    splitc_unlock(l); /* found */
#endif
    barrier();
    return 0;
}
