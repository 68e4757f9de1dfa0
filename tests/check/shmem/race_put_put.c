/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Two puts to the same place without a fence: the first may land last.
 * check: race
 */
#include <shmem.h>

static int state[4];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    int begun[4] = {1, 1, 1, 1}, done[4] = {2, 2, 2, 2};

    shmem_int_put(state, begun, 4, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_fence();
#endif
    shmem_int_put(state, done, 4, (me + 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
