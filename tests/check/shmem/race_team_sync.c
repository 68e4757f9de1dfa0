/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A team's sync orders its members only.
 * check: race
 * pes: 4
 */
#include <shmem.h>

static long value;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    shmem_team_t half = SHMEM_TEAM_INVALID;
    long seen = 0;

    shmem_team_split_strided(SHMEM_TEAM_WORLD, me % 2, 2, n / 2, NULL, 0, &half);
    if (me < 2)
        shmem_long_p(&value, me, me + 1); /* found */
    shmem_quiet();
#ifdef WRONG
    shmem_team_sync(half);
#else
    shmem_sync_all();
#endif
    if (me == 3)
        seen = shmem_long_g(&value, 1); /* found */
    shmem_team_destroy(half);
    shmem_barrier_all();
    shmem_finalize();
    return seen == -1;
}
