/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Halos of a field are exchanged by gets from the neighbour, and the field is written anew before all have got theirs.
 * check: race
 * pes: 3 4
 */
#include <shmem.h>

enum { N = 40, STEPS = 4 };
static double old[N], fresh[N], left[1];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    for (int step = 0; step < STEPS; step++) {
        shmem_double_get(left, &old[N - 1], 1, (me + n - 1) % n); /* found */
#ifndef WRONG
        shmem_barrier_all();
#endif
        shmem_double_put(old, fresh, N, me); /* found */
        shmem_sync_all();
    }
    shmem_finalize();
    return 0;
}
