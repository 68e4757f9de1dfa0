/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 *
 * The last word of a long put is waited for. That tells nothing of what else the put brings: it is still on its way.
 */
#include <shmem.h>

enum { N = 2048 };

static long from[N], data[N], copy[N];

int main(void)
{
    int me;

    shmem_init();
    me = shmem_my_pe();
    for (int i = 0; i < N; i++)
        from[i] = 1;
    shmem_barrier_all();
    if (me == 0) {
#ifdef WRONG
        shmem_long_put(data, from, N, 1); /* found */
#else
        shmem_long_put(data, from, N - 1, 1);
        shmem_fence();
        shmem_long_p(&data[N - 1], 1, 1);
#endif
    } else if (me == 1) {
        shmem_long_wait_until(&data[N - 1], SHMEM_CMP_EQ, 1);
        shmem_long_put(copy, data, 100, 0); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
