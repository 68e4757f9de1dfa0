/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One buffer for all targets of nonblocking puts. Wrong: it is filled anew without a quiet.
 */
#include <shmem.h>
#include <stdio.h>

enum { N = 32 };
static long got[N];

int main(void)
{
    long buffer[N];
    int me, n, bad = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int step = 1; step <= n; step++) {
        const int to = (me + step) % n;

        for (int i = 0; i < N; i++)
            buffer[i] = to * 1000 + i;
        shmem_long_put_nbi(got, buffer, N, to);
#ifndef WRONG
        shmem_quiet();
#endif
    }
    shmem_barrier_all();
    for (int i = 0; i < N; i++)
        bad += got[i] != me * 1000 + i;
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", me, bad);
    shmem_finalize();
    return bad != 0;
}
