/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A result is put to a neighbour, which sends it on without waiting for it.
 * check: race
 */
#include <shmem.h>

static long box[4], next[4];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long mine[4] = {me, me, me, me};

    shmem_long_put(box, mine, 4, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_barrier_all();
#endif
    shmem_long_put(next, box, 4, (me + 1) % n); /* found */
    shmem_finalize();
    return 0;
}
