/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Random operations of SHMEM, MPI and active messages, mixed: random OPERATIONS [RUNS]. So many operations of all PEs
 * together, a collective one of some library after some of them, and accounts that are settled at times. Nothing
 * depends on how fast a PE is, so each value is known. A run has the seed CHECK_SEED, further ones those after it.
 */
#include "random.h"

enum { ROUND = 32, SETTLE_ROUNDS = 6 };

struct random_run random_run;
long check_failures;
int check_me = -1, check_npes;
char check_who[24] = "rank";

static void one(void)
{
    const int pe = (int)random_choose(mc_size);

    switch (random_choose(16)) {
    case 0:
        random_alone();
        break;
    case 1:
    case 2:
    case 3:
    case 4:
    case 5:
        random_am_one(pe);
        break;
    case 6:
    case 7:
    case 8:
    case 9:
    case 10:
        random_mpi_one(pe);
        break;
    default:
        random_shmem_one(pe);
    }
}

/* Each tells each what it has done to it; after that nobody has anything under way that it doesn't wait for. */
static void settle(void)
{
    shmem_quiet();
    OK(MPI_Alltoall(random_run.to, 3, MPI_LONG, random_run.due, 3, MPI_LONG, MPI_COMM_WORLD));
    random_mpi_settle();
    random_am_settle();
    random_shmem_settle();
}

static void run(long operations, uint64_t seed)
{
    random_run.seed = seed;
    random_run.common = check_mix(seed);
    random_run.own = check_mix(seed * 1000003 + (uint64_t)mc_rank);
    random_run.to = calloc((size_t)mc_size, sizeof *random_run.to);
    random_run.due = calloc((size_t)mc_size, sizeof *random_run.due);
    EXPECT(random_run.to && random_run.due, "no memory");
    random_shmem_start();
    random_mpi_start();
    random_am_start();
    MPI_Barrier(MPI_COMM_WORLD);
    for (long left = operations, round = 1; left > 0; round++) {
        for (long n = random_choose(2 * ROUND); n > 0; n--)
            one();
        left -= (long)ROUND * mc_size;
        random_together();
        if (left <= 0 || random_agree(SETTLE_ROUNDS) == 0)
            settle();
    }
    random_am_end();
    random_mpi_end();
    random_shmem_end();
    free(random_run.to);
    free(random_run.due);
}

int main(int argc, char **argv)
{
    const long operations = argc > 1 ? atol(argv[1]) : 20000, runs = argc > 2 ? atol(argv[2]) : 1;
    const uint64_t first = check_seed(1);

    MPI_Init(NULL, NULL);
    am_enable();
    shmem_init();
    mc_identify();
    for (long i = 0; i < runs; i++) {
        const long before = check_failures;

        run(operations, first + (uint64_t)i);
        if (check_failures > before)
            fprintf(stderr, "rank %d: CHECK_SEED=%llu fails\n", mc_rank, (unsigned long long)first + (uint64_t)i);
    }
    shmem_finalize();
    am_disable();
    return mc_finish();
}
