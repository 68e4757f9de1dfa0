/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A put with signal tells of its own data, not of an earlier put.
 * check: race
 */
#include <shmem.h>

static int head[2], body[100], got[2];
static uint64_t signal;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();

    if (me == 0) {
        int two[2] = {1, 2}, many[100] = {0};

        shmem_int_put(head, two, 2, n - 1); /* found */
#ifndef WRONG
        shmem_fence();
#endif
        shmem_int_put_signal(body, many, 100, &signal, 1, SHMEM_SIGNAL_ADD, n - 1);
    } else if (me == n - 1) {
        shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
        shmem_int_put(got, body, 2, 0);
        shmem_int_put(got, head, 2, 1); /* found */
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
