/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE gives more elements than the others; collect may, alltoall may not.
 * check: collective-mismatch
 */
#include <shmem.h>

enum { MOST = 4 };
static int from[8 * MOST], to[8 * MOST];

int main(void)
{
    shmem_init();
    size_t n = 1 + (shmem_my_pe() == 1);
    shmem_int_collect(SHMEM_TEAM_WORLD, to, from, n);
    shmem_sync_all();
#ifndef WRONG
    n = MOST;
#endif
    shmem_int_alltoall(SHMEM_TEAM_WORLD, to, from, n); /* found */
    shmem_finalize();
    return 0;
}
