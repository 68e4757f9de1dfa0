/* SPDX-License-Identifier: BSD-3-Clause
 *
 * check: race
 * pes: 64
 * options: --tasks=2
 *
 * Of many PEs in a process two write the same word of a third. What is known of accesses is mapped once in a process:
 * as often as there are PEs it would not fit its address space.
 */
#include <shmem.h>

static long word;

int main(void)
{
    int me;

    shmem_init();
    me = shmem_my_pe();
    if (me == 5)
        shmem_long_p(&word, me, 60); // found
#ifndef WRONG
    shmem_barrier_all();
#endif
    if (me == 40)
        shmem_long_p(&word, me, 60); // found
    shmem_finalize();
    return 0;
}
