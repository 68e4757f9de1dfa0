/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data come with a signal, and are used without it.
 * check: race
 */
#include <shmem.h>

static double box[16], out[16];
static uint64_t signal;

int main(void)
{
    shmem_init();
    int me = shmem_my_pe(), n = shmem_n_pes();
    double mine[16] = {me};

    shmem_double_put_signal(box, mine, 16, &signal, 1, SHMEM_SIGNAL_SET, (me + 1) % n); /* found */
#ifndef WRONG
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
#endif
    shmem_double_put(out, box, 16, (me + 1) % n); /* found */
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
