/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A fence orders puts to one PE only: what is told to another needs shmem_quiet.
 * check: race
 * pes: 3 4
 */
#include <shmem.h>

static int data, flag;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes(), seen = 0;

    if (me == 0) {
        shmem_int_p(&data, 7, 1); /* found */
#ifdef WRONG
        shmem_fence();
#else
        shmem_quiet();
#endif
        shmem_int_p(&flag, 1, 2);
    } else if (me == 2) {
        shmem_int_wait_until(&flag, SHMEM_CMP_NE, 0);
        seen = shmem_int_g(&data, 1); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return seen == 8 + n;
}
