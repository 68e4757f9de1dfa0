/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * compile: --check
 *
 * An old program waits in a loop for a volatile flag. The data must be there before it.
 */
#include <shmem.h>

static long data[32];
static volatile long flag;

int main(void)
{
    long mine[32], sum = 0;

    shmem_init();
    int me = shmem_my_pe(), right = (me + 1) % shmem_n_pes();
    for (int i = 0; i < 32; i++)
        mine[i] = me;
    shmem_long_put(data, mine, 32, right); /* found */
#ifndef WRONG
    shmem_fence();
#endif
    shmem_long_p((long *)&flag, 1, right);
    while (!flag)
        ;
    for (int i = 0; i < 32; i++)
        sum += data[i]; /* found */
    shmem_barrier_all();
    shmem_finalize();
    return sum == -1;
}
