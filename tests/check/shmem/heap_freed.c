/* SPDX-License-Identifier: BSD-3-Clause
 *
 * An atomic operation on a block that was given back.
 * check: use-after-free
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    long *count = shmem_calloc(1, sizeof *count);
#ifdef WRONG
    shmem_free(count);
    shmem_long_atomic_inc(count, 0); /* found */
#else
    shmem_long_atomic_inc(count, 0);
    shmem_free(count);
#endif
    shmem_finalize();
    return 0;
}
