/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source of shmem_put_nbi is filled anew before shmem_quiet.
 * check: buffer-in-use
 */
#include <shmem.h>

static long input[64], buffer[64], output[64];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_long_put_nbi(output, buffer, 64, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_long_get(buffer, input, 64, (me + 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
