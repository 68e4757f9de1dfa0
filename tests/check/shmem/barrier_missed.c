/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 0 comes to one barrier more than the others, which wait for it.
 * check: deadlock
 */
#include <shmem.h>

static long flag;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
#ifdef WRONG
    if (me == 0)
        shmem_barrier_all(); /* found */
#endif
    for (int pe = 1; me == 0 && pe < n; pe++)
        shmem_long_p(&flag, 1, pe);
    if (me > 0)
        shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
