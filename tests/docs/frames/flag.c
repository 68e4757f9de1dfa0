// SPDX-License-Identifier: BSD-3-Clause
// $ oshcc -g flag.c -o framed
// $ mptrun --check -n 2 ./framed
// status 86
#include <shmem.h>

static long data[8], source[8], copy[8], flag;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();

    // LISTING
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
