/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put by a context that was destroyed.
 * check: use-after-free
 */
#include <shmem.h>

static long value;

int main(void)
{
    shmem_ctx_t ctx, other;

    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_create(0, &ctx);
    shmem_ctx_long_p(ctx, &value, 1, next);
    shmem_ctx_quiet(ctx);
    shmem_ctx_destroy(ctx);
    shmem_ctx_create(0, &other);
#ifdef WRONG
    shmem_ctx_long_p(ctx, &value, 2, next); /* found */
#else
    shmem_ctx_long_p(other, &value, 2, next);
#endif
    shmem_ctx_destroy(other);
    shmem_finalize();
    return 0;
}
