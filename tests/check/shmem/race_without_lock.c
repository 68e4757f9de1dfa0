/* SPDX-License-Identifier: BSD-3-Clause
 *
 * A record that a lock guards, changed by one PE without it.
 * check: race
 */
#include <shmem.h>

static long lock, record[2];

static void change(int me)
{
    long two[2];

    shmem_long_get(two, record, 2, 0); /* found */
    two[0] += me;
    two[1]++;
    shmem_long_put(record, two, 2, 0); /* found */
}

int main(void)
{
    shmem_init();
    int me = shmem_my_pe();

#ifdef WRONG
    if (me == 1) {
        change(me);
        shmem_quiet();
    } else
#endif
    {
        shmem_set_lock(&lock);
        change(me);
        shmem_clear_lock(&lock);
    }
    shmem_barrier_all();
    shmem_finalize();
    return 0;
}
