/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What shmem_get_nbi brings to private memory is sent on before shmem_quiet.
 * check: not-complete
 */
#include <shmem.h>

static double table[16], there[16];

int main(void)
{
    double here[8];

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_double_get_nbi(here, table, 8, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_double_put(there, here + 4, 4, (me + n - 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
