/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A lock is cleared by a PE that has not set it.
 * check: call-order
 * also: race
 */
#include <shmem.h>

static long lock, sum;

int main(void)
{
    shmem_init();
#ifdef WRONG
    if (shmem_my_pe() == 0)
        shmem_set_lock(&lock);
#else
    shmem_set_lock(&lock);
#endif
    shmem_long_p(&sum, shmem_long_g(&sum, 0) + 1, 0);
    shmem_quiet();
    shmem_clear_lock(&lock); /* found */
    shmem_finalize();
    return 0;
}
