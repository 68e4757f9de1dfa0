/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Data with a signal. Wrong: the receiver does not wait for the signal.
 */
#include <shmem.h>
#include <stdio.h>

enum { N = 8 };
static long data[N];
static uint64_t signal;

int main(void)
{
    long mine[N];
    int me, n, bad = 0;

    shmem_init();
    me = shmem_my_pe();
    n = shmem_n_pes();
    for (int i = 0; i < N; i++)
        mine[i] = me * 10 + i;
    shmem_barrier_all();
    shmem_long_put_signal(data, mine, N, &signal, 1, SHMEM_SIGNAL_SET, (me + 1) % n);
#ifndef WRONG
    shmem_signal_wait_until(&signal, SHMEM_CMP_EQ, 1);
#else
    shmem_sync_all(); /* "they have all sent by now" */
#endif
    for (int i = 0; i < N; i++)
        bad += data[i] != (me + n - 1) % n * 10 + i;
    if (bad)
        fprintf(stderr, "PE %d: %d numbers are wrong\n", me, bad);
    shmem_finalize();
    return bad != 0;
}
