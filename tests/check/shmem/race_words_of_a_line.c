/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * pes: 3 4
 *
 * Two PEs put every other word of the same lines, in an order of their own. One of them also puts a word of the
 * other's.
 */
#include <shmem.h>

enum { N = 64, STEP = 26 }; /* with N / 2, it has no factor but 2 in common: all words of one kind */

static long data[N];

int main(void)
{
    int me;

    shmem_init();
    me = shmem_my_pe();
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N / 2 && me < 2; i++)
            shmem_long_p(&data[(me + i * STEP) % N], i, 2); /* found */
#ifdef WRONG
        if (round == 2 && me == 1)
            shmem_long_p(&data[N / 2], 1, 2); /* found */
#endif
        shmem_barrier_all();
    }
    shmem_finalize();
    return 0;
}
