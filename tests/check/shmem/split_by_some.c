/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Only the members of a new team make it; all PEs of its parent must.
 * check: collective-mismatch
 */
#include <shmem.h>

int main(void)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;

    shmem_init();
    int me = shmem_my_pe();
#ifdef WRONG
    if (me == 0)
#endif
        shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team); /* found */
    shmem_barrier_all(); /* found */
    if (me == 0)
        shmem_team_destroy(team);
    shmem_finalize();
    return 0;
}
