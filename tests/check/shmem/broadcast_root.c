/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs name different roots.
 * check: collective-mismatch
 */
#include <shmem.h>

static int from[4], to[4];

int main(void)
{
    shmem_init();
#ifdef WRONG
    int root = shmem_my_pe() == 0 ? 0 : 1;
#else
    int root = 1;
#endif
    shmem_int_broadcast(SHMEM_TEAM_WORLD, to, from, 4, root); /* found */
    shmem_sync_all();
    shmem_finalize();
    return 0;
}
