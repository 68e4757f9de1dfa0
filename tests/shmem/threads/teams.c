/* SPDX-License-Identifier: BSD-3-Clause */
/* THREAD_MULTIPLE: each thread runs collectives on a team of its own, all teams at the same time; team i of every PE
 * belongs to thread i. Two threads of a PE are then in two barriers at once. */
#include "workers.h"

#define ROUNDS 40
#define WORDS 16

static shmem_team_t teams[WORKERS];
static long source[WORKERS][WORDS], result[WORKERS][WORDS], brought[WORKERS][WORDS];
static long arrivals[WORKERS];

static void collectives(struct worker *self)
{
    int i = self->number;
    shmem_team_t team = teams[i];
    long n = shmem_team_n_pes(team), me = shmem_team_my_pe(team);

    for (long round = 1; round <= ROUNDS; round++) {
        for (int w = 0; w < WORDS; w++)
            source[i][w] = round * 10 + me + w;
        shmem_long_atomic_inc(&arrivals[i], 0);
        shmem_quiet();
        CHECK(shmem_team_sync(team) == 0, "shmem_team_sync failed");
        CHECK(shmem_long_atomic_fetch(&arrivals[i], 0) == round * n, "thread %d left the sync of round %ld early", i,
              round);
        CHECK(shmem_long_sum_reduce(team, result[i], source[i], WORDS) == 0, "shmem_long_sum_reduce failed");
        for (int w = 0; w < WORDS; w++)
            CHECK(result[i][w] == n * (round * 10 + w) + n * (n - 1) / 2, "thread %d: sum %d is %ld, expected %ld", i,
                  w, result[i][w], n * (round * 10 + w) + n * (n - 1) / 2);
        CHECK(shmem_long_broadcast(team, brought[i], source[i], WORDS, (int)(round % n)) == 0, "broadcast failed");
        CHECK(brought[i][WORDS - 1] == round * 10 + round % n + WORDS - 1, "thread %d: broadcast brought %ld", i,
              brought[i][WORDS - 1]);
        CHECK(shmem_team_sync(team) == 0, "shmem_team_sync failed");
    }
}

int main(void)
{
    check_start_thread(SHMEM_THREAD_MULTIPLE);
    for (int i = 0; i < WORKERS; i++) {
        int status = shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 1, check_npes, NULL, 0, &teams[i]);
        REQUIRE(status == 0 && teams[i] != SHMEM_TEAM_INVALID, "team %d: split returned %d", i, status);
    }
    shmem_barrier_all();
    workers_run(collectives);
    shmem_barrier_all();
    for (int i = 0; i < WORKERS; i++)
        shmem_team_destroy(teams[i]);
    return check_finish();
}
