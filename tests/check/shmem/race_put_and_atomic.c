/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A counter is set back by a put while others add to it.
 * check: race
 */
#include <shmem.h>

static int counter;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();

    if (me == 0)
        shmem_int_p(&counter, 0, 1); /* found */
#ifndef WRONG
    shmem_barrier_all();
#endif
    shmem_int_atomic_add(&counter, 2, 1); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
