/* SPDX-License-Identifier: BSD-3-Clause */
/* Random operations of all families against a model, one actor in each PE, first on the heap and the default context,
 * then on globals and a context of its own. */
#include "stress.h"

#define LARGEST_JOB 64
#define SECONDS 0.7

static unsigned char global[LARGEST_JOB * SLICE + 8] __attribute__((aligned(8)));
static uint64_t sums[LARGEST_JOB], total;

static void run(unsigned char *memory, shmem_ctx_t ctx, uint64_t seed)
{
    struct actor *a = stress_begin(check_me, check_npes, memory, ctx, seed);

    memset(sums, 0, sizeof sums);
    total = 0;
    shmem_barrier_all();
    stress_run(a, SECONDS);
    shmem_barrier_all();
    stress_end(a, sums);
    stress_judge_sums(sums, &total, (const uint64_t *)(memory + (size_t)check_npes * SLICE));
    shmem_barrier_all();
}

int main(void)
{
    unsigned char *heap;
    shmem_ctx_t ctx;
    int status;

    check_start();
    if (check_npes > LARGEST_JOB)
        check_skip("more PEs than this test has room for");
    heap = shmem_calloc(1, stress_bytes(check_npes));
    REQUIRE(heap, "no memory for %zu bytes", stress_bytes(check_npes));
    status = shmem_ctx_create(0, &ctx);
    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    run(heap, SHMEM_CTX_DEFAULT, check_seed(1));
    run(global, ctx, check_seed(2));
    shmem_ctx_destroy(ctx);
    shmem_free(heap);
    return check_finish();
}
