/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A broadcast tells of its root only.
 * check: race
 * pes: 3 4
 */
#include <shmem.h>

static long go, went, value;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long seen = 0;

    if (me == 1)
        shmem_long_p(&value, 5, 0); /* found */
    shmem_quiet();
#ifndef WRONG
    shmem_sync_all();
#endif
    shmem_long_broadcast(SHMEM_TEAM_WORLD, &went, &go, 1, 0);
    if (me == n - 1)
        seen = shmem_long_g(&value, 0); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return seen == -1;
}
