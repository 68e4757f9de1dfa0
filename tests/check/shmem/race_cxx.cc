// SPDX-License-Identifier: BSD-3-Clause
//
// Neighbours exchange by put and read what they got before it is complete.
// check: race
#include <shmem.h>
#include <vector>

int main()
{
    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes();
    auto *inbox = static_cast<double *>(shmem_calloc(32, sizeof(double)));
    auto *sum = static_cast<double *>(shmem_calloc(32, sizeof(double)));
    std::vector<double> mine(32, me);

    shmem_double_put(inbox, mine.data(), mine.size(), (me + 1) % n); // found
#ifdef WRONG
    shmem_sync_all();
#else
    shmem_barrier_all();
#endif
    shmem_double_sum_reduce(SHMEM_TEAM_WORLD, sum, inbox, 32); // found
    shmem_barrier_all();
    shmem_free(sum);
    shmem_free(inbox);
    shmem_finalize();
    return 0;
}
