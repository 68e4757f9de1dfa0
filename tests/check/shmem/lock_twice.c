/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A PE sets a lock that it holds.
 * check: call-order
 * also: deadlock
 */
#include <shmem.h>

static long lock;

int main(void)
{
    shmem_init();
    shmem_set_lock(&lock);
#ifdef WRONG
    shmem_set_lock(&lock); /* found */
#endif
    shmem_clear_lock(&lock);
    shmem_finalize();
    return 0;
}
