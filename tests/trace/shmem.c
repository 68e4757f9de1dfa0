/* SPDX-License-Identifier: BSD-3-Clause
 *
 * One call of each kind, for shmem.py, which knows what the trace must say.
 */
#include <shmem.h>
#include <stdint.h>
#include <stdio.h>

static long flag, sum, lock, many[4];
static uint64_t signal_word;
static int tested;

int main(void)
{
    long own[8] = {1, 2, 3, 4, 5, 6, 7, 8};

    shmem_init();
    const int me = shmem_my_pe(), n = shmem_n_pes(), to = (me + 1) % n;
    long *block = shmem_malloc(80);
    shmem_team_t odd;

    shmem_putmem(block, own, 64, to);
    shmem_long_iput(block, own, 2, 1, 3, to);
    shmem_getmem(own, block, 16, to);
    shmem_fence();
    shmem_long_p(&flag, me + 10, to);
    shmem_long_wait_until(&flag, SHMEM_CMP_NE, 0);
    shmem_long_p(&many[2], me + 20, to);
    shmem_long_wait_until_any(many, 4, NULL, SHMEM_CMP_NE, 0);
    shmem_long_atomic_fetch_add(&sum, 5, 0);
    shmem_long_put_signal(block, own, 8, &signal_word, UINT64_MAX - 7, SHMEM_SIGNAL_SET, to);
    shmem_signal_wait_until(&signal_word, SHMEM_CMP_GT, 1);
    shmem_quiet();
    shmem_int_p(&tested, me + 30, to);
    while (!shmem_int_test(&tested, SHMEM_CMP_NE, 0))
        ;
    shmem_set_lock(&lock);
    shmem_clear_lock(&lock);
    shmem_long_sum_reduce(SHMEM_TEAM_WORLD, block, block + 8, 2);
    shmem_team_split_strided(SHMEM_TEAM_WORLD, 0, 2, (n + 1) / 2, NULL, 0, &odd);
    if (odd != SHMEM_TEAM_INVALID) {
        shmem_broadcastmem(odd, block, block + 6, 24, 0);
        shmem_team_sync(odd);
    }
    shmem_barrier_all();
    shmem_pcontrol(0);
    shmem_barrier_all();
    shmem_pcontrol(1);
    shmem_free(block);
    shmem_finalize();
    return 0;
}
