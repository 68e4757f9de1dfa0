/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Memory is allocated before the library is initialised.
 * check: call-order
 */
#include <shmem.h>

int main(void)
{
#ifdef WRONG
    int *a = shmem_malloc(sizeof *a); /* found */
    shmem_init();
#else
    shmem_init();
    int *a = shmem_malloc(sizeof *a);
#endif
    shmem_int_p(a, 1, shmem_my_pe());
    shmem_free(a);
    shmem_finalize();
    return 0;
}
