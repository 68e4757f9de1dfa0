/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data and then a flag, which the next PE waits for. Wrong: without the fence between them.
 */
#include <shmem.h>
#include <stdio.h>

enum { ROUNDS = 10, N = 16 };
static long data[N], flag;

int main(void)
{
    int bad = 0;

    shmem_init();
    for (long round = 1; round <= ROUNDS; round++) {
        const int next = (shmem_my_pe() + 1) % shmem_n_pes();
        long mine[N];

        for (int i = 0; i < N; i++)
            mine[i] = round * 100 + i;
        shmem_long_put(data, mine, N, next);
#ifndef WRONG
        shmem_fence();
#endif
        shmem_long_p(&flag, round, next);
        shmem_long_wait_until(&flag, SHMEM_CMP_EQ, round);
        for (int i = 0; i < N; i++)
            bad += data[i] != round * 100 + i;
        shmem_barrier_all();
    }
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", shmem_my_pe(), bad);
    shmem_finalize();
    return bad != 0;
}
