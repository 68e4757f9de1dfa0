/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The source of a put that is not complete holds the same lines as before, but in another order.
 * check: buffer-in-use
 */
#include <shmem.h>
#include <stdlib.h>

enum { LINE = 64 / sizeof(long), N = 64 * LINE };

static long output[N];

int main(void)
{
    long *source = calloc(N, sizeof *source);

    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    source[LINE] = 1;
    shmem_long_put_nbi(output, source, N, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_quiet();
#endif
    source[LINE] = 0;
    source[9 * LINE] = 1;
    shmem_barrier_all(); /* found */
    free(source);
    shmem_finalize();
    return 0;
}
