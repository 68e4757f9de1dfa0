/* SPDX-License-Identifier: BSD-3-Clause
 *
 * All PEs wait for a flag that each sets after its own wait.
 * check: deadlock
 */
#include <shmem.h>

static long flag;

int main(void)
{
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
#ifdef WRONG
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1); /* found */
    shmem_long_p(&flag, 1, next);
#else
    shmem_long_p(&flag, 1, next);
    shmem_long_wait_until(&flag, SHMEM_CMP_EQ, 1);
#endif
    shmem_finalize();
    return 0;
}
