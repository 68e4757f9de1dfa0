/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A thread uses a private context of another.
 * check: thread-level
 * compile: -pthread
 */
#include <pthread.h>
#include <shmem.h>

static long value;
static shmem_ctx_t ctx;
static long other;
static int next;

static void *work(void *unused)
{
    shmem_ctx_t own = ctx;

#ifndef WRONG
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &own);
#endif
    shmem_ctx_long_p(own, &value, 1, next); /* found */
#ifndef WRONG
    shmem_ctx_destroy(own);
#endif
    return unused;
}

int main(void)
{
    pthread_t thread;
    int provided;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    next = (shmem_my_pe() + 1) % shmem_n_pes();
    shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx);
    shmem_ctx_long_p(ctx, &other, 1, next);
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
