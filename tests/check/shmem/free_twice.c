/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A block is freed twice.
 * check: use-after-free
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
    double *a = shmem_malloc(100 * sizeof *a);
    double *b = shmem_malloc(100 * sizeof *b);
    shmem_free(a);
#ifdef WRONG
    shmem_free(a); /* found */
#endif
    shmem_free(b);
    shmem_finalize();
    return 0;
}
