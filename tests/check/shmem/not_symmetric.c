/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put to a variable on the stack.
 * check: argument
 */
#include <shmem.h>

static long shared;

int main(void)
{
    long local = 0;

    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
#ifdef WRONG
    shmem_long_put(&local, &shared, 1, next); /* found */
#else
    shmem_long_put(&shared, &local, 1, next);
#endif
    shmem_finalize();
    return 0;
}
