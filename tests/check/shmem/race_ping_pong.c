/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A box is used again: its reader says that it is empty before it has read it.
 * check: race
 */
#include <shmem.h>

enum { TIMES = 20 };
static long box[8], copy[8], full, empty;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();
    long mine[8] = {0};

    for (long i = 1; i <= TIMES; i++)
        if (me == 0) {
            shmem_long_wait_until(&empty, SHMEM_CMP_EQ, i - 1);
            shmem_long_put(box, mine, 8, 1); /* found */
            shmem_quiet();
            shmem_long_p(&full, i, 1);
            shmem_fence();
        } else if (me == 1) {
            shmem_long_wait_until(&full, SHMEM_CMP_GE, i);
#ifdef WRONG
            shmem_long_p(&empty, i, 0);
#endif
            shmem_long_put(copy, box, 8, 1); /* found */
#ifndef WRONG
            shmem_long_p(&empty, i, 0);
#endif
            shmem_fence();
        }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
