/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Pi as the area below 4/(1+x*x) from 0 to 1: each PE sums every n-th strip, one
 * reduction adds the parts, and every PE gets the result.
 *
 *   oshcc -O2 pi.c -o pi -lm && oshrun -np 4 ./pi
 */
#include <math.h>
#include <shmem.h>
#include <stdio.h>

static double part, pi; /* symmetric, as a reduction's arrays must be */

int main(void)
{
    const long strips = 10000000;
    shmem_init();

    for (long i = shmem_my_pe(); i < strips; i += shmem_n_pes()) {
        double x = (i + 0.5) / strips;
        part += 4 / (1 + x * x);
    }
    part /= strips;
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, &pi, &part, 1);

    if (shmem_my_pe() == 0)
        printf("pi is %.12f\n", pi);
    shmem_finalize();
    return fabs(pi - acos(-1)) < 1e-10 ? 0 : 1;
}
