/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One PE returns from main before shmem_finalize, which the others wait in.
 * check: call-order|deadlock
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
#ifdef WRONG
    if (shmem_my_pe() == 1)
        return 0;
#endif
    shmem_barrier_all(); /* found */
    shmem_finalize();
    return 0;
}
