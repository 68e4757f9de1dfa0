/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Cells on a ring take the mean of their neighbours, some steps long; each PE has one cell and its halo.
 * Wrong: without the barrier after a step, a neighbour may change the halo before it is read.
 */
#include <shmem.h>
#include <stdio.h>

enum { STEPS = 20 };
static long halo[2];

int main(void)
{
    long cell, all[64];
    int me, n, bad;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    cell = 1000000L * me;
    for (int pe = 0; pe < n; pe++)
        all[pe] = 1000000L * pe;
    for (int step = 0; step < STEPS; step++) {
        long now[64];

        shmem_long_p(&halo[1], cell, (me + n - 1) % n);
        shmem_long_p(&halo[0], cell, (me + 1) % n);
        shmem_barrier_all();
        cell = (halo[0] + cell + halo[1]) / 3;
#ifndef WRONG
        shmem_barrier_all();
#endif
        for (int pe = 0; pe < n; pe++)
            now[pe] = (all[(pe + n - 1) % n] + all[pe] + all[(pe + 1) % n]) / 3;
        for (int pe = 0; pe < n; pe++)
            all[pe] = now[pe];
    }
    bad = cell != all[me];
    if (bad)
        fprintf(stderr, "PE %d: %ld, not %ld\n", me, cell, all[me]);
    shmem_finalize();
    return bad;
}
