/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: random operations of all families against a model, every thread of every PE an actor with its own
 * context, all at the same time. */
#include "stress.h"
#include "workers.h"

#define SECONDS 1.2

static unsigned char *memory;
static uint64_t *sums, total;
static struct actor *actors[WORKERS];

static void act(struct worker *self)
{
    shmem_ctx_t ctx;
    int status = shmem_ctx_create(self->number % 2 ? SHMEM_CTX_PRIVATE : 0, &ctx);
    struct actor *a;

    REQUIRE(status == 0, "shmem_ctx_create returned %d, expected 0", status);
    a = stress_begin(check_me * WORKERS + self->number, check_npes * WORKERS, memory, ctx, check_seed(3));
    stress_run(a, SECONDS);
    shmem_ctx_destroy(ctx);
    actors[self->number] = a;
}

int main(void)
{
    check_start_thread(SHMEM_THREAD_MULTIPLE);
    memory = shmem_calloc(1, stress_bytes(check_npes * WORKERS));
    sums = calloc((size_t)check_npes, sizeof *sums);
    REQUIRE(memory && sums, "no memory for %zu bytes", stress_bytes(check_npes * WORKERS));
    shmem_barrier_all();
    workers_run(act);
    shmem_barrier_all();
    for (int i = 0; i < WORKERS; i++)
        stress_end(actors[i], sums);
    stress_judge_sums(sums, &total, (const uint64_t *)(memory + (size_t)(check_npes * WORKERS) * SLICE));
    free(sums);
    shmem_free(memory);
    return check_finish();
}
