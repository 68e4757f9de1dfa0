/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * A PE loads what its neighbour puts into its memory before they have met.
 */
#include <shmem.h>

static long box[100];

int main(void)
{
    long mine[100], sum = 0;

    shmem_init();
    for (int i = 0; i < 100; i++)
        mine[i] = i;
    shmem_barrier_all();
    shmem_long_put(box, mine, 100, (shmem_my_pe() + 1) % shmem_n_pes()); /* found */
#ifndef WRONG
    shmem_barrier_all();
#endif
    for (int i = 0; i < 100; i++)
        sum += box[i]; /* found */
    shmem_barrier_all();
    shmem_finalize();
    return sum == 1;
}
