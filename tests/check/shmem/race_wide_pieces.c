/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * pes: 3 4
 *
 * Two words are put into the midst of what a long put brings. The second, of another call, is told of, too.
 */
#include <shmem.h>
#include <unistd.h>

enum { N = 1024 };

static long from[N], data[N];

int main(void)
{
    int me;

    shmem_init();
    me = shmem_my_pe();
    shmem_barrier_all();
    if (me == 0)
        shmem_long_put(data, from, N, 2);
#ifndef WRONG
    shmem_barrier_all();
#endif
    if (me == 1) {
        usleep(300000); /* most likely later than the long put: this orders nothing */
        shmem_long_p(&data[N / 4], 1, 2);
        shmem_long_put(&data[N / 8], from, 1, 2); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
