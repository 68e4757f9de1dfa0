/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A wait for a variable that no other PE can change.
 * check: argument
 */
#include <shmem.h>

static int shared;

int main(void)
{
    int local = 0;

    shmem_init();
    shmem_int_p(&shared, 1, (shmem_my_pe() + 1) % shmem_n_pes());
#ifdef WRONG
    shmem_int_wait_until(&local, SHMEM_CMP_EQ, 1); /* found */
#else
    shmem_int_wait_until(&shared, SHMEM_CMP_EQ, 1);
#endif
    (void)local;
    shmem_finalize();
    return 0;
}
