/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put that runs over the end of its block into the next one.
 * check: argument
 */
#include <shmem.h>

enum { N = 8 };

int main(void)
{
    long source[2 * N] = {0};

    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    long *a = shmem_malloc(N * sizeof *a);
    long *b = shmem_malloc(N * sizeof *b);
    shmem_barrier_all();
#ifdef WRONG
    shmem_long_put(a, source, N + 1, next); /* found */
#else
    shmem_long_put(a, source, N, next);
#endif
    shmem_long_put(b, source, N, next);
    shmem_free(b);
    shmem_free(a);
    shmem_finalize();
    return 0;
}
