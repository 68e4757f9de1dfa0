# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
cat > program.c <<'END'
#include <shmem.h>
static long box;
int main(void)
{
    shmem_init();
    shmem_long_p(&box, 1, (shmem_my_pe() + 1) % shmem_n_pes());
    shmem_barrier_all();
    shmem_finalize();
    return box != 1;
}
END
oshcc -g program.c -o a.out
