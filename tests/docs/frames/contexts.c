// SPDX-License-Identifier: BSD-3-Clause
// $ oshcc -g -pthread contexts.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <pthread.h>
#include <shmem.h>

static shmem_ctx_t ctx;
static long word;

static void *work(void *nothing)
{
    shmem_ctx_long_p(ctx, &word, 1, shmem_my_pe());
    return nothing;
}

int main(void)
{
    int provided;

    shmem_init_thread(SHMEM_THREAD_MULTIPLE, &provided);
    pthread_t thread;

    // LISTING
    pthread_join(thread, NULL);
    shmem_ctx_destroy(ctx);
    shmem_finalize();
    return 0;
}
