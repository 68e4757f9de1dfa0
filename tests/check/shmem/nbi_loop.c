/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One buffer serves all nonblocking puts of a loop. The right twin waits for its neighbour's word that the put has
 * come.
 * check: buffer-in-use
 * also: race
 */
#include <shmem.h>

enum { N = 64, ROUNDS = 10 };
static long to[N], got[1], flag[1];

int main(void)
{
    long from[N];

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n, before = (me + n - 1) % n;
    for (long round = 1; round <= ROUNDS; round++) {
        for (int i = 0; i < N; i++)
            from[i] = round * N + i;
        shmem_long_put_nbi(to, from, N, next); /* found */
#ifndef WRONG
        shmem_fence();
        shmem_long_p(flag, round, next);
        shmem_long_wait_until(flag, SHMEM_CMP_GE, round);
        shmem_long_p(got, round, before);
        shmem_long_wait_until(got, SHMEM_CMP_GE, round);
#endif
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
