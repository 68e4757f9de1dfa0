/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What is freed is not the beginning of a block.
 * check: argument
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    int *a = shmem_malloc(100 * sizeof *a);
    a += 16;
    a[0] = 1;
#ifdef WRONG
    shmem_free(a); /* found */
#else
    shmem_free(a - 16);
#endif
    shmem_finalize();
    return 0;
}
