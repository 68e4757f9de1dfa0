/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * A loop of steps: each PE gets from its neighbour what that has stored, and stores again without waiting until its
 * other neighbour has got it.
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    int right = (shmem_my_pe() + 1) % shmem_n_pes();
    double *heap = shmem_calloc(64, sizeof *heap), got[64];

    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < 64; i++)
            heap[i] = step + i; /* found */
        shmem_barrier_all();
        shmem_double_get(got, heap, 64, right); /* found */
#ifndef WRONG
        shmem_barrier_all();
#endif
    }
    shmem_barrier_all();
    shmem_free(heap);
    shmem_finalize();
    return 0;
}
