/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Puts of a context. Wrong: without its quiet; the barrier completes the default context only.
 */
#include <shmem.h>
#include <stdio.h>

enum { N = 16 };
static int got[N];

int main(void)
{
    shmem_ctx_t ctx;
    int me, n, bad = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    if (shmem_ctx_create(0, &ctx) != 0)
        return 0;
    for (int i = 0; i < N; i++)
        shmem_ctx_int_p(ctx, &got[i], me + i, (me + 1) % n);
#ifndef WRONG
    shmem_ctx_quiet(ctx);
#endif
    shmem_sync_all();
    for (int i = 0; i < N; i++)
        bad += got[i] != (me + n - 1) % n + i;
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", me, bad);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return bad != 0;
}
