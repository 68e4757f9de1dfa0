/* SPDX-License-Identifier: BSD-3-Clause */
/* PE numbers and counts agree on all PEs, every PE is accessible and no other number is. */
#include "check.h"

static long seen[1024];

int main(void)
{
    check_start();
    CHECK(shmem_my_pe() == check_me && shmem_n_pes() == check_npes, "PE %d of %d changed", check_me, check_npes);
    for (int pe = 0; pe < check_npes; pe++) {
        CHECK(shmem_pe_accessible(pe) != 0, "PE %d is not accessible", pe);
        shmem_long_atomic_inc(&seen[check_me], pe);
        shmem_long_atomic_add(&seen[1000], check_npes, pe);
    }
    shmem_barrier_all();
    for (int pe = 0; pe < check_npes; pe++)
        CHECK(seen[pe] == 1, "%ld PEs say they are PE %d", seen[pe], pe);
    CHECK(seen[1000] == (long)check_npes * check_npes, "the counts add up to %ld, expected %d", seen[1000],
          check_npes * check_npes);
    static const int wrong[] = {-1, -2, 1 << 20, INT32_MAX, INT32_MIN};
    for (size_t i = 0; i < CHECK_COUNT(wrong); i++)
        CHECK(shmem_pe_accessible(wrong[i]) == 0, "PE %d is accessible", wrong[i]);
    CHECK(shmem_pe_accessible(check_npes) == 0, "PE %d of %d is accessible", check_npes, check_npes);
    return check_finish();
}
