/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A collective tells when its result is here, not when it is at the others.
 * check: race
 */
#include <shmem.h>

static int source[4], all[64];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), seen;

    shmem_int_fcollect(SHMEM_TEAM_WORLD, all, source, 4); /* found */
#ifndef WRONG
    shmem_sync_all();
#endif
    seen = shmem_int_g(&all[1], (me + 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return seen == -1;
}
