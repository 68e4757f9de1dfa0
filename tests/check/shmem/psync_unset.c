/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The words by which an active set synchronises were not set.
 * check: argument
 */
#include <shmem.h>
#include <string.h>

static int from[4], to[32];

int main(void)
{
    shmem_init();
    long *words = shmem_malloc(SHMEM_COLLECT_SYNC_SIZE * sizeof *words);
    memset(words, 0x55, SHMEM_COLLECT_SYNC_SIZE * sizeof *words);
#ifndef WRONG
    for (int i = 0; i < SHMEM_COLLECT_SYNC_SIZE; i++)
        words[i] = SHMEM_SYNC_VALUE;
#endif
    shmem_barrier_all();
    shmem_fcollect32(to, from, 4, 0, 0, shmem_n_pes(), words); /* found */
    shmem_barrier_all();
    shmem_free(words);
    shmem_finalize();
    return 0;
}
