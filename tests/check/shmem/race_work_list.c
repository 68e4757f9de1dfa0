/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Items are handed out by an atomic counter. Two counters hand out the same ones.
 * check: race
 * pes: 2 4
 */
#include <shmem.h>

enum { ITEMS = 60 };
static long counter, results[ITEMS];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
#ifdef WRONG
    int home = me % 2;
#else
    int home = 0;
#endif
    long i;

    while ((i = shmem_long_atomic_fetch_inc(&counter, home)) < ITEMS)
        shmem_long_p(&results[i], me, 0); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
