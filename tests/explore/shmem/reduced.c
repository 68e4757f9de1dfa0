/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs give numbers to each other and add up what they have got. Wrong: without the barrier before the
 * reduction.
 */
#include <shmem.h>
#include <stdio.h>

static int parts[64], part, sum;

int main(void)
{
    int me, n, expected = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int pe = 0; pe < n; pe++) {
        shmem_int_p(&parts[me], me * pe + 1, pe);
        expected += me * pe + 1;
    }
#ifndef WRONG
    shmem_barrier_all();
#endif
    for (int pe = 0; pe < n; pe++)
        part += parts[pe];
    shmem_int_sum_reduce(SHMEM_TEAM_WORLD, &sum, &part, 1);
    expected = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            expected += a * b + 1;
    if (sum != expected)
        fprintf(stderr, "PE %d: the sum is %d, not %d\n", me, sum, expected);
    shmem_finalize();
    return sum != expected;
}
