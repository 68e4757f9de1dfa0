/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Members of a team call its collectives in different orders; teams have each their own order.
 * check: collective-mismatch
 */
#include <shmem.h>

static int from[4], to[4], to2[4];

int main(void)
{
    shmem_team_t low = SHMEM_TEAM_INVALID, all;

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 2, NULL, 0, &low);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, n, NULL, 0, &all);
    if (low != SHMEM_TEAM_INVALID) {
#ifdef WRONG
        if (me == 0)
            shmem_int_max_reduce(low, to, from, 4); /* found */
#endif
        shmem_int_fcollect(low, to, from, 2); /* found */
#ifdef WRONG
        if (me == 1)
#endif
            shmem_int_max_reduce(low, to2, from, 4);
        shmem_team_destroy(low);
    }
    shmem_team_sync(all);
    shmem_team_destroy(all);
    (void)me;
    shmem_finalize();
    return 0;
}
