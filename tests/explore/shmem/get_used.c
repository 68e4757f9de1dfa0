/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A sum of what a nonblocking get brings. Wrong: without the quiet before.
 */
#include <shmem.h>
#include <stdio.h>

enum { N = 64 };
static long theirs[N];

int main(void)
{
    long here[N] = {0}, sum = 0, expected = 0;
    int me, next;

    shmem_init();
    me = shmem_my_pe();
    next = (me + 1) % shmem_n_pes();
    for (int i = 0; i < N; i++) {
        theirs[i] = me + i + 1;
        expected += next + i + 1;
    }
    shmem_barrier_all();
    shmem_long_get_nbi(here, theirs, N, next);
#ifndef WRONG
    shmem_quiet();
#endif
    for (int i = 0; i < N; i++)
        sum += here[i];
    if (sum != expected)
        fprintf(stderr, "PE %d: the sum is %ld, not %ld\n", me, sum, expected);
    shmem_finalize();
    return sum != expected;
}
