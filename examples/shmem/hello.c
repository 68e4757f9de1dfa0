/* SPDX-License-Identifier: BSD-3-Clause
 *
 * The smallest program: every PE says who it is.
 *
 *   oshcc hello.c -o hello && oshrun -np 4 ./hello
 */
#include <shmem.h>
#include <stdio.h>

int main(void)
{
    shmem_init();
    printf("hello from PE %d of %d\n", shmem_my_pe(), shmem_n_pes());
    shmem_finalize();
    return 0;
}
