// SPDX-License-Identifier: BSD-3-Clause
// $ oshcc -g early.c -o framed
// $ mptrun --check -n 3 ./framed
// status 86
#include <shmem.h>

static int here[32], table[32], there[32];

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();

    if (me == 0) {
        // LISTING
        shmem_quiet();
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
