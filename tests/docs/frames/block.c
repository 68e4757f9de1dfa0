// SPDX-License-Identifier: BSD-3-Clause
// $ oshcc -g block.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <shmem.h>

static long source[9];

int main(void)
{
    shmem_init();
    int next = (shmem_my_pe() + 1) % shmem_n_pes();

    // LISTING
    shmem_finalize();
    return 0;
}
