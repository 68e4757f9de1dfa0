/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One PE synchronises where the others call a barrier; sync_all is the same as the sync of all PEs' team.
 * check: collective-mismatch
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_sync_all();
    else
        shmem_team_sync(SHMEM_TEAM_WORLD);
#ifdef WRONG
    if (shmem_my_pe() == 0)
        shmem_sync_all(); /* found */
    else
        shmem_barrier_all(); /* found */
#else
    shmem_barrier_all();
#endif
    shmem_finalize();
    return 0;
}
