/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs count on PE 0. Wrong: without the quiet before they meet.
 */
#include <shmem.h>
#include <stdio.h>

enum { TIMES = 5 };
static long count;

int main(void)
{
    int bad = 0;

    shmem_init();
    for (int i = 0; i < TIMES; i++)
        shmem_long_atomic_inc(&count, 0);
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_team_sync(SHMEM_TEAM_WORLD);
    if (shmem_my_pe() == 0) {
        bad = count != TIMES * shmem_n_pes();
        if (bad)
            fprintf(stderr, "%ld counted, not %d\n", count, TIMES * shmem_n_pes());
    }
    shmem_finalize();
    return bad;
}
