/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs add to one counter, by get and put instead of an atomic.
 * check: race
 */
#include <shmem.h>

static long counter;

int main(void)
{
    shmem_init();
    for (int i = 0; i < 20; i++) { /* a PE that reads what another has put comes after it: not each time */
#ifdef WRONG
        long old = shmem_long_g(&counter, 0); /* found */
        shmem_long_p(&counter, old + 1, 0); /* found */
#else
        shmem_long_atomic_inc(&counter, 0);
#endif
        shmem_barrier_all();
    }
    int bad = shmem_long_g(&counter, 0) == -1;
    shmem_finalize();
    return bad;
}
