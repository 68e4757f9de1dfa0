/* SPDX-License-Identifier: BSD-3-Clause */
/* A program of the T3D and T3E: its header and its names. start_pes, or the first question for the PE number, starts
 * the job; barriers, puts and gets are those of today. */
#include <mpp/shmem.h>
#include <stdio.h>

static long target, p_sync[_SHMEM_BARRIER_SYNC_SIZE];

int main(void)
{
    int me, n, failures = 0;

    start_pes(0);
    me = _my_pe();
    n = _num_pes();
    for (int i = 0; i < _SHMEM_BARRIER_SYNC_SIZE; i++)
        p_sync[i] = _SHMEM_SYNC_VALUE;
    shmem_barrier_all();
    if (my_pe() != me || num_pes() != n || shmem_my_pe() != me || shmem_n_pes() != n)
        fprintf(stderr, "FAIL PE %d of %d: other names say %d of %d and %d of %d\n", me, n, my_pe(), num_pes(),
                shmem_my_pe(), shmem_n_pes()),
            failures++;
    shmem_set_cache_inv();
    shmem_long_put(&target, &(long){me + 1}, 1, (me + 1) % n);
    shmem_barrier(0, 0, n, p_sync);
    shmem_udcflush();
    if (target != (me + n - 1) % n + 1)
        fprintf(stderr, "FAIL PE %d: target is %ld, expected %d\n", me, target, (me + n - 1) % n + 1), failures++;
    shmem_clear_cache_inv();
    shmem_barrier_all();
    return failures != 0;
}
