/* SPDX-License-Identifier: BSD-3-Clause */
/* OpenSHMEM's calls that allocate: heap, teams, contexts, all with one PE. What they refuse is no failure here. */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_team_t team = SHMEM_TEAM_INVALID;
    shmem_ctx_t ctx;
    long *block;

    shmem_init();
    block = shmem_malloc(1000 * sizeof *block);
    if (block)
        shmem_long_put(block, (long[]){1, 2, 3}, 3, 0);
    shmem_free(block);
    if (shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, 1, NULL, 0, &team) == 0) {
        shmem_team_sync(team);
        shmem_team_destroy(team);
    }
    if (shmem_ctx_create(SHMEM_CTX_PRIVATE, &ctx) == 0) {
        shmem_ctx_quiet(ctx);
        shmem_ctx_destroy(ctx);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
