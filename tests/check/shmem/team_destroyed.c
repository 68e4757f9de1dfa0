/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team is used after it was destroyed, while a new one has been made.
 * check: use-after-free
 */
#include <shmem.h>

int main(void)
{
    shmem_team_t first, second;

    shmem_init();
    int n = shmem_n_pes();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &first);
    shmem_team_destroy(first);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &second);
#ifdef WRONG
    shmem_team_sync(first); /* found */
#else
    shmem_team_sync(second);
#endif
    shmem_team_destroy(second);
    shmem_finalize();
    return 0;
}
