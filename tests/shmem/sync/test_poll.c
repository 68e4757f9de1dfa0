/* SPDX-License-Identifier: BSD-3-Clause */
/* PEs that poll with shmem_TYPE_test see what others write, however many PEs share a core: a word runs round the ring
 * of all PEs many times, and nobody ever blocks. */
#include "../../check.h"

#define LAPS 200

static long word;
static unsigned short half;
static uint64_t wide;

static void poll(int lap)
{
    double limit = check_seconds() + 20;

    while (!shmem_long_test(&word, SHMEM_CMP_GE, lap) || !shmem_ushort_test(&half, SHMEM_CMP_EQ, (unsigned short)lap) ||
           !shmem_uint64_test(&wide, SHMEM_CMP_NE, (uint64_t)lap - 1))
        REQUIRE(check_seconds() < limit, "lap %d: nothing for 20 s: %ld %hu %llu", lap, word, half,
                (unsigned long long)wide);
}

static void pass_on(int lap)
{
    shmem_long_p(&word, lap, check_next());
    shmem_ushort_p(&half, (unsigned short)lap, check_next());
    shmem_uint64_p(&wide, (uint64_t)lap, check_next());
}

int main(void)
{
    check_start();
    shmem_barrier_all();
    for (int lap = 1; lap <= LAPS; lap++) {
        if (check_me == 0)
            pass_on(lap);
        poll(lap);
        CHECK(word == lap, "word is %ld in lap %d", word, lap);
        if (check_me != 0)
            pass_on(lap);
    }
    return check_finish();
}
