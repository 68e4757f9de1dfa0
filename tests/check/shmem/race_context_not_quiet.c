/* SPDX-License-Identifier: BSD-3-Clause
 *
 * shmem_quiet does not complete what other contexts have under way.
 * check: race
 */
#include <shmem.h>

static long value[8];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    long mine[8] = {me}, seen[8];
    shmem_ctx_t ctx = SHMEM_CTX_DEFAULT;

    shmem_ctx_create(0, &ctx);
    shmem_ctx_long_put(ctx, value, mine, 8, (me + 1) % n); /* found */
#ifdef WRONG
    shmem_quiet();
#else
    shmem_ctx_quiet(ctx);
#endif
    shmem_sync_all();
    shmem_long_get(seen, value, 8, me); /* found */
    shmem_ctx_destroy(ctx);
    shmem_barrier_all();
    shmem_finalize();
    return seen[0] == -1;
}
