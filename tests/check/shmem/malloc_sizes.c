/* SPDX-License-Identifier: BSD-3-Clause
 *
 * PEs allocate different amounts in one call.
 * check: collective-mismatch
 */
#include <shmem.h>

int main(void)
{
    shmem_init();
#ifdef WRONG
    size_t n = 10 + (shmem_my_pe() == 1);
#else
    size_t n = 10;
#endif
    char *a = shmem_malloc(n); /* found */
    shmem_free(a);
    shmem_finalize();
    return 0;
}
