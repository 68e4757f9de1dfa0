/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What shmem_get_nbi brings is sent on before shmem_quiet.
 * check: not-complete
 */
#include <shmem.h>

static int table[32], here[32], there[32];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    shmem_int_get_nbi(here, table, 32, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    shmem_int_put(there, here, 32, (me + 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
