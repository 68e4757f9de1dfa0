/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Source and destination of a collective overlap.
 * check: buffer-overlap
 */
#include <shmem.h>

static int data[16];

int main(void)
{
    shmem_init();
#ifdef WRONG
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &data[1], data, 8); /* found */
#else
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &data[8], data, 8);
    shmem_sync_all();
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, data, data, 8);
#endif
    shmem_finalize();
    return 0;
}
