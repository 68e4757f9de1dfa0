/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put to a PE that is not there.
 * check: argument
 */
#include <shmem.h>

static long value;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
#ifdef WRONG
    shmem_long_p(&value, me, me + 1); /* found */
#else
    shmem_long_p(&value, me, (me + 1) % n);
#endif
    (void)n;
    shmem_finalize();
    return 0;
}
