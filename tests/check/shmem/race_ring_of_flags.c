/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A value goes round, each PE adds to it. The flag is used again and again: who has seen it knows that it has landed.
 * check: race
 */
#include <shmem.h>

enum { ROUNDS = 5 };
static long value[4], flag;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), next = (me + 1) % n;

    for (long round = 1; round <= ROUNDS; round++) {
        if (me > 0 || round > 1)
            shmem_long_wait_until(&flag, SHMEM_CMP_GE, me > 0 ? round : round - 1);
        shmem_long_put(value, value, 4, next); /* found */
#ifndef WRONG
        shmem_fence();
#endif
        shmem_long_p(&flag, round, next);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
