/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_sync_all does not complete puts: shmem_quiet must come first.
 * check: race
 */
#include <shmem.h>

static int value;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    if (me == 0)
        shmem_int_p(&value, 42, 1); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_sync_all();
    int seen = shmem_int_g(&value, 1); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return seen == 43 + n;
}
