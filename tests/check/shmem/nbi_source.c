/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source of a nonblocking put is written before the put is complete.
 * check: buffer-in-use
 * also: race
 */
#include <shmem.h>

enum { N = 1000 };
static long to[N];

int main(void)
{
    static long from[N];

    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    for (int i = 0; i < N; i++)
        from[i] = i;
    shmem_long_put_nbi(to, from, N, next); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    from[0] = -1;
    shmem_long_p(&to[0], 0, next);
    shmem_quiet();
    shmem_finalize();
    return 0;
}
