/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE calls a collective of a set that it is not in.
 * check: argument
 */
#include <shmem.h>

static long sync_words[SHMEM_BARRIER_SYNC_SIZE];

int main(void)
{
    for (int i = 0; i < SHMEM_BARRIER_SYNC_SIZE; i++)
        sync_words[i] = SHMEM_SYNC_VALUE;
    shmem_init();
    int me = shmem_my_pe();
    shmem_barrier_all();
#ifndef WRONG
    if (me > 0)
#endif
        shmem_barrier(1, 0, shmem_n_pes() - 1, sync_words); /* found */
    (void)me;
    shmem_finalize();
    return 0;
}
