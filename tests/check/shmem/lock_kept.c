/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PE 0 keeps a lock while it waits at a barrier, before which the others want it.
 * check: deadlock
 */
#include <shmem.h>

static long lock;

int main(void)
{
    shmem_init();
    if (shmem_my_pe() == 0)
        shmem_set_lock(&lock);
    shmem_barrier_all();
#ifndef WRONG
    if (shmem_my_pe() == 0)
        shmem_clear_lock(&lock);
#endif
    if (shmem_my_pe() != 0) {
        shmem_set_lock(&lock); /* found */
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
#ifdef WRONG
    if (shmem_my_pe() == 0)
        shmem_clear_lock(&lock);
#endif
    shmem_finalize();
    return 0;
}
